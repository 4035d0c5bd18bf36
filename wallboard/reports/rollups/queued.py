"""Calls that came to queues: of days that are over from what the worker kept of them, of others from their legs."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import msgspec
from django.db import transaction
from django.utils.crypto import salted_hmac

from accounts import company_day
from accounts.models import Domain
from wallboard.calls import numbers
from wallboard.calls.legs import LONGEST_CALL
from wallboard.queues.hours.calendar import Schedule
from wallboard.reports import queue_calls
from wallboard.reports.models import QueueCallDay
from wallboard.reports.period_parts import Period
from wallboard.reports.queue_calls import QueueCall, Span, TooMany
from wallboard.reports.rollups import days, queue_sums, sum_keys
from wallboard.reports.rollups.packed import pack, unpack

MOST_CALLS = 400_000  # a page must not hold a process for minutes
TOO_MANY = " too many"  # of a stamp: the day cannot be kept
SALT = "wallboard.reports.callers"
A_DAY = timedelta(days=1)
Gap = tuple[datetime, datetime]  # from when until when


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
    kept_calls = [_without_caller(domain, each) for each in found]
    with transaction.atomic():
        row, _is_new = QueueCallDay.objects.update_or_create(
            domain=domain, day=day.first, defaults={"stamp": kept + until, "calls": pack(kept_calls)}
        )
        queue_sums.keep(domain, row, kept_calls)


def sums(
    domain: Domain, period: Period, schedule: Schedule, gaps: Iterable[Gap], *, from_music: bool
) -> queue_sums.OfQueues:
    """The calls of the period, of each day that was added up as sums; but for those that came in these gaps.

    Raises TooMany.
    """
    split = days.split(domain, period, QueueCallDay, stamp(domain, schedule, from_music=from_music))
    numbers, teams = sum_keys.queues(domain), sum_keys.teams(domain)
    stored = QueueCallDay.objects.filter(domain=domain, day__in=split.rolled)
    wanted = sum_keys.sums_key(numbers, teams)
    holding = {
        day: pk
        for day, pk, stamp_of_row, made_for in stored.order_by("day").values_list("day", "pk", "stamp", "sums_stamp")
        if made_for == sum_keys.of_row(stamp_of_row, wanted) and not _touches(company_day.begin(domain, day), gaps)
    }
    one_by_one = [day for day in split.rolled if day not in holding]
    found: list[QueueCall] = []
    for (kept,) in stored.filter(day__in=one_by_one).values_list("calls").iterator(10) if one_by_one else ():
        found += unpack(kept, list[QueueCall])
        if len(found) > MOST_CALLS:
            raise TooMany
    for each in split.others:
        raw = queue_calls.queue_calls(domain, each, schedule.is_open, from_music=from_music)
        found += [_without_caller(domain, call) for call in raw]
    counting = [call for call in found if not any(since <= call.entered_at < until for since, until in gaps)]
    return queue_sums.OfQueues(list(holding.values()), counting, numbers, teams)


def _touches(begin: datetime, gaps: Iterable[Gap]) -> bool:
    """Whether calls of the day that begins then may have entered a queue in one of these times."""
    # A caller may come to a queue long after the first leg was seen, but no call is longer than that.
    return any(since < begin + 2 * A_DAY + LONGEST_CALL and begin < until for since, until in gaps)


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
