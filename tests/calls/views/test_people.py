"""The page of all people in a real browser: found by letters and state, starred, said, and usable with thousands."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.models import Domain, Person
from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show, SignIn
from wallboard.boards.models import Board
from wallboard.calls.models import Favourite, Presence

MANY = 5000


@pytest.fixture
def domain(domain: Domain) -> Domain:
    Person.objects.create(domain=domain, extension="104", name="Deniz")
    return domain


def shown(show: Show, count: int = 48, **more: Any) -> BoardPage:
    page = show(path="/people/", **more)
    page.snapshot("people", fake_feeds.people(count))
    page.settle()
    return page


def names(people: BoardPage) -> list[str]:
    return people.page.locator(".member-name").all_inner_texts()


def test_people_are_found_by_letters_extension_and_state(show: Show) -> None:
    people = shown(show)
    assert len(names(people)) == 48
    assert names(people)[:3] == ["Ana", "Ana 2", "Ben"]

    people.page.get_by_label("Name or extension").fill("DE 2")
    assert names(people) == ["Deniz 2"]
    people.page.get_by_label("Name or extension").fill("12")
    assert set(people.page.locator(".member").evaluate_all("rows => rows.map((row) => row.dataset.key)")) == {
        *("112", *(str(number) for number in range(120, 130)))
    }
    people.page.get_by_label("Name or extension").fill("")
    people.page.get_by_label(re.compile("^Ringing")).check()
    assert set(people.page.locator(".member").evaluate_all("rows => rows.map((row) => row.dataset.state)")) == {
        "ringing"
    }
    people.page.get_by_label(re.compile("^All")).check()
    expect(people.page.locator(".member")).to_have_count(48)


def test_a_row_says_what_since_when_with_whom_and_dials(show: Show) -> None:
    people = shown(show)
    people.news(
        "people",
        {"104": {**fake_feeds.people(4)["104"], "name": "Deniz Çelik", "with": "Support", "state": "talking"}},
    )
    people.settle()
    row = people.page.locator("[data-key='104']")

    expect(row.locator(".member-state")).to_have_text(re.compile(r"^talking \d+:\d\d since \d+:\d\d$"))
    expect(row.locator(".member-with")).to_have_text("with Support")
    assert row.get_by_role("link", name="Call Deniz Çelik, extension 104").get_attribute("href") == "tel:104"
    people.snapshot("calls", fake_feeds.calls(4, masked=False))
    people.news(
        "people", {"104": {**fake_feeds.people(4)["104"], "name": "Deniz Çelik", "with": "", "state": "talking"}}
    )
    expect(row.locator(".member-with")).to_have_text("with \u2066030 9018 103\u2069")
    people.page.get_by_label("Name or extension").fill("celik")
    assert names(people) == ["Deniz Çelik"]


def test_what_people_say_stands_beside_the_state_and_ends_by_itself(show: Show) -> None:
    people = shown(show)
    ana = {
        **fake_feeds.people(1)["101"],
        "status": {"kind": "lunch", "note": "canteen", "since": 1, "until": fake_feeds.now_ms() + 4000},
    }
    people.news("people", {"101": ana})
    row = people.page.locator("[data-key='101']")

    expect(row.locator(".member-status")).to_have_text(re.compile(r"status: lunch, back .* · canteen"))
    expect(row.locator(".member-word")).to_have_text("talking")
    expect(row.locator(".member-status")).to_have_text("", timeout=8000)


def test_without_call_events_nobody_is_shown_as_anything(show: Show) -> None:
    people = shown(show)
    people.news("people", {"events": fake_feeds.events("down")})

    expect(people.page.locator("#members-doubt")).to_contain_text("Call events do not arrive")
    assert set(people.page.locator(".member-word").all_inner_texts()) == {"?"}


def test_a_star_is_kept_and_puts_a_person_first(show: Show) -> None:
    people = shown(show)
    sent: list[Any] = []

    def keep(route: Any) -> None:
        sent.append(json.loads(route.request.post_data))
        route.fulfill(status=204)

    people.page.route("**/people/favourites/", keep)
    people.page.get_by_role("button", name="Deniz is a favourite").click()

    assert names(people)[0] == "Deniz"
    expect(people.page.get_by_role("button", name="Deniz is a favourite")).to_be_focused()
    expect(people.page.get_by_role("button", name="Deniz is a favourite")).to_have_attribute("aria-pressed", "true")
    assert sent == [{"extension": "104", "is_favourite": True}]


@pytest.mark.console_may_say("500")
def test_a_star_that_is_not_kept_goes_out_again(show: Show) -> None:
    people = shown(show)
    people.page.route("**/people/favourites/", lambda route: route.fulfill(status=500))

    people.page.get_by_role("button", name="Deniz is a favourite").click()

    expect(people.page.locator("#members-count")).to_have_text("The favourite could not be kept. Try again.")
    expect(people.page.get_by_role("button", name="Deniz is a favourite")).to_have_attribute("aria-pressed", "false")


def test_thousands_of_people_stay_usable(show: Show) -> None:
    people = shown(show, MANY)
    assert len(names(people)) == 100

    spent = people.page.evaluate(
        """() => { const find = document.getElementById("find"); const began = performance.now();
        find.value = "tara 199"; find.dispatchEvent(new Event("input")); return performance.now() - began; }"""
    )

    assert names(people) == ["Tara 79", "Tara 199"]  # the one by the extension, 1996
    assert spent < 150
    people.page.get_by_label("Name or extension").fill("")
    people.page.get_by_role("button", name="Show 100 more").click()
    expect(people.page.locator(".member")).to_have_count(200)


def test_ones_own_word_is_kept_with_its_end(sign_in: SignIn, board: Board) -> None:
    client = sign_in("agent")
    client.post("/people/status/", {"status": "lunch", "note": "canteen", "back": "30"})

    kept = Presence.objects.get(status="lunch")
    assert kept.status_until is not None
    assert kept.status_since is not None
    assert (kept.person.name, kept.status_note) == ("Agent", "canteen")
    assert round((kept.status_until - kept.status_since).total_seconds()) == 1800
    client.post("/people/status/", {"act": "clear"})
    assert not Presence.objects.exclude(status="").exists()


@pytest.mark.parametrize(
    ("posted", "sentence"),
    [
        ({"status": "lunch", "back": "at"}, "Write when you will be back, like 13:30."),
        ({"status": "lunch", "back": "at", "until": "soon"}, "Write the time like 13:30."),
        ({"status": "drunk"}, "Select a valid choice. drunk is not one of the available choices."),
    ],
)
def test_what_makes_no_sense_is_answered_with_a_sentence(sign_in: SignIn, posted: Any, sentence: str) -> None:
    answer = sign_in("agent").post("/people/status/", posted, follow=True)

    assert [str(message) for message in answer.context["messages"]] == [sentence]
    assert not Presence.objects.exclude(status="").exists()


def test_the_page_follows_the_calls_that_its_reader_may_see(sign_in: SignIn) -> None:
    asked = {role: sign_in(role).get("/people/").context["page"] for role in ("agent", "supervisor")}

    assert {role: (page["socket"], page["calls"]) for role, page in asked.items()} == {
        "agent": ("people=1", "wall"),
        "supervisor": ("people=1", "calls"),
    }


def test_favourites_are_kept_on_the_server(sign_in: SignIn, domain: Domain) -> None:
    client = sign_in("agent")

    def keep(extension: str, is_favourite: bool, by: Client = client) -> int:
        wish = {"extension": extension, "is_favourite": is_favourite}
        return by.post("/people/favourites/", wish, content_type="application/json").status_code

    assert [keep("104", True), keep("nobody", True), keep("10\x004", True)] == [204, 404, 204]
    assert client.get("/people/").context["page"]["favourites"] == ["104"]
    assert sign_in("supervisor").get("/people/").context["page"]["favourites"] == []
    assert keep("104", False) == 204
    assert not Favourite.objects.exists()
    assert client.post("/people/favourites/", "{", content_type="application/json").status_code == 400
