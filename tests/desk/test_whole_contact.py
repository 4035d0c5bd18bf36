"""What the card remembers: the whole contact over all numbers, and where a call was passed on from."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.test import Client

from accounts.models import Person
from tests.desk.conftest import HANNA, Company
from tests.desk.test_desk_views import PAGE, post
from wallboard.calls.models import Leg
from wallboard.contacts import address_book
from wallboard.contacts.address_book import ContactInput
from wallboard.desk import notes
from wallboard.desk.card.card import card

SignIn = Callable[[Person], Client]
MOBILE = "+491711234567"


def shown(company: Company, leg: Leg) -> dict[str, Any]:
    return card(company.viewer(company.mia), company.domain, leg)


def test_all_numbers_of_a_contact_are_one_history(company: Company) -> None:
    address_book.save(company.domain, ContactInput("Hanna Brandt", numbers=(HANNA, MOBILE)))
    theirs = company.leg("101", minutes_ago=3, talked=60, caller_e164=MOBILE, from_number=MOBILE)
    notes.save(company.ana, theirs, "rings from the car", 1)

    told = shown(company, company.leg())

    assert told["sentences"][0] == "Second call today."
    assert [(line["number"], line["who"]) for line in told["earlier"]] == [("0171 1234567", "Ana")]
    assert told["earlier"][0]["notes"][0]["text"] == "rings from the car"
    assert told["place"] == "Berlin"


def test_without_a_contact_only_the_number_itself_counts(company: Company) -> None:
    company.leg("101", minutes_ago=3, talked=60, caller_e164=MOBILE)

    assert shown(company, company.leg())["earlier"] == []


def test_of_several_contacts_the_chosen_ones_history_is_shown_at_once(company: Company, signed_in: SignIn) -> None:
    ben = address_book.save(company.domain, ContactInput("Ben", numbers=(HANNA, MOBILE)))
    address_book.save(company.domain, ContactInput("Ada", numbers=(HANNA,)))
    company.leg("101", minutes_ago=3, talked=60, caller_e164=MOBILE)
    leg, mia = company.leg(), signed_in(company.mia)

    before = post(mia, "pop", {"leg": leg.pk, "page": PAGE}).json()["card"]
    after = post(mia, "pop", {"leg": leg.pk, "page": PAGE, "contact": ben.pk}).json()["card"]

    assert (before["earlier"], len(after["earlier"])) == ([], 1)
    assert (after["name"], after["note"]["contact"]) == ("Ben", ben.pk)


def test_a_transfer_keeps_its_history_and_says_who_passed_it_on(company: Company) -> None:
    company.leg("800", call="transfer", minutes_ago=6, queue="800", talked=60)
    hers = company.leg("101", call="transfer", minutes_ago=5, talked=190)
    notes.save(company.ana, hers, "wants a refund", 1)

    told = shown(company, company.leg(call="transfer", by_call_id=hers.to_call_id))

    assert told["sentences"][:2] == ["Transferred by Ana after 3:10.", "Ana noted: “wants a refund”."]
    assert told["queue"] == "Support"


def test_a_transfer_as_a_call_of_its_own_still_names_the_caller(company: Company) -> None:
    hers = company.leg("101", call="first", minutes_ago=5)
    company.answer(hers, hers.first_seen_at + timedelta(seconds=10))
    company.leg("101", call="last week", minutes_ago=9000, talked=60)
    ours: dict[str, Any] = {
        "from_user": "101",
        "from_number": "101",
        "from_name": "",
        "caller_e164": "",
        "on_net": True,
    }

    for link in (hers.to_call_id, hers.from_call_id):
        told = shown(company, company.leg(call=f"second {link}", by_call_id=link, **ours))
        if link == hers.to_call_id:
            assert told["sentences"][0] == "Transferred by Ana after 4:50: Hanna Brandt, 030 901820."
        assert "Transferred by Ana" in told["sentences"][0]
        assert told["name"] == "Ana"
        assert len(told["earlier"]) == 1


def test_a_transfer_is_traced_between_legs_without_a_callers_id(company: Company) -> None:
    hers = company.leg("101", from_call_id="", minutes_ago=5, talked=190)

    told = shown(company, company.leg(from_call_id="", by_call_id=hers.to_call_id))

    assert told["sentences"][0] == "Transferred by Ana after 3:10."


def test_a_call_that_a_colleague_did_not_answer_says_so(company: Company) -> None:
    hers = company.leg("101", call="forward", minutes_ago=1, rang=20)

    assert shown(company, company.leg(call="forward", by_call_id=hers.to_call_id))["sentences"][0] == (
        "Ana did not answer; passed on to you."
    )


def test_a_link_to_nothing_or_to_another_company_says_nothing(company: Company, neighbours: Company) -> None:
    theirs = neighbours.leg("101", call="theirs", minutes_ago=5, talked=60, to_call_id="their end")

    for link in ("nowhere", theirs.to_call_id):
        told = shown(company, company.leg(call=f"call {link}", by_call_id=f"{link}"))
        assert not any("Transferred" in line or "passed on" in line for line in told["sentences"])


def test_a_name_that_would_turn_the_writing_round_is_plain(company: Company) -> None:
    assert shown(company, company.leg(from_name="Hanna\u202etxt.exe\u0007 \U0001f469\u200d\U0001f4bb"))["name"] == (
        "Hanna txt.exe \U0001f469\u200d\U0001f4bb"
    )
