"""Where cards may stand, and how two people's changes go together: the editor's arithmetic, run in the browser."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, Route

Card = dict[str, Any]


def answer_with_modules(route: Route) -> None:
    """Our static files, and an empty page for any other address."""
    path = route.request.url.removeprefix("http://testserver/")
    found = finders.find(path.removeprefix("static/")) if path.startswith("static/") else None
    if isinstance(found, str):
        route.fulfill(path=found, content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html>", content_type="text/html")


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Page]:
    """A blank page that can import our modules."""
    page = browser.new_page()
    page.route("**/*", answer_with_modules)
    page.goto("http://testserver/")
    yield page
    page.close()


def run(page: Page, module: str, call: str, *arguments: Any) -> Any:
    """Call a function of a module of the editor; cards need 2 by 1 cells at least."""
    code = f"""async (given) => {{
      const leastOf = () => ({{ w: 2, h: 1 }});
      const {{ {call.split("(")[0]} }} = await import("/static/js/editor/{module}.js");
      return JSON.stringify({call});
    }}"""
    return json.loads(page.evaluate(code, list(arguments)))


def card(name: str, x: int, y: int, w: int = 4, h: int = 4, **more: Any) -> Card:
    return {"id": name, "x": x, "y": y, "w": w, "h": h, **more}


def placed(cards: list[Card]) -> dict[str, tuple[int, ...]]:
    return {each["id"]: tuple(each[key] for key in "xywh") for each in cards}


ROW = [card("a", 0, 0), card("b", 4, 0), card("c", 8, 0)]


def test_a_card_makes_others_go_to_the_nearest_free_place(modules: Page) -> None:
    found = run(modules, "placement", "put(given[0], given[1], 8, leastOf)", card("a", 2, 0), ROW)

    assert placed(found["cards"]) == {"a": (2, 0, 4, 4), "b": (4, 4, 4, 4), "c": (8, 0, 4, 4)}
    assert found["moved"] == ["b"]


def test_a_growing_card_takes_a_strip_of_its_neighbour(modules: Page) -> None:
    wanted = card("a", 0, 0, 6)
    found = run(modules, "placement", "put(given[0], given[1], 4, leastOf, { shrinks: true })", wanted, ROW)

    assert placed(found["cards"]) == {"a": (0, 0, 6, 4), "b": (6, 0, 2, 4), "c": (8, 0, 4, 4)}


@pytest.mark.parametrize("wanted", [card("a", 1, 0), card("a", 9, 0), card("a", 0, 1), card("a", 0, 0, 9)])
def test_where_there_is_no_room_nothing_is_changed(modules: Page, wanted: Card) -> None:
    assert run(modules, "placement", "put(given[0], given[1], 4, leastOf)", wanted, ROW) is None


def test_a_step_in_a_full_row_changes_places_with_the_neighbour(modules: Page) -> None:
    found = run(modules, "placement", "step(given[0][0], 1, 0, given[0], 4, leastOf)", ROW)

    assert placed(found["cards"]) == {"a": (4, 0, 4, 4), "b": (0, 0, 4, 4), "c": (8, 0, 4, 4)}


def test_a_new_card_gets_the_first_free_place_and_rather_less_room_than_none(modules: Page) -> None:
    call = "firstPlace(given[0], given[1], 6, { w: 2, h: 1 })"

    assert placed([run(modules, "placement", call, card("n", 0, 0, 4, 2), ROW)]) == {"n": (0, 4, 4, 2)}
    assert placed([run(modules, "placement", call, card("n", 0, 0, 4, 3), ROW)]) == {"n": (0, 4, 4, 2)}


def board(cards: list[Card] | None = None, rows: int = 12, **more: Any) -> dict[str, Any]:
    layout = {"rows": rows, "cards": ROW if cards is None else cards}
    return {"name": "North", "theme": "dark", "notice": "", "layout": layout, **more}


def merged(page: Page, base: Any, theirs: Any, mine: Any, **choices: str) -> Any:
    return run(
        page,
        "merge",
        "merge(given[0], given[1], given[2], { choices: given[3], leastOf })",
        base,
        theirs,
        mine,
        choices,
    )


def changed(name: str, **to: Any) -> list[Card]:
    return [{**each, **to} if each["id"] == name else each for each in ROW]


def test_different_cards_and_settings_go_together(modules: Page) -> None:
    theirs = board(changed("a", y=4), notice="Drill")
    mine = board(changed("b", title="Sales"), name="South")

    found = merged(modules, board(), theirs, mine)

    cards = {each["id"]: each for each in found["content"]["layout"]["cards"]}
    assert (found["content"]["name"], found["content"]["notice"]) == ("South", "Drill")
    assert (cards["a"]["y"], cards["b"]["title"]) == (4, "Sales")
    assert [each["what"] for each in found["changes"]] == ["settings", "moved"]
    assert found["conflicts"] == []


@pytest.mark.parametrize(
    ("theirs", "mine", "what"),
    [
        (changed("a", title="T"), changed("a", y=4), "card a"),
        (ROW[1:], changed("a", title="M"), "card a"),
        (changed("a", title="T"), ROW[1:], "card a"),
    ],
)
def test_what_both_changed_is_asked_and_the_answer_holds(
    modules: Page, theirs: list[Card], mine: list[Card], what: str
) -> None:
    found = merged(modules, board(), board(theirs), board(mine))
    sides = {"mine": mine, "theirs": theirs}

    assert [each["key"] for each in found["conflicts"]] == [what]
    for choice, wanted in sides.items():
        kept = merged(modules, board(), board(theirs), board(mine), **{what: choice})["content"]["layout"]["cards"]
        assert sorted(kept, key=lambda each: str(each["id"])) == wanted


def test_the_same_change_on_both_sides_is_no_conflict(modules: Page) -> None:
    both = board(changed("a", title="Same"), name="Same")

    found = merged(modules, board(), both, both)

    assert (found["content"], found["changes"], found["conflicts"]) == (both, [], [])


@pytest.mark.parametrize("field", ["name", "theme", "notice"])
def test_a_setting_that_both_changed_is_asked(modules: Page, field: str) -> None:
    theirs, mine = {**board(), field: "light"}, {**board(), field: "system"}

    assert merged(modules, board(), theirs, mine)["conflicts"] == [
        {"key": field, "kind": "field", "field": field, "theirs": "light", "mine": "system"}
    ]
    assert merged(modules, board(), theirs, mine, **{field: "theirs"})["content"][field] == "light"


def test_cards_that_meet_after_merging_make_room_and_none_is_lost(modules: Page) -> None:
    theirs, mine = board([*ROW, card("t", 0, 4)]), board([*ROW, card("m", 1, 4)])

    found = merged(modules, board(), theirs, mine)

    assert placed(found["content"]["layout"]["cards"])["t"] == (0, 4, 4, 4)
    assert placed(found["content"]["layout"]["cards"])["m"] == (1, 8, 4, 4)
    assert [(each["what"], each["card"]["id"]) for each in found["changes"]] == [("added", "t"), ("made_room", "m")]


def test_a_full_board_gets_rows_for_what_two_added(modules: Page) -> None:
    theirs, mine = board([*ROW, card("t", 0, 4, 12, 2)], 6), board([*ROW, card("m", 0, 4, 12, 2)], 6)

    found = merged(modules, board(rows=6), theirs, mine)["content"]["layout"]

    assert found["rows"] == 8
    assert placed(found["cards"])["m"] == (0, 6, 12, 2)


def test_a_board_that_one_arranged_and_the_other_changed_is_asked(modules: Page) -> None:
    automatic = board(layout={"sections": ["queues", "people"], "queues": None})
    fewer = board(layout={"sections": ["queues"], "queues": None})

    found = merged(modules, automatic, board(), fewer)

    assert [each["kind"] for each in found["conflicts"]] == ["layout"]
    assert merged(modules, automatic, board(), automatic)["content"]["layout"] == board()["layout"]
    assert merged(modules, automatic, automatic, board())["content"]["layout"] == board()["layout"]
