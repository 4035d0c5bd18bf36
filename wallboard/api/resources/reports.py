"""Reports over days: what queues, people and calls did, counted as the page of reports counts."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from typing import Literal

import msgspec
from django.utils import timezone

from accounts import company_day
from wallboard.api import scopes
from wallboard.api.endpoints import Asked, Endpoint
from wallboard.api.figures import Figure, Proofs, figure, proofs
from wallboard.api.problems import Problem
from wallboard.api.resources.calls import Day, Word
from wallboard.calls.gaps import coverage
from wallboard.reports import day_figures, person_figures
from wallboard.reports.day_figures import CallDay, QueueFigures
from wallboard.reports.period_parts import Period
from wallboard.reports.person_figures import PersonFigures
from wallboard.reports.rollups import days

RETRY_SECONDS = 60  # a day is added up in seconds, a year in minutes
QUEUE_UNITS = {
    "reports.late": "minutes",
    "reports.watch": "minutes",
    "reports.nobody": "minutes",
    "reports.most": "callers",
    "reports.longest": "seconds",
    "reports.average": "seconds",
    "reports.measured": "minutes",
}
PERSON_UNITS = {
    "persons.answered": "calls",
    "persons.missed": "calls",
    "persons.talk": "seconds",
    "persons.average_talk": "seconds",
    "persons.average_ring": "seconds",
}
CALL_UNITS = {"outside.ended": "calls", "outside.answered": "calls", "outside.unanswered": "calls"}


class PeriodQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days of the company, both included; today where nothing is said, 92 at most."""

    first: Day | None = None
    last: Day | None = None


class QueueQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same; `by` part gives a row per hour of one day, or per day of several. `queue` chooses some."""

    first: Day | None = None
    last: Day | None = None
    by: Literal["queue", "part"] = "queue"
    queue: list[Word] = []


class Span(msgspec.Struct, frozen=True):
    """The time that a report is about, and what call events did not tell of it.

    `counted_until`: nothing of today after that is in it, where a company has too much of today to count at once.
    """

    first: date
    last: date
    begin: datetime
    end: datetime
    time_zone: str
    events_since: datetime | None
    missing_seconds: int
    counted_until: datetime | None = None


class QueueRow(msgspec.Struct, frozen=True):
    """A queue over the period, or over the part of it that begins `at`."""

    queue: str
    name: str
    at: datetime | None
    figures: dict[str, Figure]


class QueueReport(msgspec.Struct, frozen=True):
    """What queues did."""

    period: Span
    items: list[QueueRow]
    proofs: Proofs


class PersonRow(msgspec.Struct, frozen=True):
    """A person over the period."""

    extension: str
    name: str
    figures: dict[str, Figure]


class PersonReport(msgspec.Struct, frozen=True):
    """What people's phones did."""

    period: Span
    items: list[PersonRow]
    proofs: Proofs


class DayRow(msgspec.Struct, frozen=True):
    """Calls from outside on one day; what call events did not tell of it counts nowhere."""

    day: date
    events_since: datetime | None
    missing_seconds: int
    figures: dict[str, Figure]


class CallReport(msgspec.Struct, frozen=True):
    """Calls from outside, by day."""

    period: Span
    items: list[DayRow]
    proofs: Proofs


def queues(asked: Asked) -> QueueReport:
    """What queues did, from the samples of each minute."""
    query: QueueQuery = asked.query
    period, told = period_of(asked), proofs(asked.domain.pk, QUEUE_UNITS)
    with added_up() as waiting:
        rows = (day_figures.by_part if query.by == "part" else day_figures.by_queue)(asked.domain, period)
    shown = [row for row in rows if asked.caller.limit.shows_queue(row.queue.number)]
    chosen = [row for row in shown if not query.queue or row.queue.number in query.queue]
    return QueueReport(_span(asked, period, waiting), [_queue(row, told) for row in chosen], told)


def people(asked: Asked) -> PersonReport:
    """What people's phones did."""
    period, told = period_of(asked), proofs(asked.domain.pk, PERSON_UNITS)
    with added_up() as waiting:
        rows = person_figures.by_person(asked.domain, period, asked.caller.limit)
    return PersonReport(_span(asked, period, waiting), [_person(row, told) for row in rows], told)


def calls(asked: Asked) -> CallReport:
    """Calls from outside by day."""
    period, told = period_of(asked), proofs(asked.domain.pk, CALL_UNITS)
    with added_up() as waiting:
        rows = day_figures.calls_by_day(asked.domain, period, asked.caller.limit)
    return CallReport(_span(asked, period, waiting), [_day(row, told) for row in rows], told)


def period_of(asked: Asked) -> Period:
    """The days that are asked for. Raises Problem."""
    domain, query = asked.domain, asked.query
    today = company_day.start(domain, timezone.now()).date()
    first = query.first or query.last or today
    last = query.last or max(first, today)
    if not company_day.FIRST <= first <= last <= company_day.LAST:
        raise Problem(400, "The first day must not be after the last, and both lie between 2000 and 2100.")
    if (last - first).days >= day_figures.MAX_DAYS:
        raise Problem(400, f"Choose at most {day_figures.MAX_DAYS} days.")
    return Period(first, last, company_day.zone_of(domain), domain.day_starts_hour, domain.clock)


@contextmanager
def added_up() -> Iterator[days.Waiting]:
    """Inside it no more rows are counted than a page counts. Raises Problem where days are still to be added up."""
    with days.for_page() as waiting:
        yield waiting
    if waiting.days:
        detail = f"{len(waiting.days)} of these days are still being added up: ask again in some minutes."
        raise Problem(503, detail, {"Retry-After": str(RETRY_SECONDS)})


def _span(asked: Asked, period: Period, waiting: days.Waiting) -> Span:
    found = coverage.of(asked.domain.pk, period.begin, period.end)
    about = (period.first, period.last, period.begin, period.end, str(period.zone))
    return Span(*about, found.counted_since, _missing(found), waiting.today_until)


def _missing(found: coverage.Coverage) -> int:
    return found.missing.seconds if found.missing else 0


def _queue(row: QueueFigures, told: Proofs) -> QueueRow:
    values = {
        "reports.late": row.late_minutes,
        "reports.watch": row.watch_minutes,
        "reports.nobody": row.nobody_minutes,
        "reports.most": row.most_waiting,
        "reports.longest": row.longest_wait_seconds,
        "reports.average": row.average_wait_seconds,
        "reports.measured": row.measured_minutes,
    }
    return QueueRow(row.queue.number, str(row.queue), row.at, _figures(values, told))


def _person(row: PersonFigures, told: Proofs) -> PersonRow:
    values = {
        "persons.answered": row.answered,
        "persons.missed": row.missed,
        "persons.talk": row.talk_seconds,
        "persons.average_talk": row.average_talk_seconds,
        "persons.average_ring": row.average_ring_seconds,
    }
    return PersonRow(row.person.extension, str(row.person), _figures(values, told))


def _day(row: CallDay, told: Proofs) -> DayRow:
    names = ("ended", "answered", "unanswered")
    values = {f"outside.{name}": getattr(row.calls, name) if row.is_told else None for name in names}
    return DayRow(row.day, row.coverage.counted_since, _missing(row.coverage), _figures(values, told))


def _figures(values: Mapping[str, int | None], told: Proofs) -> dict[str, Figure]:
    """By the name of the figure, without the group that its key begins with."""
    return {key.partition(".")[2]: figure(told, key, value) for key, value in values.items()}


ENDPOINTS = tuple(
    Endpoint(name, path, scopes.REPORTS, summary, handle, answer, query=query, errors=(503,))
    for name, path, summary, handle, answer, query in (
        ("report_queues", "reports/queues", "What queues did", queues, QueueReport, QueueQuery),
        ("report_people", "reports/people", "What people did", people, PersonReport, PeriodQuery),
        ("report_calls", "reports/calls", "Calls from outside", calls, CallReport, PeriodQuery),
    )
)
