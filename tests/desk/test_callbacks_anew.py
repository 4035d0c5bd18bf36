"""Who rings in vain after a talk begins anew: what was decided is about calls before, and a lost end is no talk."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine

from tests.desk.conftest import HANNA, Company
from tests.desk.test_callbacks import SignIn, act, outgoing, rows, waiting
from wallboard.calls.models import Leg
from wallboard.desk import callback_subjects, callbacks
from wallboard.outgoing.deciding import call_backs


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel("2026-11-19T11:00:00Z", tick=False) as traveller:
        yield traveller


def anew(company: Company, clock: time_machine.Traveller) -> None:
    """They are spoken with, and call in vain once more."""
    clock.shift(timedelta(minutes=30))
    outgoing(company, minutes_ago=20, talked=60)
    company.leg("800", queue="800", minutes_ago=5, rang=20)
    callbacks.invalidate_cache(company.domain.pk)


def test_who_took_it_before_a_talk_has_not_taken_the_next_one(
    company: Company, signed_in: SignIn, clock: time_machine.Traveller
) -> None:
    company.leg("800", queue="800", minutes_ago=30, rang=20)
    act(signed_in(company.ana), "take")
    anew(company, clock)
    mia = signed_in(company.mia)

    assert [row["owner"] for row in rows(mia)] == [""]
    assert callback_subjects.of(company.domain, {"800"}).queues["800"].open == 1
    assert call_backs.standing_now(company.domain)[HANNA].owner is None
    act(mia, "take")
    assert [row["owner"] for row in rows(mia)] == ["Mia"]
    act(signed_in(company.ana), "take")
    assert [row["owner"] for row in rows(mia)] == ["Mia"]


def test_what_was_put_off_before_a_talk_is_open_at_once(
    company: Company, signed_in: SignIn, clock: time_machine.Traveller
) -> None:
    company.leg("800", queue="800", minutes_ago=30, rang=20)
    mia = signed_in(company.mia)
    act(mia, "snooze")
    assert rows(mia) == []
    anew(company, clock)

    assert [row["number"] for row in rows(mia)] == [HANNA]
    act(mia, "take")
    assert [row["is_mine"] for row in rows(mia)] == [True]


def lose_end(leg: Leg, after: timedelta) -> None:
    """Nothing is heard of it after its answer; it is taken for over so long after it began."""
    leg.ended_at = leg.first_seen_at + after
    leg.heard_at = leg.first_seen_at
    leg.save()


def test_a_talk_whose_end_was_lost_answers_no_later_call(company: Company) -> None:
    lose_end(company.leg("101", minutes_ago=300, talked=60), timedelta(hours=4))
    assert waiting(company) == []

    company.leg("800", queue="800", minutes_ago=120, rang=20)

    assert waiting(company) == [HANNA]


def test_how_long_a_caller_waited_is_not_told_where_the_end_was_lost(company: Company, signed_in: SignIn) -> None:
    lose_end(company.leg("800", queue="800", minutes_ago=300, rang=20), timedelta(hours=4))

    assert [row["waited"] for row in rows(signed_in(company.mia))] == [""]
