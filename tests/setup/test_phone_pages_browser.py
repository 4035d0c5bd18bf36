"""Pages on a phone, in the languages with the longest words: nothing is squeezed, cut or laid on something else."""

from itertools import pairwise
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import Domain, User
from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show, SignIn
from tests.boards.test_board_alerts import raised
from wallboard.calls.models import Leg

LANGUAGES = [code for code, _name in settings.LANGUAGES]
ARROW = 20  # px, of a select
CUT_CHOICES = """(arrow) => [...document.querySelectorAll("#kinds select")].filter((node) => {
  const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(node);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const longest = Math.max(...[...node.options].map(({ text }) => pen.measureText(text).width));
  return longest + arrow > node.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}).map((node) => node.outerHTML.slice(0, 80))"""
LINES = """(node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""
SIDEWAYS = "(all) => all.map((node) => node.scrollWidth - node.clientWidth)"
NUMBER = "+442079460011"


def opened(show: Show, sign_in: SignIn, path: str, language: str, width: int = 390) -> BoardPage:
    """That page as an administrator who reads this language sees it on a phone."""
    client = sign_in("administrator")
    User.objects.update(language=language)
    return show(width, 844, path=path, client=client)


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    assert found is not None
    return {side: found[side] for side in ("x", "y", "width", "height")}


def test_an_open_alert_has_its_button_below_its_words(show: Show, sign_in: SignIn) -> None:
    shown = opened(show, sign_in, "/alerts/", "de")
    raised(shown, "501", kind="nobody")
    words, act, whole = (box(shown.page, each) for each in (".alert-words", ".alert-act", ".alert"))

    assert words["width"] > 0.85 * whole["width"]
    assert act["y"] >= words["y"] + words["height"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_choice_of_the_alerts_is_cut_by_the_arrow(show: Show, sign_in: SignIn, language: str) -> None:
    page = opened(show, sign_in, "/alerts/", language).page

    assert page.locator("#kinds select").count() > 5
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(CUT_CHOICES, ARROW) == []


def logged(domain: Domain) -> None:
    """A queue's call that somebody with a long name answered, and one that went out to a number."""
    now = timezone.now()
    sides = {"from_name": "Zeller Transport", "from_number": NUMBER, "caller_e164": NUMBER, "to_user": "200"}
    times = {"first_seen_at": now, "ringing_at": now, "active_at": now, "ended_at": now, "heard_at": now}
    known: dict[str, Any] = {"domain": domain, "from_state": "ended", "to_state": "ended", "on_net": False, **times}
    Leg.objects.create(from_call_id="a", to_call_id="b", is_answered=True, version=1, **sides, **known)
    out = {"from_user": "200", "from_name": "Alexandra Schönfelder", "to_number": NUMBER}
    Leg.objects.create(from_call_id="c", to_call_id="d", version=2, **out, **known)


@pytest.mark.parametrize("width", [390, 768, 1000, 1001])
def test_numbers_of_the_log_are_in_one_line_and_no_table_is_pushed_sideways(
    show: Show, sign_in: SignIn, domain: Domain, width: int
) -> None:
    logged(domain)
    page = opened(show, sign_in, "/calls/", "de", width).page
    numbers = page.locator(".log-number")

    assert numbers.count() >= 2
    assert {numbers.nth(place).evaluate(LINES) for place in range(numbers.count())} == {1}
    assert set(page.locator(".table-wrap").evaluate_all(SIDEWAYS)) == {0}


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("name", ["", "Zeller Transport"])
def test_a_number_of_the_live_list_goes_to_the_next_line_as_a_whole(
    show: Show, sign_in: SignIn, name: str, width: int
) -> None:
    shown = opened(show, sign_in, "/calls/", "de", width)
    calls = fake_feeds.calls(6, masked=False)
    for call in calls.values():
        if "from" in call:
            stranger = {"extension": "", "name": name, "number": "+49 30 123456789012"}
            call["to" if call["direction"] == "out" else "from"] = stranger
    shown.snapshot("calls", calls)
    shown.settle()
    rows = shown.page.locator(".log-live .call")

    assert rows.count() == 6
    for row in rows.all():
        number = row.locator(".call-number" if name else ".call-far")
        assert number.inner_text() == "+49 30 123456789012"
        assert number.evaluate(LINES) == 1


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("name", ["", "Zeller Transport"])
def test_a_number_in_the_list_of_people_goes_to_the_next_line_as_a_whole(
    show: Show, sign_in: SignIn, name: str, width: int
) -> None:
    shown = opened(show, sign_in, "/people/", "de", width)
    call = fake_feeds.calls(2, masked=False)["901"]
    person = {**fake_feeds.people(2)["102"], "with": "", "state": "talking"}
    shown.snapshot("people", {"events": fake_feeds.events(), "102": person})
    stranger = {"extension": "", "name": name, "number": "+49 30 123456789012"}
    shown.snapshot("calls", {"events": fake_feeds.events(), "901": call | {"from": stranger}})
    shown.settle()
    number = shown.page.locator(".member-number" if name else ".member-with")

    written = "+49 30 123456789012"
    assert number.inner_text() == (written if name else f"mit \u2066{written}\u2069")
    assert number.evaluate(LINES) == 1


CHOICES = """(labels) => labels.map((label) => {
  const box = label.querySelector("input").getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(label);
  const lines = [...range.getClientRects()].filter(({ height, left }) => height && left >= box.right);
  const [top, bottom] = [Math.min(...lines.map((line) => line.top)), Math.max(...lines.map((line) => line.bottom))];
  const first = lines.find((line) => line.top === top);
  return { off: Math.abs((box.top + box.bottom - first.top - first.bottom) / 2), top, bottom };
})"""


@pytest.mark.parametrize("path", ["/setup/api/", "/setup/webhooks/"])
def test_a_box_is_beside_the_first_line_of_its_words_and_choices_are_apart(
    show: Show, sign_in: SignIn, path: str
) -> None:
    page = opened(show, sign_in, path, "de").page
    choices = page.locator(".accounts-choices").first.locator(".accounts-choice").evaluate_all(CHOICES)

    assert len(choices) > 5
    assert max(choice["off"] for choice in choices) <= 2
    assert min(below["top"] - above["bottom"] for above, below in pairwise(choices)) >= 12
