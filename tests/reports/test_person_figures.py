"""What people's phones did: answered, missed and talked, from their legs and from days that were added up."""

from datetime import datetime, timedelta

import pytest
import time_machine

from accounts.limits import Limit
from accounts.models import Domain, Person
from tests.reports.test_day_figures import DAY, NOON, leg
from wallboard.calibration import findings
from wallboard.reports.person_figures import PersonFigures, by_person
from wallboard.reports.rollups import calls

SECOND = timedelta(seconds=1)


@pytest.fixture(params=["from legs", "added up"])
def is_added_up(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "added up")


def counted(domain: Domain, *, is_added_up: bool) -> list[PersonFigures]:
    """The figures of DAY a day later."""
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        if is_added_up:
            calls.roll(domain, DAY)
        return by_person(domain, DAY)


@pytest.fixture
def ana(domain: Domain) -> Person:
    return Person.objects.create(domain=domain, extension="101", name="Ana")


@pytest.fixture
def ben(domain: Domain) -> Person:
    return Person.objects.create(domain=domain, extension="102", name="Ben")


def ring(domain: Domain, call: str, who: str, at: datetime = NOON, rang: int = 5, talked: int | None = None) -> None:
    """A phone that rang so many seconds; with `talked` it was answered."""
    answered = at + rang * SECOND
    over = answered + (talked or 0) * SECOND
    leg(
        domain, call, at, to_user=who, ringing_at=at, active_at=None if talked is None else answered, ended_at=over,
        is_answered=talked is not None,
    )  # fmt: skip


def test_a_persons_calls_add_up(domain: Domain, ana: Person) -> None:
    ring(domain, "one", "101", rang=4, talked=60)
    ring(domain, "two", "101", NOON + timedelta(minutes=5), rang=8, talked=120)
    ring(domain, "rang", "101", NOON + timedelta(minutes=10))
    ring(domain, "yesterday", "101", NOON - timedelta(days=1), talked=600)

    assert by_person(domain, DAY) == [PersonFigures(ana, 2, 1, 180, 90, 6)]


def test_a_call_that_rings_again_counts_once(domain: Domain, ana: Person) -> None:
    for minute in range(3):
        ring(domain, "again", "101", NOON + timedelta(minutes=minute))
    ring(domain, "then taken", "101")
    ring(domain, "then taken", "101", NOON + timedelta(minutes=1), talked=10)

    [row] = by_person(domain, DAY)

    assert (row.answered, row.missed) == (1, 1)


def test_a_call_that_a_colleague_took_is_not_missed(domain: Domain, ana: Person, ben: Person) -> None:
    ring(domain, "both", "101")
    ring(domain, "both", "102", talked=30)

    rows = by_person(domain, DAY)

    assert [(str(row.person), row.answered, row.missed) for row in rows] == [("Ana", 0, 0), ("Ben", 1, 0)]


def test_missed_calls_are_not_told_where_each_leg_has_an_id_of_its_own(
    domain: Domain, ana: Person, ben: Person, *, is_added_up: bool
) -> None:
    ring(domain, "her leg", "101")
    ring(domain, "his leg", "102", talked=30)
    findings.overrule(domain, "caller_ids", "per_leg", None)

    rows = counted(domain, is_added_up=is_added_up)

    assert [(str(row.person), row.answered, row.missed) for row in rows] == [("Ana", 0, None), ("Ben", 1, None)]


def test_queues_machines_and_live_calls_are_nobodys(domain: Domain, ana: Person) -> None:
    leg(domain, "queue", NOON, to_user="501", queue="501", is_answered=True)
    leg(domain, "machine", NOON, is_answered=True, is_human=False)
    leg(domain, "still rings", NOON, ended_at=None)
    Person.objects.create(domain=domain, extension="501")

    assert [(row.answered, row.missed) for row in by_person(domain, DAY)] == [(0, 0)]


def test_people_beyond_the_limit_and_hidden_ones_are_left_out(domain: Domain, ana: Person, ben: Person) -> None:
    hidden = Person.objects.create(domain=domain, extension="103", name="Cleo", is_hidden=True)
    for person in (ana, ben, hidden):
        ring(domain, f"of {person}", person.extension)

    assert [str(row.person) for row in by_person(domain, DAY)] == ["Ana", "Ben"]
    assert [str(row.person) for row in by_person(domain, DAY, Limit(people=frozenset({"102"})))] == ["Ben"]


def test_a_call_that_was_taken_on_another_device_is_not_missed(
    domain: Domain, ana: Person, *, is_added_up: bool
) -> None:
    ring(domain, "both devices", "101", talked=30)
    ring(domain, "both devices", "101", NOON + SECOND)
    ring(domain, "handed back", "101", talked=30)
    ring(domain, "handed back", "101", NOON + timedelta(minutes=1))

    [row] = counted(domain, is_added_up=is_added_up)

    assert (row.answered, row.missed) == (2, 1)


def test_a_call_is_taken_though_the_event_of_the_answer_was_lost(
    domain: Domain, ana: Person, ben: Person, *, is_added_up: bool
) -> None:
    over = NOON + timedelta(minutes=1)
    ring(domain, "both", "101")
    leg(domain, "both", NOON, to_user="102", ended_at=over, is_answered=True)
    leg(domain, "after that", NOON, to_user="102", ended_at=over, is_answered=True)
    ring(domain, "after that", "101", over + SECOND)

    rows = counted(domain, is_added_up=is_added_up)

    assert [(str(row.person), row.answered, row.missed) for row in rows] == [("Ana", 0, 1), ("Ben", 2, 0)]


def test_a_talk_whose_end_was_never_told_has_no_length(domain: Domain, ana: Person, *, is_added_up: bool) -> None:
    ring(domain, "one", "101", talked=60)
    closed = {"active_at": NOON + 7 * SECOND, "heard_at": NOON + 7 * SECOND, "ended_at": NOON + timedelta(hours=4)}
    leg(domain, "lost", NOON, ringing_at=NOON, is_answered=True, **closed)

    assert counted(domain, is_added_up=is_added_up) == [PersonFigures(ana, 2, 0, 60, 60, 6)]
