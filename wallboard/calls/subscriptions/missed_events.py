"""Callers whom the polled figures show and no call event told of: the one sign that the webhook is silently deaf.

Two rules. Where call events show the legs of queues, whoever joins or leaves a queue is told of: figures that moved
after the last event, and stood for one more poll, are missed events. Elsewhere callers who join for ten minutes are.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.utils import timezone

from accounts.models import Domain
from wallboard.calls.models import Leg, Subscription
from wallboard.queues import pacing
from wallboard.queues.models import PollState, Reading, Sample

LONGEST_QUIET = timedelta(minutes=10)  # a lone caller who waits changes nothing for so long
LEAD = timedelta(seconds=60)  # a call has events before it reaches a queue: greeting, menu
LOOKED_BACK = timedelta(hours=1)
FEWEST = 3  # callers by the minute; one or two may be a figure that jumped
FEWEST_MOVES = 2  # callers who joined or left, reading by reading
LONGEST_LAG = timedelta(seconds=60)  # figures may come so long after the event that explains them: of one move alone
PROOF = timedelta(days=1)  # queue legs seen within so long prove that events show them
# Ten minutes at the usual five seconds: after those the other rule looks.
MOST_READINGS = 120
MINUTE = timedelta(minutes=1)  # of a sample
LATE_SECONDS = 5.0  # that figures and events may come apart, beside an interval
Figures = dict[str, list[int]]  # as in Reading


@dataclass(frozen=True)
class Silence:
    """At least so many callers joined or left the queues since the last call event, which came at `since`.

    `moved_at` is when the figures first showed one of them.
    """

    since: datetime
    callers: int
    moved_at: datetime

    @property
    def began_at(self) -> datetime:
        """Since when events are missing: the last one, or a while before the first caller where it was quiet before."""
        return max(self.since, self.moved_at - LEAD)


def of(domain: Domain) -> Silence | None:
    """The silence of a company whose subscription for calls seems to stand; None where there is none."""
    now = timezone.now()
    heard = _heard(Subscription.objects.filter(domain=domain, kind=Subscription.Kind.CALLS))
    # Without a subscription that stands there is nothing that could be silent.
    if heard is None:
        return None
    found = moves(domain, heard) if heard < now - _tolerance(domain) and _shows_queues(domain, now) else None
    if found is None and now - heard >= LONGEST_QUIET:
        joined = arrivals(domain.pk, max(heard, now - LOOKED_BACK))
        found = joined if joined and joined.callers >= FEWEST else None
    return Silence(heard, found.callers, found.since) if found else None


def may_be_silent(domain: Domain, of_calls: Iterable[Subscription], now: datetime) -> bool:
    """Whether to look for a silence at all: nothing was heard for a moment, callers moved since then, and it was not
    found out already. The company was read together with its poll state."""
    rows = [row for row in of_calls if row.state == Subscription.State.READY]
    heard = _heard(rows)
    if heard is None or heard >= now - _tolerance(domain) or all(row.silent_at is not None for row in rows):
        return False
    state: PollState | None = getattr(domain, "poll_state", None)
    # No caller moved after what is explained by the last event; of minutes, none who rose from one to the next.
    explained = heard + min(_tolerance(domain), MINUTE)
    return state is None or state.moved_at is None or state.moved_at >= explained


def _heard(of_calls: Iterable[Subscription]) -> datetime | None:
    """When the newest sign of life came over any that stands; None where none does."""
    ready = (row for row in of_calls if row.state == Subscription.State.READY)
    return max((row.heard_at or row.ready_at or row.created_at for row in ready), default=None)


@dataclass(frozen=True)
class Moves:
    """How many callers joined or left, the first of them at `since`."""

    callers: int
    since: datetime


def moves(domain: Domain, heard: datetime) -> Moves | None:
    """Who joined or left since then by the readings; None where that may be explained by what was heard.

    The newest reading counts only for whether the one before stands: events may come a moment after a poll.
    """
    after = heard + _tolerance(domain)
    rows = Reading.objects.filter(domain=domain, read_at__gte=heard - _tolerance(domain))
    readings = list(rows.order_by("-read_at").values_list("read_at", "figures")[:MOST_READINGS])[::-1]
    found, standing = 0, dict[str, int]()
    first: datetime | None = None
    # The first readings only give what stood: an event may have come just before its figures moved.
    for (at, now), (_, later) in pairwise(readings):
        moved = _moved(standing, now, later)
        if moved and at >= after:
            first = first or at
            found += moved
    is_lag = first is not None and first - heard < LONGEST_LAG
    # One move soon after an event is most likely that event, in figures that lag.
    return None if first is None or (found < FEWEST_MOVES and is_lag) else Moves(found, first)


def _moved(standing: dict[str, int], now: Figures, later: Figures) -> int:
    """By how many callers the queues differ from what stood, where the next reading says so, too; that stands then."""
    found = 0
    for queue, (count, *_) in now.items():
        before = standing.setdefault(queue, count)
        if count != before and queue in later and later[queue][0] != before:
            standing[queue] = count
            found += abs(count - before)
    return found


def _tolerance(domain: Domain) -> timedelta:
    """How long after an event the figures may still be moved by it, by ordinary providers."""
    return timedelta(seconds=pacing.interval_seconds(domain) + LATE_SECONDS)


def _shows_queues(domain: Domain, now: datetime) -> bool:
    return Leg.objects.filter(domain=domain, first_seen_at__gt=now - PROOF).exclude(queue="").exists()


def arrivals(domain_id: int, since: datetime) -> Moves | None:
    """Who must have joined since then: wherever more waited in a minute than in the one before."""
    samples = Sample.objects.filter(queue__domain_id=domain_id, minute__gt=since).order_by("queue_id", "minute")
    by_queue: dict[int, list[tuple[datetime, int]]] = defaultdict(list)
    for queue_id, minute, most in samples.values_list("queue_id", "minute", "most_waiting"):
        by_queue[queue_id].append((minute, most))
    # Between two samples one may leave and another come: this counts too few rather than too many.
    joined = [
        (minute, after - before)
        for told in by_queue.values()
        for (_, before), (minute, after) in pairwise(told)
        if after > before
    ]
    return Moves(sum(count for _, count in joined), min(minute for minute, _ in joined)) if joined else None
