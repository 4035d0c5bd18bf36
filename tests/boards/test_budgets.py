"""What a TV's page loads stays small, as it is served: 74 KB of scripts and 46 KB of style sheets, not compressed."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import esprima
import pytest
from django.core.management import call_command

from tests import test_tv_scripts as tv
from wallboard.boards.cards import kinds

MOST_SCRIPT, MOST_STYLE = 74_000, 46_000
AUTOMATIC = ("totals", "tiles", "people", "calls")
IMPORT = re.compile(r"""(?:import|export)[^;'"]*["'](?P<from>\.[^"']+)["']""")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every static file as an installation serves it, by the name that templates use."""
    from django.test import override_settings

    root = tmp_path_factory.mktemp("static")
    stores = {"staticfiles": {"BACKEND": "wallboard.storage.HashedStaticFiles"}}
    with override_settings(STATIC_ROOT=root, STORAGES=stores):
        call_command("collectstatic", interactive=False, verbosity=0)
    paths: dict[str, str] = json.loads((root / "staticfiles.json").read_text())["paths"]
    return {name: root / path for name, path in paths.items()}


def on_every_tv() -> list[str]:
    """The scripts that the board's page always has on a TV."""
    lines = (tv.TEMPLATES / "boards/board.html").read_text().splitlines()
    names = (re.search(r"js/[^'\"]+\.js", line) for line in lines if "{% module" in line and "if not is_tv" not in line)
    return [name[0] for name in names if name]


def script_of(kind: str) -> str:
    text = (tv.TEMPLATES / tv.CARDS).read_text()
    found = re.search(rf"""data-kinds="[^"]*\b{kind}\b[^"]*" data-script="{{% static '([^']+)'""", text)
    assert found, kind
    return found[1]


def size(served: dict[str, Path], names: Iterable[str]) -> int:
    """Bytes of these scripts and of all that they import."""
    waiting, found = [served[name] for name in names], set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [(path.parent / match["from"]).resolve() for match in IMPORT.finditer(path.read_text())]
    return sum(path.stat().st_size for path in found)


@pytest.mark.parametrize("kinds", [("automatic", *AUTOMATIC), tuple(kinds.KINDS)], ids=["automatic", "every card"])
def test_the_scripts_of_a_tv_are_small(served: dict[str, Path], kinds: tuple[str, ...]) -> None:
    assert size(served, [*on_every_tv(), *map(script_of, kinds)]) < MOST_SCRIPT


def test_the_styles_of_a_tv_are_small(served: dict[str, Path]) -> None:
    assert sum(served[name].stat().st_size for name in tv.SHEETS) < MOST_STYLE


def test_the_one_sheet_of_a_tv_holds_those_of_a_board_in_their_order(served: dict[str, Path]) -> None:
    names = re.findall(r'@import "([^"]+)";', (tv.STATIC / "css/tv.css").read_text())
    text = served["css/tv.css"].read_text()

    of_board = re.findall(r"css/(parts/[\w-]+\.css)", (tv.TEMPLATES / "boards/_card_styles.html").read_text())
    assert names == ["base.css", *of_board, "parts/alert-bar.css", "parts/alert-line.css", "parts/tv-wait.css"]
    assert text == "".join(served[f"css/{name}"].read_text() for name in names)
    assert "url(" not in text, "an address would count from another folder"


def test_what_is_served_is_as_old_as_what_was_written(served: dict[str, Path]) -> None:
    """Making files small may shorten names, but bring in nothing that TVs of 2020 do not know."""
    scripts = [served[str(path.relative_to(tv.STATIC))].read_text() for path in tv.reachable()]
    sheets = [served[str(path.relative_to(tv.STATIC))].read_text() for path in tv.styles()]

    for text in scripts:
        esprima.parseModule(text)
    newer = [name for name, pattern in tv.NEWER_SCRIPT.items() for text in scripts if re.search(pattern, plain(text))]
    newer += [name for name, pattern in tv.NEWER_STYLE.items() for text in sheets if re.search(pattern, plain(text))]
    assert newer == []


def plain(text: str) -> str:
    """The text without what stands in quotes."""
    return re.sub(r"""(["'`])(?:\\.|(?!\1).)*\1""", '""', text)


def test_scripts_are_served_without_comments_and_lead_to_each_other(served: dict[str, Path]) -> None:
    text = served["js/pages/board.js"].read_text()

    assert "/*" not in text
    assert size(served, on_every_tv()) > 20_000


def test_every_kind_of_card_has_a_template_with_its_script(settings: Any) -> None:
    assert {script_of(kind) for kind in (*kinds.KINDS, "automatic")} == tv.scripts_of_cards()
