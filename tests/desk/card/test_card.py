"""What the card says, and that it says only what is known."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from accounts.limits import Limit
from accounts.models import Person
from tests.desk.conftest import HANNA, Company
from wallboard.calls.models import Leg, Record
from wallboard.desk import notes
from wallboard.desk.card.card import card
from wallboard.queues.models import Queue

THURSDAY_AT_NOON = datetime(2026, 11, 19, 11, 0, tzinfo=UTC)  # 12:00 in Berlin


@pytest.fixture(autouse=True)
def noon() -> Any:
    with time_machine.travel(THURSDAY_AT_NOON, tick=False):
        yield


def berlin(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, ZoneInfo('Europe/Berlin')):%a %H:%M}"


def shown(company: Company, leg: Leg, person: Person | None = None) -> dict[str, Any]:
    told = card(company.viewer(person or company.mia), company.domain, leg)
    return told | {
        "sentences": [re.sub(r"\{(\d{13})\}", lambda ms: berlin(int(ms[1]))[4:], line) for line in told["sentences"]]
    }


def test_a_card_knows_that_the_end_of_its_call_was_lost(company: Company) -> None:
    begun = timezone.now() - timedelta(hours=5)

    told = shown(company, company.leg(minutes_ago=300, talked=14_400, heard_at=begun))

    assert (told["state"], told["as_of"]) == ("ended", round(begun.timestamp() * 1000))
    assert shown(company, company.leg(minutes_ago=300, talked=70))["as_of"] is None


def test_a_stranger_rings(company: Company) -> None:
    leg = company.leg()

    told = shown(company, leg)

    assert (told["name"], told["number"], told["dial"]) == ("Hanna Brandt", "030 901820", HANNA)
    assert (told["state"], told["outcome"], told["queue"]) == ("ringing", "", "")
    assert told["sentences"] == ["First call from this number."]
    assert told["earlier"] == []
    assert told["note"] == {"text": "", "stamp": 0, "outcome": None, "contact": None}


@pytest.mark.parametrize("name", ["", "anonymous", "+49 30 901820", "030901820"])
def test_a_name_that_says_nothing_gives_way_to_the_number(company: Company, name: str) -> None:
    told = shown(company, company.leg(from_name=name))

    assert (told["name"], told["number"]) == ("030 901820", "")


def test_a_name_with_digits_stays_a_name(company: Company) -> None:
    assert shown(company, company.leg(from_name="Studio 54"))["name"] == "Studio 54"


@pytest.mark.parametrize("number", ["", "anonymous", "sip:anonymous@anonymous.invalid", "Restricted"])
def test_a_withheld_number_is_said_plainly(company: Company, number: str) -> None:
    company.leg(minutes_ago=60, talked=60, from_number=number, caller_e164="", from_name="")

    told = shown(company, company.leg(from_number=number, caller_e164="", from_name=""))

    assert (told["name"], told["number"], told["dial"]) == ("Number withheld", "", "")
    assert told["is_withheld"]
    assert (told["sentences"], told["earlier"]) == ([], [])


def test_a_colleague_is_named_as_we_name_them(company: Company) -> None:
    leg = company.leg(from_user="101", from_number="101", from_name="PBX USER 101", caller_e164="", on_net=True)

    told = shown(company, leg)

    assert (told["name"], told["number"], told["is_internal"]) == ("Ana", "101", True)


def test_what_a_colleague_would_say(company: Company) -> None:
    monday = company.leg("101", call="monday", minutes_ago=3 * 1440 + 149, talked=380)
    notes.save(company.ana, monday, "waiting for the replacement drill,\npromised by Friday.", 1)
    company.leg("800", call="yesterday", minutes_ago=1188, rang=48, queue="800")
    company.leg("102", call="yesterday", minutes_ago=1188, rang=40)

    told = shown(company, company.leg())

    assert told["sentences"] == [
        "Third call this week.",
        "Yesterday at 16:12 nobody answered.",
        "Last spoke with Ana on Monday: “waiting for the replacement drill, promised by Friday”.",
    ]
    assert [
        (berlin(line["at"]), line["who"], line["talked"], line["rang"], line["queue"]) for line in told["earlier"]
    ] == [
        ("Wed 16:12", "", "", "0:48", "Support"),
        ("Mon 09:31", "Ana", "6:20", "", ""),
    ]
    assert told["earlier"][1]["notes"] == [
        {"by": "Ana", "text": "waiting for the replacement drill,\npromised by Friday.", "outcome": ""}
    ]


def test_a_call_that_rang_ten_phones_is_one_call(company: Company) -> None:
    for extension in range(110, 120):
        company.leg(str(extension), call="ring all", minutes_ago=30, rang=20)
    company.leg("101", call="ring all", minutes_ago=30, talked=65)

    told = shown(company, company.leg())

    assert [(berlin(line["at"]), line["who"], line["talked"]) for line in told["earlier"]] == [
        ("Thu 11:30", "Ana", "1:05")
    ]
    assert told["sentences"] == ["Second call today.", "Last spoke with Ana today at 11:30."]


def test_hold_music_and_voicemail_are_nobody(company: Company) -> None:
    company.leg("800", call="queue", minutes_ago=30, talked=50, queue="800")
    company.leg("101", call="voicemail", minutes_ago=20, talked=20, is_human=False)

    told = shown(company, company.leg())

    assert [line["is_answered"] for line in told["earlier"]] == [False, False]
    assert told["sentences"] == ["Third call today.", "Today at 11:40 nobody answered."]


def test_we_called_them(company: Company) -> None:
    company.leg("", call="out", minutes_ago=90, rang=20, from_user="101", from_number="101", to_number=HANNA)

    told = shown(company, company.leg())

    assert told["sentences"] == ["Ana tried to reach them today at 10:30."]
    assert (told["earlier"][0]["is_outgoing"], told["earlier"][0]["who"]) == (True, "Ana")


def test_the_detail_record_knows_what_no_event_told(company: Company) -> None:
    leg = company.leg("101", minutes_ago=60, rang=200, is_answered=True, has_record=True)
    answered = leg.first_seen_at + timedelta(seconds=8)
    Record.objects.create(
        domain=company.domain, from_call_id=leg.from_call_id, to_call_id=leg.to_call_id, started_at=leg.first_seen_at,
        answered_at=answered, ended_at=answered + timedelta(seconds=90), received_at=timezone.now(),
    )  # fmt: skip

    assert shown(company, company.leg())["earlier"][0]["talked"] == "1:30"


def test_a_record_that_came_late_knows_when_the_talk_ended(company: Company) -> None:
    leg = company.leg("101", minutes_ago=60, talked=1800, has_record=True)
    Record.objects.create(
        domain=company.domain, from_call_id=leg.from_call_id, to_call_id=leg.to_call_id, started_at=leg.first_seen_at,
        answered_at=leg.first_seen_at, ended_at=leg.first_seen_at + timedelta(seconds=90), received_at=leg.heard_at,
    )  # fmt: skip

    assert shown(company, company.leg())["earlier"][0]["talked"] == "1:30"


def test_how_long_a_call_took_whose_end_was_never_told_is_not_known(company: Company) -> None:
    began = timezone.now() - timedelta(minutes=300)
    company.leg("101", minutes_ago=300, talked=14_400, heard_at=began)
    company.leg("101", minutes_ago=299, rang=14_400, heard_at=began)

    assert [(line["talked"], line["rang"]) for line in shown(company, company.leg())["earlier"]] == [("", "")] * 2


def test_another_company_with_the_same_number_stays_unknown(company: Company, neighbours: Company) -> None:
    theirs = neighbours.leg("101", call="same call", minutes_ago=60, talked=60)
    notes.save(neighbours.ana, theirs, "their secret", 1)

    told = shown(company, company.leg(call="same call"))

    assert (told["sentences"], told["earlier"]) == (["First call from this number."], [])


def test_through_which_queue(company: Company) -> None:
    company.leg("800", call="queue call", queue="800")

    assert shown(company, company.leg(call="queue call"))["queue"] == "Support"


def test_a_call_goes_from_ringing_over_talking_to_its_end(company: Company) -> None:
    leg = company.leg()
    assert shown(company, leg)["state"] == "ringing"

    company.answer(leg)
    assert shown(company, leg)["state"] == "talking"

    company.end(leg)
    told = shown(company, leg)
    assert (told["state"], told["outcome"]) == ("ended", "answered")


def test_nobody_answered_is_missed(company: Company) -> None:
    told = shown(company, company.leg(minutes_ago=1, rang=20))

    assert (told["state"], told["outcome"], told["by"]) == ("ended", "missed", "")


def test_a_colleague_answered_is_taken(company: Company) -> None:
    mine, hers = company.leg(call="ring all"), company.leg("101", call="ring all")
    company.answer(hers)
    company.end(mine)

    told = shown(company, mine)

    assert (told["outcome"], told["by"]) == ("taken", "Ana")


def test_who_passed_the_call_on_is_said(company: Company) -> None:
    hers = company.leg("101", call="transfer", minutes_ago=5, talked=190)
    notes.save(company.ana, hers, "wants a refund", 1)
    mine = company.leg(call="transfer")
    notes.save(company.mia, mine, "my own words", 1)

    told = shown(company, mine)

    assert told["sentences"][:2] == ["Ana spoke with them first, for 3:10.", "Ana noted: “wants a refund”."]
    assert "my own words" not in " ".join(told["sentences"])


def test_the_history_is_read_by_index_alone(company: Company, django_assert_max_num_queries: Any) -> None:
    for number in range(30):
        company.leg("101", minutes_ago=60 + number, talked=60)
    leg = company.leg()

    with django_assert_max_num_queries(10):
        shown(company, leg)


def test_today_begins_when_the_companys_day_does(company: Company) -> None:
    company.domain.day_starts_hour = 6
    company.leg("101", minutes_ago=6.5 * 60, talked=60)
    assert shown(company, company.leg(call="at noon"))["sentences"][0] == "Second call this week."

    with time_machine.travel(THURSDAY_AT_NOON + timedelta(hours=14), tick=False):
        assert shown(company, company.leg(call="at two in the night"))["sentences"][0] == "Second call today."


def test_somebody_limited_is_told_of_their_own_and_shown_calls_only(company: Company) -> None:
    Queue.objects.create(domain=company.domain, number="866", name="Zebra desk")
    for call, minutes, queue, person in (
        ("theirs", 50, "866", "101"),
        ("direct", 40, "", "101"),
        ("own", 30, "866", "102"),
        ("team", 20, "800", "103"),
    ):
        if queue:
            company.leg(queue, call=call, minutes_ago=minutes, queue=queue, rang=9)
        spoken = company.leg(person, call=call, minutes_ago=minutes, talked=60)
        notes.save(company.ana if person == "101" else company.mia, spoken, f"about {call}", 1)
    limited = replace(company.viewer(company.mia), limit=Limit(frozenset({"800"}), frozenset({"103"})))

    told = card(limited, company.domain, company.leg())
    whole = shown(company, company.leg(call="whole"))

    assert [line["notes"][0]["text"] for line in told["earlier"]] == ["about team", "about own"]
    assert told["sentences"][0] == "Third call today."
    assert "Ana" not in str(told)
    assert len(whole["earlier"]) == 5


def test_somebody_limited_is_not_told_that_a_call_is_the_first(company: Company) -> None:
    company.leg("101", minutes_ago=40, talked=60)
    limited = replace(company.viewer(company.mia), limit=Limit(people=frozenset({"103"})))

    told = card(limited, company.domain, company.leg())

    assert (told["sentences"], told["earlier"]) == ([], [])
