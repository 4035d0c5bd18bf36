"""Calls that came to queues: of days that are over from what the worker kept of them, of others from their legs."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import msgspec
from django.utils.crypto import salted_hmac

from accounts import company_day
from accounts.models import Domain
from wallboard.calls import numbers
from wallboard.queues.hours.calendar import Schedule
from wallboard.reports import queue_calls
from wallboard.reports.models import QueueCallDay
from wallboard.reports.period_parts import Period
from wallboard.reports.queue_calls import QueueCall, Span, TooMany
from wallboard.reports.rollups import days
from wallboard.reports.rollups.packed import pack, unpack

MOST_CALLS = 400_000  # a page must not hold a process for minutes
TOO_MANY = " too many"  # of a stamp: the day cannot be kept
SALT = "wallboard.reports.callers"
A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class _Part:
    begin: datetime
    end: datetime


def calls(domain: Domain, span: Span, schedule: Schedule, *, from_music: bool) -> list[QueueCall]:
    """As queue_calls.queue_calls; callers of days that are over have another name, the same for the same number.

    Raises TooMany.
    """
    period = _whole_days(domain, span)
    split = days.split(domain, period, QueueCallDay, stamp(domain, schedule, from_music=from_music)) if period else None
    if split is None or not (split.rolled or split.left_out):
        return queue_calls.queue_calls(domain, span, schedule.is_open, from_music=from_music)
    found: list[QueueCall] = []
    rows = QueueCallDay.objects.filter(domain=domain, day__in=split.rolled).order_by("day").values_list("calls")
    for (stored,) in rows.iterator(10):
        found += unpack(stored, list[QueueCall])
        if len(found) > MOST_CALLS:
            raise TooMany
    for part in _parts(domain, span, {*split.rolled, *split.left_out}):
        raw = queue_calls.queue_calls(domain, part, schedule.is_open, from_music=from_music)
        found += [_without_caller(domain, each) for each in raw]
    return sorted(found, key=lambda call: call.entered_at)


def roll(domain: Domain, day: Period, schedule: Schedule, *, from_music: bool, until: str = "") -> None:
    """Keep the calls of that day; that they cannot be kept where there are too many. `until` ends its stamp."""
    kept = stamp(domain, schedule, from_music=from_music)
    try:
        found = queue_calls.queue_calls(domain, day, schedule.is_open, from_music=from_music)
    except TooMany:
        found, until = [], TOO_MANY
    columns = {"stamp": kept + until, "calls": pack([_without_caller(domain, each) for each in found])}
    QueueCallDay.objects.update_or_create(domain=domain, day=day.first, defaults=columns)


def stamp(domain: Domain, schedule: Schedule, *, from_music: bool) -> str:
    """What the calls of a day rest on beside the legs."""
    key = salted_hmac(SALT, str(domain.pk), algorithm="sha256").hexdigest()  # another secret gives other names
    parts = msgspec.json.encode((from_music, schedule, key), order="deterministic")
    return f"{days.clock_stamp(domain)} {hashlib.sha256(parts).hexdigest()[:32]}"


def _without_caller(domain: Domain, call: QueueCall) -> QueueCall:
    caller = "" if numbers.is_withheld(call.caller) else _name(domain, call.caller)
    return msgspec.structs.replace(call, caller=caller, call_id=call.call_id and _name(domain, call.call_id))


def _name(domain: Domain, text: str) -> str:
    return "c" + salted_hmac(SALT, f"{domain.pk} {text}", algorithm="sha256").hexdigest()[:15]


def _whole_days(domain: Domain, span: Span) -> Period | None:
    """The days of the company that lie within it wholly."""
    first, last = company_day.start(domain, span.begin).date(), company_day.start(domain, span.end).date() - A_DAY
    if company_day.begin(domain, first) < span.begin:
        first += A_DAY
    if last < first:
        return None
    return Period(first, last, company_day.zone_of(domain), domain.day_starts_hour, domain.clock)


def _parts(domain: Domain, span: Span, rolled: set[date]) -> Iterator[_Part]:
    """What lies between the days that were kept."""
    begin = span.begin
    for day in sorted(rolled):
        if begin < (at := company_day.begin(domain, day)):
            yield _Part(begin, at)
        begin = company_day.end(domain, day)
    if begin < span.end:
        yield _Part(begin, span.end)
