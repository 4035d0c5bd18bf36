"""How often a rule would have called in the last days, counted anew from what is kept; only where rows tell."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from itertools import pairwise

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Domain
from wallboard.alerts.rules import RuleSet
from wallboard.alerts.ruling.kind_rules import EffectiveKindRule
from wallboard.calls.models import EventGap
from wallboard.queues.hours import calendar
from wallboard.queues.models import Queue, Sample

DAYS = 7
MINUTE = timedelta(minutes=1)
MOST_SAMPLES = 200_000  # a page must not hold a process for minutes
Trouble = tuple[datetime, float]  # a minute, and for how many seconds of it something was wrong
Count = Callable[[Domain, datetime, EffectiveKindRule], int | None]  # None where that cannot be told


def of_kinds(domain: Domain, rules: Mapping[str, EffectiveKindRule]) -> dict[str, int]:
    """How often each kind would have called in the last DAYS; those of which no rows are kept are left out."""
    since = timezone.now() - timedelta(days=DAYS)
    found = {
        kind: COUNTS[kind](domain, since, rule) if rule.is_on else 0 for kind, rule in rules.items() if kind in COUNTS
    }
    return {kind: calls for kind, calls in found.items() if calls is not None}


def of_levels(domain: Domain, rules: RuleSet) -> dict[str, int]:
    """How often each shown queue would have called, by its number."""
    since = timezone.now() - timedelta(days=DAYS)
    rows = _samples(domain, since).values_list("queue__number", "minute", "watch_seconds", "late_seconds")
    found: dict[str, list[Trouble]] = defaultdict(list)
    for number, minute, watch, late in rows[:MOST_SAMPLES]:
        level = rules.of(number).level
        seconds = {"late": late, "watch": late + watch}.get(level, 0.0)
        if seconds:
            found[number].append((minute, seconds))
    return {
        number: _alerts(minutes, rules.of(number).stays_seconds, rules.of(number).cooldown_seconds)
        for number, minutes in found.items()
    }


def _nobody(domain: Domain, since: datetime, rule: EffectiveKindRule) -> int:
    rows = _samples(domain, since).filter(nobody_seconds__gt=0).values_list("queue_id", "minute", "nobody_seconds")
    found: dict[int, list[Trouble]] = defaultdict(list)
    for queue, minute, seconds in rows[:MOST_SAMPLES]:
        found[queue].append((minute, seconds))
    return sum(_alerts(minutes, rule.stays_seconds, rule.cooldown_seconds) for minutes in found.values())


def _samples(domain: Domain, since: datetime) -> QuerySet[Sample]:
    return Sample.objects.filter(queue__domain=domain, queue__is_hidden=False, minute__gte=since).order_by("minute")


def _alerts(minutes: Iterable[Trouble], stays: float, cooldown: float) -> int:
    """How many alerts these minutes make: runs that last long enough, each after the quiet time of the one before."""
    count, lasted, is_raised = 0, 0.0, False
    last = quiet_until = None
    for minute, seconds in minutes:
        if last is None or minute - last > MINUTE:
            lasted, is_raised = 0.0, False
        lasted, last = lasted + seconds, minute
        is_rested = quiet_until is None or minute + MINUTE > quiet_until
        if not is_raised and lasted >= stays and is_rested:
            count, is_raised = count + 1, True
        if is_raised:
            quiet_until = minute + MINUTE + timedelta(seconds=cooldown)
    return count


def _events(domain: Domain, since: datetime, rule: EffectiveKindRule) -> int:
    stays, now = timedelta(seconds=rule.stays_seconds), timezone.now()
    read = _read_minutes(domain, since)
    spans = []
    for gap in EventGap.objects.filter(domain=domain, since__gte=since):
        until = gap.until or now
        if gap.reason == EventGap.Reason.PROVIDER:
            # While the provider cannot be reached at all, the figures call and events say nothing.
            told = bisect_left(read, (gap.since + stays).replace(second=0, microsecond=0))
            if told == len(read) or read[told] >= until:
                continue
            spans.append((max(gap.since, read[told] - stays), until))
        else:
            spans.append((gap.since, until))
    return _spans(domain, spans, rule)


def _figures(domain: Domain, since: datetime, rule: EffectiveKindRule) -> int:
    read = _read_minutes(domain, since)
    return _spans(domain, [(one + MINUTE, other) for one, other in pairwise(read) if other - one > MINUTE], rule)


def _read_minutes(domain: Domain, since: datetime) -> list[datetime]:
    """The minutes in which figures came, the oldest first."""
    # When a reading fails, every queue lacks its minute; so one that is known for long tells for all.
    queue = Queue.objects.filter(domain=domain, is_hidden=False).order_by("first_seen_at").first()
    rows = Sample.objects.filter(queue=queue, minute__gte=since).order_by("minute") if queue else Sample.objects.none()
    return list(rows.values_list("minute", flat=True))


def _spans(domain: Domain, spans: Iterable[tuple[datetime, datetime]], rule: EffectiveKindRule) -> int:
    """How many of these spans were long enough, and somebody worked when they had become so."""
    schedule, stays = calendar.schedule(domain), timedelta(seconds=rule.stays_seconds)
    numbers = list(Queue.objects.filter(domain=domain, is_hidden=False).values_list("number", flat=True)) or [""]
    long = [begin + stays for begin, end in spans if end - begin >= stays]
    return sum(any(schedule.is_open(number, moment) for number in numbers) for moment in long)


# Rooms that report a kind of their own add how it is counted, when they are ready.
COUNTS: dict[str, Count] = {"nobody": _nobody, "events": _events, "figures": _figures}
