"""What is served small does what was written: the minifier may gather declarations, not run them in another order."""

import gzip
import re
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory
from whitenoise.middleware import WhiteNoiseMiddleware

from wallboard.storage import HashedStaticFiles, small

SCRIPTS = Path(settings.BASE_DIR) / "static/js"
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
DECLARES = re.compile(r"\b(?:const|let|var)(?=[{\[ ])")
FAULTY = 'const{number:a}=n?.closest?.("p")?.dataset??{},t=f("b"),n=document.activeElement,{act:r}=n?.dataset??{};'


def declarators(text: str) -> list[str]:
    """The single declarations of the list that begins with this text."""
    found: list[str] = []
    depth = begins = 0
    for index, letter in enumerate(text):
        depth += (letter in "{[(") - (letter in "}])")
        if depth < 0 or (letter == ";" and depth == 0):
            return [*found, text[begins:index]]
        if letter == "," and depth == 0:
            found.append(text[begins:index])
            begins = index + 1
    return [*found, text[begins:]]


def too_early(text: str) -> list[str]:
    """Names that a pattern's value reads before the same list of declarations gives them one. Patterns are what the
    minifier puts first, also past an optional chain that needs what stands behind them."""
    found: list[str] = []
    text = QUOTED.sub('""', text)
    for begin in DECLARES.finditer(text):
        each = [declarator.strip() for declarator in declarators(text[begin.end() :])]
        for index, declarator in enumerate(each):
            if declarator[:1] in "{[":
                value = declarator.split("}=", 1)[-1]
                later = {name[0] for other in each[index + 1 :] if (name := re.match(r"[\w$]+", other))}
                found += sorted(later & set(re.findall(r"(?<![.\w$#])[\w$]+\b(?!:)", value)))
    return found


def test_a_value_that_is_read_too_early_is_found() -> None:
    assert too_early(FAULTY) == ["n"]


@pytest.mark.parametrize("path", sorted(SCRIPTS.rglob("*.js")), ids=lambda path: path.name)
def test_no_script_made_small_reads_what_is_not_there_yet(path: Path) -> None:
    assert too_early(small(path.read_text(), "application/javascript")) == []


@pytest.mark.django_db  # an answer that is closed looks after open connections
def test_what_is_served_was_compressed_before_and_is_kept_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "STATIC_ROOT", tmp_path)
    (tmp_path / "css").mkdir()
    rules = "".join(f".card-{number} {{ color: #{number:06}; }}\n" for number in range(100))
    (tmp_path / "css/board.css").write_text(rules)
    storage = HashedStaticFiles(location=str(tmp_path), base_url="/static/")
    list(storage.post_process({"css/board.css": (storage, "css/board.css")}))
    server: Any = WhiteNoiseMiddleware(lambda request: HttpResponse(status=404))

    def get(accepted: str) -> Any:
        address = storage.url("css/board.css")
        return server(RequestFactory().get(address, headers={"accept-encoding": accepted}))

    plain, zipped, small_one = (get(accepted) for accepted in ("identity", "gzip", "gzip, deflate, br"))
    contents = [b"".join(answer.streaming_content) for answer in (plain, zipped, small_one)]
    for answer in (plain, zipped, small_one):
        answer.close()

    assert [answer.get("Content-Encoding") for answer in (plain, zipped, small_one)] == [None, "gzip", "br"]
    assert gzip.decompress(contents[1]) == brotli.decompress(contents[2]) == contents[0]
    assert len(contents[2]) < len(contents[1]) < len(contents[0]) < len(rules)
    for answer in (plain, zipped, small_one):
        assert answer["Vary"] == "Accept-Encoding"
        assert answer["Cache-Control"] == "max-age=315360000, public, immutable"
