"""One sample per queue and minute, rolled up from the readings; a minute without readings stays a gap."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts import leases
from accounts.models import Domain
from accounts.statements import bulk_rows
from wallboard.live import feeds, publish
from wallboard.queues import documents, pacing, past_changes, trends
from wallboard.queues.figures import LONGEST_WAIT_SECONDS
from wallboard.queues.models import PastChange, PollState, Queue, Reading, Sample
from wallboard.queues.targets.levels import CLOSED, LATE, WATCH

MINUTE = timedelta(minutes=1)
HALF_A_MINUTE = 30.0  # carried over from the reading before: less than this makes no sample
GRACE = timedelta(seconds=5)  # a reading may be committed a moment after it was made
CLOCKS_DIFFER = MINUTE  # of machines that take turns, at most
LEASE_SECONDS = 120.0
MOST_MINUTES = 30  # rolled up in one go
# A reading stands for at most so many intervals: past them there is no data, not an old figure.
MISSES_BRIDGED = 2
AT_ONCE = 500  # samples in one statement
Span = tuple[datetime, datetime, dict[str, list[Any]]]  # from, until, figures


@dataclass(slots=True)
class Minute:
    """What one queue showed in one minute so far."""

    waiting: list[int] = field(default_factory=list)
    longest_waits: list[int] = field(default_factory=list)
    average_waits: list[tuple[int, int]] = field(default_factory=list)
    agents: list[int] = field(default_factory=list)
    available: list[int] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=lambda: {WATCH: 0.0, LATE: 0.0, "nobody": 0.0})
    carried_seconds: float = 0.0
    readings: int = 0

    def see(self, figures: list[Any]) -> None:
        """Count a reading that was made in this minute."""
        self.readings += 1
        self._take(figures)

    def last(self, figures: list[Any], seconds: float) -> None:
        """Count for how long within this minute a reading was the newest; it may be one of the minute before."""
        waiting, _, _, _, available, level = figures
        if level in self.seconds:
            self.seconds[level] += seconds
        # Callers with nobody to take them are counted whatever the targets say.
        if waiting and available == 0 and level != CLOSED:
            self.seconds["nobody"] += seconds
        if not self.readings:
            self.carried_seconds += seconds
            # With long polling intervals a minute may have no reading of its own; the one before stood for most of it.
            if self.carried_seconds >= HALF_A_MINUTE and not self.waiting:
                self._take(figures)

    def _take(self, figures: list[Any]) -> None:
        waiting, longest_wait, average_wait, agents, available, _ = figures
        self.waiting.append(waiting)
        if agents is not None:
            self.agents.append(agents)
        # What the provider's wait means while nobody waits is documented nowhere.
        if waiting and longest_wait is not None:
            self.longest_waits.append(min(longest_wait, LONGEST_WAIT_SECONDS))
        if waiting and average_wait is not None:
            self.average_waits.append((average_wait, waiting))
        if available is not None:
            self.available.append(available)

    def sample(self, queue_id: int, minute: datetime) -> Sample:
        weight = sum(waiting for _, waiting in self.average_waits)
        return Sample(
            queue_id=queue_id,
            minute=minute,
            readings=self.readings,
            waiting=sum(self.waiting) / len(self.waiting),
            most_waiting=max(self.waiting),
            longest_wait_seconds=max(self.longest_waits, default=None if any(self.waiting) else 0),
            # Weighted by callers: a mean of means would count an empty moment like a full one.
            average_wait_seconds=sum(wait * each for wait, each in self.average_waits) / weight if weight else None,
            agents=max(self.agents, default=None),
            # The worst moment of the minute: an average of available agents would hide that there was nobody.
            least_available=min(self.available, default=None),
            watch_seconds=round(self.seconds[WATCH], 3),
            late_seconds=round(self.seconds[LATE], 3),
            nobody_seconds=round(self.seconds["nobody"], 3),
        )


def behind(domain_ids: Collection[int]) -> list[int]:
    """Of these companies those with readings of a whole minute without samples, in one query.

    And those of which minutes that are still to come have some: there a clock was set back.
    """
    until = _floor(timezone.now() - GRACE)
    unrolled = Reading.objects.filter(domain=OuterRef("domain"), read_at__lt=until)
    since = unrolled.filter(read_at__gte=OuterRef("rolled_until"))
    is_behind = Q(rolled_until__lt=until) & Exists(since) | Q(rolled_until=None) & Exists(unrolled)
    found = PollState.objects.filter(is_behind | Q(rolled_until__gt=until + CLOCKS_DIFFER), domain__in=domain_ids)
    return list(found.order_by("domain").values_list("domain_id", flat=True))


def roll(domain: Domain) -> int:
    """Make the samples of every whole minute that has none yet; answers how many minutes. Repeating does no harm."""
    lease = leases.acquire(f"samples:{domain.pk}", LEASE_SECONDS)
    if lease is None:
        return 0
    rolled = 0
    with lease:
        # In pieces, each committed: after an outage of the worker one transaction would hold locks for long.
        minutes = MOST_MINUTES
        while minutes == MOST_MINUTES:
            minutes = _roll_some(domain, _floor(timezone.now() - GRACE))
            rolled += minutes
    if rolled:
        publish.tell(feeds.queues(domain.pk), documents.trends(domain.pk))
    return rolled


def _roll_some(domain: Domain, until: datetime) -> int:
    """Roll up to MOST_MINUTES minutes that end at `until` at the latest; fewer when there is nothing left to do."""
    with transaction.atomic():
        # Else readings that are read again meanwhile (rereading.py) would have samples of what they were before.
        start = _start(domain, until, PollState.lock(domain))
        if start is None or start >= until:
            return 0
        end = min(until, start + MOST_MINUTES * MINUTE)
        samples = list(_samples(domain, start, end))
        for begin in range(0, len(samples), AT_ONCE):
            # Repeating is harmless, so a killed worker needs no clean-up.
            bulk_rows.upsert(samples[begin : begin + AT_ONCE], ("queue_id", "minute"))
        trends.advance(domain, start, end, samples)
        past_changes.note(domain, PastChange.Kind.SAMPLES, (each.minute for each in samples))
        PollState.objects.filter(domain=domain).update(rolled_until=end)
    return round((end - start) / MINUTE)


def _start(domain: Domain, until: datetime, rolled_until: datetime | None) -> datetime | None:
    """The first minute that is not rolled yet and has readings; earlier ones without are skipped, they stay gaps.

    What was rolled ahead of now was so before a clock was set back: those minutes come again, and count from now on.
    """
    if rolled_until is not None and rolled_until > until + CLOCKS_DIFFER:
        PollState.objects.filter(domain=domain).update(rolled_until=until)
        rolled_until = until
    readings = Reading.objects.filter(domain=domain)
    if rolled_until is not None:
        readings = readings.filter(read_at__gte=rolled_until)
    first = readings.order_by("read_at").values_list("read_at", flat=True).first()
    return None if first is None else _floor(first)


def _samples(domain: Domain, start: datetime, end: datetime) -> Iterator[Sample]:
    minutes: dict[tuple[datetime, str], Minute] = {}
    for since, until, figures in _spans(domain, start, end):
        for number, values in figures.items():
            if start <= since:
                minutes.setdefault((_floor(since), number), Minute()).see(values)
        for minute, seconds in _cut(max(since, start), min(until, end)):
            for number, values in figures.items():
                minutes.setdefault((minute, number), Minute()).last(values, seconds)
    ids = dict(Queue.objects.filter(domain=domain).values_list("number", "pk"))
    for (minute, number), seen in minutes.items():
        # A queue may have been deleted with its domain meanwhile.
        if seen.waiting and number in ids:
            yield seen.sample(ids[number], minute)


def _spans(domain: Domain, start: datetime, end: datetime) -> Iterator[Span]:
    """Each reading with the time for which it was the newest, bounded: it does not stand for a long silence."""
    longest = timedelta(seconds=MISSES_BRIDGED * pacing.interval_seconds(domain))
    # From before the start: the reading that was the newest at the start was made earlier.
    rows = Reading.objects.filter(domain=domain, read_at__gte=start - longest, read_at__lt=end)
    readings: list[tuple[datetime, dict[str, list[Any]]]] = [
        *rows.order_by("read_at").values_list("read_at", "figures"),
        (end, {}),
    ]
    for (read_at, figures), (next_at, _) in pairwise(readings):
        yield read_at, min(next_at, read_at + longest), figures


def _cut(since: datetime, until: datetime) -> Iterator[tuple[datetime, float]]:
    """(minute, seconds within it) for every minute that the span touches."""
    while since < until:
        minute = _floor(since)
        stop = min(until, minute + MINUTE)
        yield minute, (stop - since).total_seconds()
        since = stop


def _floor(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)
