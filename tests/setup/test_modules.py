"""Pages name all modules that their scripts import, so that a browser far away fetches them in one go."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template import engines
from playwright.sync_api import Browser, Route

from wallboard.setup.templatetags import modules

ORIGIN = "http://testserver"
TEMPLATES = [path.read_text() for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html")]
TEMPLATES_OF_BOARD = (Path(settings.BASE_DIR) / "templates/boards/board.html").read_text()
SCRIPTS = sorted({name for text in TEMPLATES for name in re.findall(r'{% module "([^"]+)" %}', text)})


def served(route: Route, page: str) -> None:
    name = route.request.url.removeprefix(f"{ORIGIN}/")
    if name.endswith(".js"):
        found: Any = finders.find(name.removeprefix("static/"))
        route.fulfill(path=found, content_type="text/javascript")
    else:
        route.fulfill(body=page, content_type="text/html")


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_a_browser_fetches_for_a_script_is_named_beside_it(browser: Browser, name: str) -> None:
    fetched: set[str] = set()
    page = browser.new_page()
    page.on("request", lambda request: fetched.add(request.url.removeprefix(f"{ORIGIN}/static/")))
    page.route("**/*", lambda route: served(route, f'<script type="module" src="/static/{name}"></script>'))
    page.goto(f"{ORIGIN}/")
    page.close()

    assert len(SCRIPTS) >= 8
    assert {each for each in fetched if each.endswith(".js")} == {name, *modules.imported(name)}


def test_they_stand_before_the_script_by_their_served_names() -> None:
    written = engines["django"].from_string('{% load modules %}{% module "js/pages/boards.js" %}').render()

    names = re.findall(r'(?:href|src)="/static/(js/\w+/[a-z-]+)[^"]*\.js"', written)
    assert [f"{each}.js" for each in names] == [*modules.imported("js/pages/boards.js"), "js/pages/boards.js"]
    assert written.index("modulepreload") < written.index("<script")


@pytest.mark.parametrize(
    ("layout", "own"),
    [
        ({"sections": ["totals", "queues", "people", "calls"]}, "automatic calls people tiles totals"),
        ({"sections": ["people"]}, "automatic people"),
        ({"rows": 1, "cards": [{"kind": "table"}, {"kind": "clock"}, {"kind": "queue"}]}, "figure-card table tiles"),
    ],
)
def test_a_board_names_the_scripts_of_its_cards_and_no_others(layout: dict[str, Any], own: str) -> None:
    kinds = ("automatic", "calls", "figure-card", "line-cards", "people", "table", "tiles", "totals")
    cards = {f"js/views/{each}.js" for each in kinds}

    found = modules.of_cards(layout)

    # What a card imports comes along; the automatic layout imports totals and calls to know their sizes.
    imported = {each for script in own.split() for each in modules.imported(f"js/views/{script}.js")}
    assert cards.intersection(found) - imported <= {f"js/views/{each}.js" for each in own.split()} <= set(found)
    assert not {modules.PAGE, *modules.imported(modules.PAGE)}.intersection(found)
    for name in found:
        assert finders.find(name), name


def test_a_page_names_them_with_its_own_scripts() -> None:
    page = {"board": {"layout": {"rows": 1, "cards": [{"kind": "table"}]}}}
    written = (
        engines["django"].from_string("{% load modules %}{% card_modules page.board.layout %}").render({"page": page})
    )

    assert re.search(r'<link rel="modulepreload" href="/static/js/views/table[^"]*\.js">', written)
    assert "{% card_modules page.board.layout %}" in TEMPLATES_OF_BOARD
