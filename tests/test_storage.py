"""What is served small does what was written: the minifier may gather declarations, not run them in another order."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from wallboard.storage import small

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
