"""Today's figures of calls, and the next hour, with their proof."""

from datetime import datetime

import msgspec
from django.utils import timezone

from accounts import company_day
from wallboard.api import scopes
from wallboard.api.endpoints import Asked, Endpoint
from wallboard.api.figures import Figure, Proofs, figure, proofs
from wallboard.calls.gaps import coverage
from wallboard.forecast import page
from wallboard.forecast.outlook import Estimate
from wallboard.queues import renumbering
from wallboard.queues.models import Queue
from wallboard.reports.external_calls import external_calls
from wallboard.reports.models import ServiceDay
from wallboard.reports.service import rules, today
from wallboard.reports.service.today import Tally

SERVICE_UNITS = {
    "service.percent": "percent",
    "service.offered": "calls",
    "service.answered": "calls",
    "service.unanswered": "calls",
    "service.left_early": "calls",
    "service.answer_speed": "seconds",
}
CALL_UNITS = {"outside.ended": "calls", "outside.answered": "calls", "outside.unanswered": "calls"}
FORECAST_UNITS = {"forecast.calls": "calls", "forecast.people": "people", "forecast.longest": "seconds"}


class QueueToday(msgspec.Struct, frozen=True):
    """A queue since the day began. The service level counts by the formula and seconds of the answer and the queue."""

    queue: str
    name: str
    target_seconds: int
    short_seconds: int
    figures: dict[str, Figure]


class Today(msgspec.Struct, frozen=True):
    """Calls since the company's day began. `counted_at` is when callers of queues were last counted, null for never.

    `calls` are those from outside; `missing_seconds` of the day no call events came. `events_since` is when they began
    to come, where that was today.
    """

    begin: datetime
    counted_at: datetime | None
    formula: str
    missing_seconds: int
    events_since: datetime | None
    calls: dict[str, Figure]
    items: list[QueueToday]
    proofs: Proofs


class Range(msgspec.Struct, frozen=True):
    """What is expected, and between what it lies in four of five hours."""

    expected: Figure
    low: float | None
    high: float | None


class QueueForecast(msgspec.Struct, frozen=True):
    """The hour that begins then; `why` says in words why nothing is expected of it."""

    queue: str
    name: str
    begins_at: datetime | None
    why: str
    figures: dict[str, Range]


class Forecasts(msgspec.Struct, frozen=True):
    """The next hour of each queue."""

    items: list[QueueForecast]
    proofs: Proofs


def read(asked: Asked) -> Today:
    """What happened since the day began, as far as the token may see."""
    domain, now = asked.domain, timezone.now()
    begin, by = company_day.start(domain, now), rules.rules(domain.pk)
    told = proofs(domain.pk, SERVICE_UNITS | CALL_UNITS)
    row = ServiceDay.objects.filter(domain=domain).first()
    counted = today.by_queue(row, begin) if row and not row.locked else None
    split = renumbering.split_in(domain.pk, begin, now)
    items = []
    for queue in _queues(asked):
        rule = by.of(queue.number)
        tally = counted.get(queue.number, Tally()) if counted is not None and queue.number not in split else None
        values = {key: figure(told, key, value) for key, value in _values(tally).items()}
        items.append(QueueToday(queue.number, str(queue), rule.target, rule.short, _named(values)))
    outside = external_calls(domain.pk, begin, limit=asked.caller.limit)
    calls = {
        "outside.ended": outside.ended,
        "outside.answered": outside.answered,
        "outside.unanswered": outside.unanswered,
    }
    covered = coverage.of(domain.pk, begin, now)
    return Today(
        begin,
        row.at if row else None,
        by.default.formula,
        covered.missing.seconds if covered.missing else 0,
        covered.counted_since,
        _named({key: figure(told, key, value) for key, value in calls.items()}),
        items,
        told,
    )


def _values(tally: Tally | None) -> dict[str, float | None]:
    if tally is None:
        return dict.fromkeys(SERVICE_UNITS)
    return {
        "service.percent": tally.percent,
        "service.offered": tally.offered,
        "service.answered": tally.answered,
        "service.unanswered": tally.offered - tally.answered,
        "service.left_early": tally.left_early,
        "service.answer_speed": tally.answer_seconds,
    }


def _named(values: dict[str, Figure]) -> dict[str, Figure]:
    """By the name of the figure, without the group that its key begins with."""
    return {key.partition(".")[2]: value for key, value in values.items()}


def _queues(asked: Asked) -> list[Queue]:
    # Who sees a team sees a part of each queue's calls, and these figures count all of them.
    if asked.caller.limit.people is not None:
        return []
    every = Queue.objects.filter(domain=asked.domain, is_hidden=False)
    return [each for each in every if asked.caller.limit.shows_queue(each.number)]


def forecasts(asked: Asked) -> Forecasts:
    """What the next hour brings to the queues that the token may see."""
    told = proofs(asked.domain.pk, FORECAST_UNITS)
    rows = page.rows(_queues(asked), timezone.now())
    return Forecasts([_forecast(each, told) for each in rows], told)


def _forecast(row: page.Row, told: Proofs) -> QueueForecast:
    outlook = row.outlook
    found = {
        "calls": _range(told, "forecast.calls", outlook.calls if outlook else None),
        "people": _range(told, "forecast.people", outlook.people if outlook else None),
        "longest": _range(told, "forecast.longest", outlook.longest if outlook else None),
    }
    return QueueForecast(row.queue.number, str(row.queue), row.begins_at, row.why, found)


def _range(told: Proofs, key: str, estimate: Estimate | None) -> Range:
    expected = figure(told, key, None if estimate is None else estimate.middle)
    if estimate is None or expected.value is None:
        return Range(expected, None, None)
    return Range(expected, estimate.low, estimate.high)


ENDPOINTS = (
    Endpoint("today", "today", scopes.REPORTS, "Calls and service level of today", read, Today),
    Endpoint("forecasts", "forecasts", scopes.REPORTS, "The next hour of each queue", forecasts, Forecasts),
)
