"""One sample per queue and minute, rolled up from the readings; a minute without readings stays a gap."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import Domain
from accounts.statements import bulk_rows
from wallboard.live import feeds, publish
from wallboard.queues import documents, pacing, past_changes, trends
from wallboard.queues.figures import LONGEST_WAIT_SECONDS
from wallboard.queues.models import PastChange, PollState, Queue, Reading, Sample, Trends
from wallboard.queues.targets.levels import CLOSED, LATE, WATCH
from wallboard.queues.trends import Queues

MINUTE = timedelta(minutes=1)
HALF_A_MINUTE = 30.0  # carried over from the reading before: less than this makes no sample
GRACE = timedelta(seconds=5)  # a reading may be committed a moment after it was made
CLOCKS_DIFFER = MINUTE  # of machines that take turns, at most
MOST_MINUTES = 30  # rolled up in one go, of all companies together
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
# A reading stands for at most so many intervals: past them there is no data, not an old figure.
MISSES_BRIDGED = 2
AT_ONCE = 500  # samples in one statement
Figures = dict[str, list[Any]]  # by the number of the queue
Span = tuple["Window", datetime, datetime, Figures]  # of whom, from, until, and what was read


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
    return roll_together([domain.pk])


def roll_together(domain_ids: Collection[int]) -> int:
    """The same of several companies, which share their statements; the minutes of all of them."""
    domains, rolled, lines = Domain.objects.in_bulk(domain_ids), 0, dict[int, Trends]()
    # In pieces, each committed: after an outage of the worker one transaction would hold locks for long.
    while domains:
        most = max(1, MOST_MINUTES // len(domains))
        piece = _roll_some(domains, _floor(timezone.now() - GRACE), most)
        lines |= {each.domain_id: each for each in piece.trends}
        minutes = {each.domain.pk: each.minutes for each in piece.windows}
        rolled += sum(minutes.values())
        domains = {pk: domains[pk] for pk, count in minutes.items() if count == most}
    publish.tell_all((feeds.queues(pk), documents.trend_lines(each)) for pk, each in lines.items())
    return rolled


@dataclass(frozen=True)
class Window:
    """The whole minutes of a company that are rolled up in one go."""

    domain: Domain
    start: datetime
    end: datetime

    @property
    def minutes(self) -> int:
        return round((self.end - self.start) / MINUTE)


class Piece(NamedTuple):
    """What was rolled up in one go, and the lines that it moved on."""

    windows: list[Window]
    trends: list[Trends]


def _roll_some(domains: Mapping[int, Domain], until: datetime, most: int) -> Piece:
    """Roll up to `most` minutes of each that end at `until` at the latest; none of who has nothing left to do."""
    with transaction.atomic():
        # Else readings that are read again meanwhile (rereading.py) would have samples of what they were before.
        windows = _windows(domains, until, PollState.lock_all(domains), most)
        if not windows:
            return Piece([], [])
        queues = _queues(windows)
        samples = list(_samples(windows, {(domain_id, number): pk for pk, (domain_id, number) in queues.items()}))
        for begin in range(0, len(samples), AT_ONCE):
            # Repeating is harmless, so a killed worker needs no clean-up.
            bulk_rows.upsert(samples[begin : begin + AT_ONCE], ("queue_id", "minute"))
        moved = trends.advance({each.domain.pk: (each.start, each.end) for each in windows}, queues, samples)
        of_domain = _by_domain(samples, queues)
        for each in windows:
            past_changes.note(each.domain, PastChange.Kind.SAMPLES, of_domain[each.domain.pk])
        for end in {each.end for each in windows}:
            ids = [each.domain.pk for each in windows if each.end == end]
            PollState.objects.filter(domain__in=ids).update(rolled_until=end)
    return Piece(windows, moved)


def _windows(
    domains: Mapping[int, Domain], until: datetime, rolled_until: Mapping[int, datetime | None], most: int
) -> list[Window]:
    """Each from the first minute that is not rolled yet and has readings, or for most of which the reading before it
    stands; earlier ones without are skipped, they stay gaps.

    What was rolled ahead of now was so before a clock was set back: those minutes come again, and count from now on.
    """
    ahead = [pk for pk, at in rolled_until.items() if at is not None and at > until + CLOCKS_DIFFER]
    if ahead:
        PollState.objects.filter(domain__in=ahead).update(rolled_until=until)
    since = Coalesce(OuterRef("rolled_until"), Value(LONG_AGO))
    readings = Reading.objects.filter(domain=OuterRef("domain"))
    found = PollState.objects.filter(domain__in=rolled_until).order_by("domain").annotate(
        first=Subquery(readings.filter(read_at__gte=since).order_by("read_at").values("read_at")[:1]),
        before=Subquery(readings.filter(read_at__lt=since).order_by("-read_at").values("read_at")[:1]),
    )  # fmt: skip
    starts: dict[int, datetime] = {}
    for pk, rolled, first, before in found.values_list("domain_id", "rolled_until", "first", "before"):
        if first is not None and pk in domains:
            starts[pk] = _floor(first)
            if rolled and before and (before + _longest(domains[pk]) - rolled).total_seconds() >= HALF_A_MINUTE:
                starts[pk] = rolled
    return [
        Window(domains[pk], start, min(until, start + most * MINUTE)) for pk, start in starts.items() if start < until
    ]


def _queues(windows: Iterable[Window]) -> Queues:
    found = Queue.objects.filter(domain__in=[each.domain.pk for each in windows])
    return {pk: (domain_id, number) for pk, domain_id, number in found.values_list("pk", "domain_id", "number")}


def _by_domain(samples: Iterable[Sample], queues: Queues) -> dict[int, set[datetime]]:
    """The minutes of the samples, by company."""
    found: dict[int, set[datetime]] = defaultdict(set)
    for each in samples:
        found[queues[each.queue_id][0]].add(each.minute)
    return found


def _samples(windows: Iterable[Window], ids: Mapping[tuple[int, str], int]) -> Iterator[Sample]:
    minutes: dict[tuple[datetime, int], Minute] = {}
    for window, since, until, figures in _spans(windows):
        # A queue may have been deleted with its domain meanwhile.
        known = [(pk, each) for number, each in figures.items() if (pk := ids.get((window.domain.pk, number)))]
        if window.start <= since:
            minute = _floor(since)
            for pk, values in known:
                minutes.setdefault((minute, pk), Minute()).see(values)
        for minute, seconds in _cut(max(since, window.start), min(until, window.end)):
            for pk, values in known:
                minutes.setdefault((minute, pk), Minute()).last(values, seconds)
    for (minute, pk), seen in minutes.items():
        if seen.waiting:
            yield seen.sample(pk, minute)


def _spans(windows: Iterable[Window]) -> Iterator[Span]:
    """Each reading with the time for which it was the newest, bounded: it does not stand for a long silence."""
    longest = {each: _longest(each.domain) for each in windows}
    # From before the start: the reading that was the newest at the start was made earlier.
    wanted = (Q(domain=each.domain, read_at__gte=each.start - longest[each], read_at__lt=each.end) for each in longest)
    rows = Reading.objects.filter(reduce(or_, wanted)).order_by("domain", "read_at")
    of_domain: dict[int, list[tuple[datetime, Figures]]] = defaultdict(list)
    for domain_id, read_at, figures in rows.values_list("domain_id", "read_at", "figures"):
        of_domain[domain_id].append((read_at, figures))
    for each in longest:
        for (read_at, figures), (next_at, _) in pairwise([*of_domain[each.domain.pk], (each.end, {})]):
            yield each, read_at, min(next_at, read_at + longest[each]), figures


def _longest(domain: Domain) -> timedelta:
    """For how long a reading stands at most."""
    return timedelta(seconds=MISSES_BRIDGED * pacing.interval_seconds(domain))


def _cut(since: datetime, until: datetime) -> Iterator[tuple[datetime, float]]:
    """(minute, seconds within it) for every minute that the span touches."""
    while since < until:
        minute = _floor(since)
        stop = min(until, minute + MINUTE)
        yield minute, (stop - since).total_seconds()
        since = stop


def _floor(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)
