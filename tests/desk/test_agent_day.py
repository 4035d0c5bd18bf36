"""A person's own calls of today: both ways, and found again."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from tests.desk.conftest import HANNA, Company
from wallboard.contacts import address_book
from wallboard.contacts.address_book import ContactInput
from wallboard.desk.agent_day import MOST_LISTED, TOLD_AFTER_MIDNIGHT, day

OUT: dict[str, Any] = {"from_user": "102", "from_number": "102", "from_name": "", "caller_e164": HANNA}


@pytest.fixture(autouse=True)
def noon() -> Any:
    with time_machine.travel("2026-11-19T11:00:00Z", tick=False):
        yield


def told(company: Company, text: str = "") -> list[tuple[str, str, str]]:
    calls = day(company.viewer(company.mia), company.domain, text)["calls"]
    return [(call["name"], call["outcome"], call["talked"]) for call in calls]


def test_calls_that_the_person_made_stand_among_the_others(company: Company) -> None:
    address_book.save(company.domain, ContactInput("Hanna Koch", numbers=(HANNA,)))
    company.leg(minutes_ago=30, rang=10)
    company.leg("", minutes_ago=20, talked=70, to_number=HANNA, **OUT)
    company.leg("101", minutes_ago=10, rang=5, to_number="101", **OUT | {"caller_e164": "", "on_net": True})
    company.leg("800", minutes_ago=5, rang=5, queue="800", **OUT | {"caller_e164": ""})

    assert told(company) == [("Ana", "no_answer", ""), ("Hanna Koch", "reached", "1:10"), ("Hanna Koch", "missed", "")]
    assert day(company.viewer(company.mia), company.domain)["figures"]["missed"] == 1


@pytest.mark.parametrize("text", ["hanna", "030 9018", "+49 30 901820", "٩٠١٨", "BRANDT"])
def test_a_call_is_found_by_a_part_of_name_or_number(company: Company, text: str) -> None:
    company.leg(minutes_ago=30, rang=10)
    company.leg(minutes_ago=20, rang=10, from_name="Paul", from_number="+498924011", caller_e164="+498924011")

    assert told(company, text) == [("Hanna Brandt", "missed", "")]


def test_only_the_newest_are_listed_but_all_are_found(company: Company) -> None:
    company.leg(minutes_ago=300, rang=10, from_name="The First")
    for number in range(MOST_LISTED):
        company.leg(minutes_ago=200 - number, rang=10)

    everything = day(company.viewer(company.mia), company.domain)

    assert (len(everything["calls"]), everything["found"], everything["all"]) == (MOST_LISTED, 31, 31)
    assert told(company, "the first") == [("The First", "missed", "")]


def test_a_talk_whose_end_was_never_told_has_no_length(company: Company) -> None:
    company.leg(minutes_ago=500, talked=14_400, heard_at=timezone.now() - timedelta(minutes=500))
    company.leg(minutes_ago=20, talked=70)

    assert told(company) == [("Hanna Brandt", "answered", "1:10"), ("Hanna Brandt", "answered", "")]
    assert day(company.viewer(company.mia), company.domain)["figures"]["average_talk"] == "1:10"


def test_a_call_that_one_made_before_midnight_is_told_until_it_is_over(company: Company) -> None:
    def dialled() -> list[tuple[int, str]]:
        today = day(company.viewer(company.mia), company.domain)
        assert (today["calls"], today["found"], today["all"]) == ([], 0, 0)
        return [(call["leg"], call["state"]) for call in today["dialled"]]

    with time_machine.travel("2026-11-19T22:58:00Z", tick=False):  # in Berlin two minutes to midnight
        company.leg("", talked=30, to_number=HANNA, minutes_ago=120, **OUT)
        leg = company.leg("", to_number=HANNA, **OUT)
        company.answer(leg)
    with time_machine.travel("2026-11-19T23:05:00Z", tick=False) as clock:
        assert dialled() == [(leg.pk, "talking")]
        company.end(leg)
        assert dialled() == [(leg.pk, "ended")]
        clock.shift(TOLD_AFTER_MIDNIGHT)
        assert dialled() == []
