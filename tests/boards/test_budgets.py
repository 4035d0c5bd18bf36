"""What a TV's page loads stays small, as it is served: 68 KB of scripts and 46 KB of style sheets, not compressed."""

import json
import re
from pathlib import Path

import esprima
import pytest
from django.core.management import call_command

from tests import test_tv_scripts as tv
from wallboard.boards.cards import kinds

MOST_SCRIPT, MOST_STYLE = 70_000, 46_000


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


def test_the_one_script_of_a_tv_is_small(served: dict[str, Path]) -> None:
    assert 20_000 < served["js/pages/tv.js"].stat().st_size < MOST_SCRIPT


def test_pages_ask_for_one_script_each(served: dict[str, Path]) -> None:
    texts = {name: path.read_text() for name, path in served.items() if name.startswith("js/")}

    assert [name for name in texts if not name.startswith("js/pages/")] == []
    assert [name for name, text in texts.items() if re.search(r"(^|;)(import|export)\b", text)] == []


def test_the_styles_of_a_tv_are_small(served: dict[str, Path]) -> None:
    assert sum(served[name].stat().st_size for name in tv.SHEETS) < MOST_STYLE


def test_the_one_sheet_of_a_tv_holds_those_of_a_board_in_their_order(served: dict[str, Path]) -> None:
    names = re.findall(r'@import "([^"]+)";', (tv.STATIC / "css/tv.css").read_text())
    text = served["css/tv.css"].read_text()

    of_board = re.findall(r"css/(parts/[\w-]+\.css)", (tv.TEMPLATES / "boards/_card_styles.html").read_text())
    assert names == ["base.css", *of_board, "parts/alert-bar.css", "parts/alert-line.css", "parts/tv-wait.css"]
    assert text == "".join(served[f"css/{name}"].read_text() for name in names)
    fonts = re.findall(r"url\(([^)]*)\)", text)
    assert fonts
    assert not [font for font in fonts if not (served["css/tv.css"].parent / font.strip("\"'")).exists()]


def test_what_is_served_is_as_old_as_what_was_written(served: dict[str, Path]) -> None:
    """Making files small may shorten names, but bring in nothing that TVs of 2020 do not know."""
    scripts = [served[name].read_text() for name in tv.ENTRIES]
    sheets = [served[str(path.relative_to(tv.STATIC))].read_text() for path in tv.styles()]

    for text in scripts:
        esprima.parseModule(text)
    newer = [name for name, pattern in tv.NEWER_SCRIPT.items() for text in scripts if re.search(pattern, plain(text))]
    newer += [name for name, pattern in tv.NEWER_STYLE.items() for text in sheets if re.search(pattern, plain(text))]
    assert newer == []


def plain(text: str) -> str:
    """The text without what stands in quotes."""
    return re.sub(r"""(["'`])(?:\\.|(?!\1).)*\1""", '""', text)


def test_scripts_are_served_without_comments(served: dict[str, Path]) -> None:
    assert "/*" not in served["js/pages/tv.js"].read_text()


def test_every_kind_of_card_has_a_template_and_a_script() -> None:
    text = (tv.TEMPLATES / "boards/_card_templates.html").read_text()
    scripts = [path.read_text() for path in tv.reachable() if path.parent.name == "views"]
    drawn = {name for text in scripts for name in re.findall(r"^KINDS\.(\w+) = ", text, re.MULTILINE)}
    made = {name for names in re.findall(r'data-kinds="([^"]+)"', text) for name in names.split()}

    assert drawn - {"automatic"} == made == set(kinds.KINDS)
