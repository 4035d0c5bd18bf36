"""Calls that a person made: the card of them, what is noted about them, and whose they are."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Person
from tests.desk.conftest import HANNA, Company
from wallboard.calls.models import Leg
from wallboard.contacts import address_book
from wallboard.contacts.address_book import ContactInput
from wallboard.contacts.models import Contact
from wallboard.desk.models import Note, Rule
from wallboard.desk.permissions import REACHABLE

SignIn = Callable[[Person], Client]
PAGE = "page-0000001"
OUT: dict[str, Any] = {
    "from_user": "102", "from_number": "102", "from_name": "Mia", "to_number": HANNA, "to_name": "",
    "caller_e164": HANNA,
}  # fmt: skip


def dialled(company: Company, **more: Any) -> Leg:
    return company.leg("", **{"minutes_ago": 10, "talked": 70, **OUT, **more})


def post(client: Client, name: str, body: Any) -> Any:
    return client.post(f"/desk/{name}/", json.dumps(body), content_type="application/json")


def popped(client: Client, leg: Leg) -> Any:
    return post(client, "pop", {"leg": leg.pk, "page": PAGE, "take": True}).json()["card"]


def test_a_voicemail_is_not_reached(company: Company, signed_in: SignIn) -> None:
    leg = dialled(company, is_human=False)
    mia = signed_in(company.mia)

    [row] = mia.get("/desk/day/").json()["calls"]
    assert (row["outcome"], row["talked"]) == ("no_answer", "")
    assert popped(mia, leg)["outcome"] == "no_answer"


def test_calling_ones_own_voicemail_is_no_call_of_the_day(company: Company, signed_in: SignIn) -> None:
    dialled(company, to_user="102", to_number="102", caller_e164="", on_net=True, is_human=False)
    mia = signed_in(company.mia)

    assert mia.get("/desk/day/").json()["calls"] == []
    assert mia.get("/desk/").status_code == 200


def test_a_call_that_ones_phone_sent_on_is_no_call_of_the_day(company: Company, signed_in: SignIn) -> None:
    dialled(company, from_number=HANNA, to_user="101", to_number="101")

    day = signed_in(company.mia).get("/desk/day/").json()

    assert (day["calls"], day["dialled"]) == ([], [])


def test_the_card_is_of_whoever_was_called(company: Company, signed_in: SignIn) -> None:
    address_book.save(company.domain, ContactInput("Hanna Koch", numbers=(HANNA,)))

    card = popped(signed_in(company.mia), dialled(company))

    assert (card["name"], card["number"], card["dial"]) == ("Hanna Koch", "030 901820", HANNA)
    assert (card["is_outgoing"], card["state"], card["outcome"], card["sentences"]) == (True, "ended", "reached", [])
    assert [each["name"] for each in card["contacts"]] == ["Hanna Koch"]
    assert not card["can_ignore"]


def test_a_call_that_nobody_took_says_so(company: Company, signed_in: SignIn) -> None:
    card = popped(signed_in(company.mia), dialled(company, talked=None, rang=20))

    assert (card["name"], card["outcome"]) == ("030 901820", "no_answer")


def test_a_colleague_who_was_called_has_their_name(company: Company, signed_in: SignIn) -> None:
    internal = {"to_user": "101", "to_number": "101", "caller_e164": "", "on_net": True, "talked": None}

    card = popped(signed_in(company.mia), dialled(company, **internal))

    assert (card["name"], card["dial"], card["can_save"]) == ("Ana", "101", False)
    assert (card["state"], card["outcome"]) == ("ringing", "")


def test_what_was_said_on_a_call_back_is_kept_and_remembered(company: Company, signed_in: SignIn) -> None:
    mia, leg = signed_in(company.mia), dialled(company)

    kept = post(mia, "note", {"leg": leg.pk, "text": "Wants a new offer", "stamp": 5}).json()

    assert (kept["text"], kept["is_yours"]) == ("Wants a new offer", True)
    assert Note.objects.get().number_e164 == HANNA
    [earlier] = popped(mia, company.leg())["earlier"]
    assert [note["text"] for note in earlier["notes"]] == ["Wants a new offer"]


def test_whoever_was_called_can_become_a_contact(company: Company, signed_in: SignIn) -> None:
    leg = dialled(company)

    post(signed_in(company.mia), "contact", {"leg": leg.pk, "name": "Hanna"})

    assert list(Contact.objects.values_list("name", "numbers__number")) == [("Hanna", HANNA)]


@pytest.mark.parametrize("name", ["pop", "note"])
def test_calls_that_others_made_do_not_exist(
    name: str, company: Company, neighbours: Company, signed_in: SignIn
) -> None:
    mia = signed_in(company.mia)
    legs = {
        "own": dialled(company),
        "a colleague's": dialled(company, from_user="101"),
        "another company's": dialled(neighbours),
        "a stranger's, sent on": dialled(company, from_number=HANNA, to_user="101", to_number="101"),
        "into a queue": dialled(company, to_user="800", queue="800"),
        "long over": dialled(company, minutes_ago=(REACHABLE + timedelta(hours=1)).total_seconds() / 60),
    }
    bodies: dict[str, dict[str, Any]] = {"pop": {"page": PAGE}, "note": {"text": "x", "stamp": 1}}

    statuses = {whose: post(mia, name, bodies[name] | {"leg": leg.pk}).status_code for whose, leg in legs.items()}

    assert statuses == {whose: 200 if whose == "own" else 404 for whose in legs}


@pytest.mark.parametrize(
    ("rule", "to_user", "has_card"),
    [
        ({}, "", True),
        ({"pop": "answer"}, "", True),
        ({"ignored": [HANNA]}, "", True),
        ({"shows_internal": False}, "", True),
        ({"shows_internal": False}, "101", False),
        ({"pop": "never"}, "", False),
        ({"is_quiet": True}, "", False),
    ],
    ids=["no rule", "on answer", "ignored as a caller", "no colleagues", "a colleague", "never", "quiet"],
)
def test_the_card_of_a_call_one_makes_comes_by_itself_unless_no_card_is_wanted(
    rule: dict[str, Any], to_user: str, has_card: bool, company: Company, signed_in: SignIn
) -> None:
    Rule.objects.create(person=company.mia, **rule)
    internal = {"to_user": "101", "to_number": "101", "caller_e164": "", "on_net": True}
    body = {"leg": dialled(company, talked=None, **(internal if to_user else {})).pk, "page": PAGE}
    mia = signed_in(company.mia)

    by_itself, by_hand = post(mia, "pop", body).json(), post(mia, "pop", body | {"take": True}).json()

    assert ("card" in by_itself, "card" in by_hand) == (has_card, True)


def test_the_day_tells_of_calls_one_makes_whatever_is_looked_for(company: Company, signed_in: SignIn) -> None:
    leg = dialled(company, talked=None, minutes_ago=0)

    day = signed_in(company.mia).get("/desk/day/?q=nobody").json()

    assert (day["calls"], [call["leg"] for call in day["dialled"]]) == ([], [leg.pk])
