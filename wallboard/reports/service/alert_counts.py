"""How often the alert about the service level would have called in the last days, counted anew from the calls."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from accounts import company_day
from accounts.models import Domain
from wallboard.alerts.ruling.kind_rules import EffectiveKindRule
from wallboard.queues.hours import calendar
from wallboard.queues.hours.calendar import Schedule
from wallboard.queues.models import Queue
from wallboard.queues.targets import levels
from wallboard.queues.targets.levels import NORMAL, Pair
from wallboard.reports.queue_calls import QueueCall, TooMany
from wallboard.reports.rollups import call_sums
from wallboard.reports.service import counting, rules, today
from wallboard.reports.service.alerting import calling
from wallboard.reports.service.targets import level_of
from wallboard.reports.service_level import Rule

Span = tuple[datetime, datetime]  # from when until when the level of a day was below its bound
Days = Mapping[tuple[str, datetime], Sequence[QueueCall]]  # number and begin of the day -> its calls


def count(domain: Domain, since: datetime, rule: EffectiveKindRule) -> int | None:
    """Over all shown queues; None where the level is not proven, or there are too many calls to count at once."""
    firm, now = counting.ground(domain.pk), timezone.now()
    if not firm.is_firm:
        return None
    try:
        days = _days(domain, counting.calls(domain, today.Span(company_day.start(domain, since), now), firm))
    except TooMany:
        return None
    by, standards, schedule = rules.rules(domain.pk), levels.standards(domain.pk), calendar.schedule(domain)
    spans: dict[str, list[Span]] = defaultdict(list)
    for (number, day), calls in sorted(days.items()):
        bounds = calling(standards.of(number).service_below, rule.level)
        until = min(now, company_day.end(domain, day.date()))
        spans[number] += spans_below(calls, by.of(number), bounds, until)
    return sum(_alerts(found, rule, number, schedule) for number, found in spans.items())


def _days(domain: Domain, calls: Iterable[QueueCall]) -> Days:
    shown = set(Queue.objects.filter(domain=domain, is_hidden=False).values_list("number", flat=True))
    found: dict[tuple[str, datetime], list[QueueCall]] = defaultdict(list)
    for call in calls:
        if call.queue in shown:
            found[call.queue, company_day.start(domain, call.entered_at)].append(call)
    return found


def spans_below(calls: Sequence[QueueCall], rule: Rule, bounds: Pair, until: datetime) -> Iterator[Span]:
    """When the level of these calls of a day was below a bound, as it was known then: each counts once it is over."""
    met = base = 0
    since: datetime | None = None
    for over_at, call in sorted(((_over_at(each), each) for each in calls), key=lambda pair: pair[0]):
        more_met, more_base = rule.count(call_sums.counts([call_sums.waits_of([call])]))
        met, base = met + more_met, base + more_base
        is_below = level_of(met, base, bounds) != NORMAL
        if is_below and since is None:
            since = over_at
        elif since is not None and not is_below:
            yield since, over_at
            since = None
    if since is not None and since < until:
        yield since, until


def _over_at(call: QueueCall) -> datetime:
    return call.entered_at + timedelta(seconds=call.wait_seconds)


def _alerts(spans: Iterable[Span], rule: EffectiveKindRule, number: str, schedule: Schedule) -> int:
    """How many alerts these spans of one queue make: long enough, not within quiet time, while the queue is open."""
    stays, quiet = timedelta(seconds=rule.stays_seconds), timedelta(seconds=rule.cooldown_seconds)
    found, quiet_until = 0, None
    for begin, end in spans:
        raised_at = begin + stays if quiet_until is None else max(begin + stays, quiet_until)
        if raised_at < end and schedule.is_open(number, raised_at):
            found, quiet_until = found + 1, end + quiet
    return found
