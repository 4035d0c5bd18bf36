"""Two periods side by side: the same weekdays before, and what changed in figures and percent."""

from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from accounts.models import Domain
from tests.boards.conftest import SignIn
from tests.calls.conftest import make_subscription
from tests.reports.test_day_figures import NOON, leg, sample
from wallboard.calls import sweeping
from wallboard.calls.gaps import coverage, sentences
from wallboard.calls.models import Leg
from wallboard.queues.models import Queue
from wallboard.reports import day_figures
from wallboard.reports.comparison import sides
from wallboard.reports.comparison.sides import Line
from wallboard.reports.figures import FIGURES, LATE
from wallboard.reports.period_parts import Period

ZONE = ZoneInfo("Europe/Berlin")
A_WEEK = sides.A_WEEK
DAY = Period(date(2026, 3, 4), date(2026, 3, 4), ZONE)
BEFORE = Period(date(2026, 2, 25), date(2026, 2, 25), ZONE)
ADDRESS = "/reports/?first=2026-03-04&last=2026-03-04"


@pytest.fixture
def queues(domain: Domain) -> list[Queue]:
    return [Queue.objects.create(domain=domain, number=str(501 + index), order=index) for index in range(2)]


@pytest.mark.parametrize(
    ("first", "last", "choice", "then"),
    [
        ((2026, 3, 4), (2026, 3, 4), "before", ((2026, 2, 25), (2026, 2, 25))),
        ((2026, 3, 2), (2026, 3, 8), "before", ((2026, 2, 23), (2026, 3, 1))),
        ((2026, 2, 1), (2026, 3, 2), "before", ((2025, 12, 28), (2026, 1, 26))),
        ((2026, 3, 2), (2026, 3, 8), "year", ((2025, 3, 3), (2025, 3, 9))),
    ],
)
def test_weekdays_meet(first: tuple[int, int, int], last: tuple[int, int, int], choice: str, then: object) -> None:
    period = Period(date(*first), date(*last), ZONE)

    found = sides.earlier(period, choice)

    assert ((found.first.timetuple()[:3]), (found.last.timetuple()[:3])) == then
    assert found.first.weekday() == period.first.weekday()
    assert found.last < period.first


def lines(domain: Domain) -> dict[str, Line]:
    now, then = (day_figures.by_queue(domain, each) for each in (DAY, BEFORE))
    return {line.key: line for line in sides.of_queues(now, then, FIGURES)}


def test_differences_are_told_in_figures_and_percent_and_judged(domain: Domain, queues: list[Queue]) -> None:
    for queue in queues:
        sample(queue, NOON, late=60, waiting=3)
    sample(queues[0], NOON - A_WEEK, late=60, waiting=5)

    found = lines(domain)

    late, most = found["reports.late"], found["reports.most"]
    assert (late.now, late.then, late.difference, late.percent, late.is_worse) == (
        *("2 min", "1 min", "+1 min"),
        *("+100 %", True),
    )
    assert (most.now, most.then, most.difference, most.percent, most.is_worse) == ("3", "5", "−2", "−40 %", False)


def test_beside_nothing_measured_there_is_no_difference(domain: Domain, queues: list[Queue]) -> None:
    sample(queues[0], NOON, late=60)

    late = lines(domain)["reports.late"]

    assert (late.now, late.then, late.difference, late.is_worse) == ("1 min", "–", "", None)


def test_beside_zero_there_is_no_percent_and_the_same_is_neither_better_nor_worse(
    domain: Domain, queues: list[Queue]
) -> None:
    sample(queues[0], NOON, late=60, nobody=60)
    sample(queues[0], NOON - A_WEEK, nobody=60)

    found = lines(domain)

    assert (found["reports.late"].difference, found["reports.late"].percent) == ("+1 min", "")
    assert (found["reports.nobody"].difference, found["reports.nobody"].is_worse) == ("0 min", None)


def test_each_queue_of_either_period_has_a_line(domain: Domain, queues: list[Queue]) -> None:
    sample(queues[0], NOON, late=60)
    sample(queues[1], NOON - A_WEEK, late=120)
    now, then = (day_figures.by_queue(domain, each) for each in (DAY, BEFORE))

    found = sides.by_queue(now, then, "late", LATE)

    assert [(line.name, line.now, line.then) for line in found] == [
        (queues[0], "1 min", "–"),
        (queues[1], "–", "2 min"),
    ]


def test_days_before_call_events_began_had_not_no_calls_but_none_that_are_known(
    domain: Domain, queues: list[Queue], sign_in: SignIn
) -> None:
    leg(domain, "one", NOON, ended_at=NOON)
    client = sign_in("supervisor")

    now, then = (day_figures.calls_by_day(domain, each) for each in (DAY, BEFORE))
    found = {line.key: line for line in sides.of_calls(now, then)}
    sheet = client.get("/reports/?first=2026-02-25&last=2026-02-25&as=csv&of=calls")

    assert (found["outside.ended"].now, found["outside.ended"].then) == ("1", "–")
    assert found["outside.ended"].difference == ""
    assert sheet.content.decode().splitlines()[1].split(",")[1:4] == ["", "", ""]
    page = client.get("/reports/?first=2026-02-25&last=2026-02-25").content.decode()
    assert "Counted since 4 Mar" in page
    assert '<td class="number" data-label="Ended">–</td>' in page


def test_the_page_shows_them_where_they_are_asked_for(domain: Domain, queues: list[Queue], sign_in: SignIn) -> None:
    sample(queues[0], NOON, late=60)
    sample(queues[0], NOON - A_WEEK, late=240)
    leg(domain, "one", NOON)
    client = sign_in("supervisor")

    plain = client.get(ADDRESS).content.decode()
    beside = client.get(f"{ADDRESS}&beside=before").content.decode()
    nonsense = client.get(f"{ADDRESS}&beside=soon")

    assert "beside=before" in plain
    assert "−75 %" not in plain
    assert "−75 %" in beside
    assert "Wednesday 25 February 2026" in beside
    assert (nonsense.status_code, "beside=before" in nonsense.content.decode()) == (200, True)


@pytest.mark.parametrize(("minutes", "percent"), [(40, "−10 %"), (30, "")])
def test_what_was_measured_for_longer_is_not_judged(
    minutes: int, percent: str, domain: Domain, queues: list[Queue]
) -> None:
    for minute in range(40):
        sample(queues[0], NOON + timedelta(minutes=minute), late=60 if minute < 9 else 0)
    for minute in range(minutes):
        sample(queues[0], NOON - A_WEEK + timedelta(minutes=minute), late=60 if minute < 10 else 0)
    now, then = (day_figures.by_queue(domain, each) for each in (DAY, BEFORE))

    late, measured = (lines(domain)[key] for key in ("reports.late", "reports.measured"))
    [of_queue] = sides.by_queue(now, then, "late", LATE)

    for line in (late, of_queue):
        assert (line.difference, line.percent, line.is_worse) == ("−1 min", percent, False if percent else None)
    assert (measured.now, measured.then, measured.is_worse) == ("40 min", f"{minutes} min", None)


def test_days_whose_calls_are_deleted_are_not_held_against_others(domain: Domain) -> None:
    make_subscription(domain, "calls", ready_at=NOON - timedelta(days=200))
    domain.log_kept_days = 30
    domain.save()
    for days in range(60):
        leg(domain, f"call {days}", NOON - timedelta(days=days))
    Leg.objects.update(forgotten_at=NOON)
    month = replace(DAY, first=DAY.first - timedelta(days=27))

    with time_machine.travel(NOON + timedelta(hours=1), tick=False):
        sweeping.delete_expired()
        now, then = (day_figures.calls_by_day(domain, each) for each in (month, sides.earlier(month, "before")))
        ended = sides.of_calls(now, then)[0]
        told = coverage.of(domain.pk, NOON - timedelta(days=50), NOON)

    assert [day.is_told for day in then] == [False] * 25 + [True] * 3
    assert (ended.now, ended.then, ended.difference, ended.percent) == ("28", "2", "", "")
    assert sentences.sentences(told, domain, is_one_day=False) == ["Calls before 2 Feb 13:00 are no longer kept."]

    Domain.objects.update(log_kept_days=400)
    with time_machine.travel(NOON + timedelta(hours=2), tick=False):
        sweeping.delete_expired()
        assert coverage.of(domain.pk, NOON - timedelta(days=50), NOON) == told
