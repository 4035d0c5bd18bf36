"""One figure over one window of time, from kept samples and calls: what a card of kind `figure` shows when not of now.

Waiting is summed over queues, the longest wait is a maximum, the average is weighted by who waits, and agents are never
summed, since people serve several queues: the queue with the fewest is told.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Max, Min, QuerySet, Sum

from accounts import days
from accounts.models import Domain
from wallboard.boards.cards import TODAY
from wallboard.boards.outside import outside_calls
from wallboard.calls.models import Leg
from wallboard.queues.models import Queue, Sample

SEEN_SINCE = timedelta(days=1)  # calls name their queues here if one did in this time
Numbers = tuple[str, ...] | None


@dataclass(frozen=True)
class Value:
    """A figure: None where there was nothing to measure; not known where nothing was read, or `why` says what else.

    Waits in seconds, minutes and calls as counts; `queue` is the number of the queue it comes from, where it is one.
    """

    number: float | None = None
    is_known: bool = True
    queue: str | None = None
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"value": self.number, "is_known": self.is_known, "queue": self.queue, "why": self.why}


def begin_of(domain: Domain, window: str, now: datetime) -> datetime:
    """When a window begins that ends now: so many minutes ago, or with the company's day."""
    return days.start(domain, now) if window == TODAY else now - timedelta(minutes=int(window))


def queues_of(domain: Domain, numbers: Numbers) -> QuerySet[Queue]:
    """The queues of those numbers, or all of them; hidden ones never."""
    queues = Queue.objects.filter(domain=domain, is_hidden=False)
    return queues if numbers is None else queues.filter(number__in=numbers)


def value(domain: Domain, figure: str, window: str, numbers: Numbers, now: datetime) -> Value:
    """The figure (one of cards.FIGURES) from the window's begin until now."""
    since = begin_of(domain, window, now)
    if figure in ("answered", "unanswered"):
        return of_calls(domain, figure, since, numbers)
    samples = Sample.objects.filter(queue__in=queues_of(domain, numbers), minute__gte=since, minute__lt=now)
    return MEASURES[figure](samples) if samples.exists() else Value(is_known=False)


def of_calls(domain: Domain, figure: str, since: datetime, numbers: Numbers) -> Value:
    """Calls from outside; of single queues only where calls show which queue they went to."""
    if numbers is not None and not names_queues(domain, since):
        return Value(is_known=False, why="queues_unseen")
    calls = outside_calls(domain.pk, since, queues=numbers)
    return Value(getattr(calls, figure))


def names_queues(domain: Domain, since: datetime) -> bool:
    """Whether call events of this company show the queue that a call went to."""
    legs = Leg.objects.filter(domain=domain, first_seen_at__gte=since - SEEN_SINCE)
    return legs.exclude(queue="").exists()


def late_seconds(samples: QuerySet[Sample], column: str = "late_seconds") -> float:
    """Seconds in which it was so for at least one queue: per minute, the queue with the most counts."""
    by_minute = samples.values("minute").annotate(worst=Max(column))
    return float(by_minute.aggregate(total=Sum("worst"))["total"] or 0)


def _waiting(samples: QuerySet[Sample]) -> Value:
    found = samples.aggregate(sum=Sum("waiting"), minutes=Count("minute", distinct=True))
    return Value(round(found["sum"] / found["minutes"], 1))


def _longest(samples: QuerySet[Sample]) -> Value:
    return Value(samples.filter(most_waiting__gt=0).aggregate(most=Max("longest_wait_seconds"))["most"])


def _average(samples: QuerySet[Sample]) -> Value:
    told = samples.filter(average_wait_seconds__isnull=False, waiting__gt=0)
    sums = told.aggregate(wait=Sum(F("average_wait_seconds") * F("waiting")), waiting=Sum("waiting"))
    return Value(round(sums["wait"] / sums["waiting"]) if sums["waiting"] else None)


def _least(column: str) -> Callable[[QuerySet[Sample]], Value]:
    def least(samples: QuerySet[Sample]) -> Value:
        rows = samples.filter(**{f"{column}__isnull": False}).values("queue__order", "queue__number")
        row = rows.annotate(least=Min(column)).order_by("least", "queue__order", "queue__number").first()
        return Value(is_known=False) if row is None else Value(row["least"], queue=row["queue__number"])

    return least


def _most_waiting(samples: QuerySet[Sample]) -> Value:
    rows = samples.values("queue__order", "queue__number").annotate(most=Max("most_waiting"))
    row = rows.order_by("-most", "queue__order", "queue__number").first()
    return Value(row["most"], queue=row["queue__number"] if row["most"] else None) if row else Value()


def _minutes(column: str) -> Callable[[QuerySet[Sample]], Value]:
    return lambda samples: Value(late_seconds(samples, column) // 60)


MEASURES: dict[str, Callable[[QuerySet[Sample]], Value]] = {
    "waiting": _waiting,
    "longest": _longest,
    "average": _average,
    "available": _least("least_available"),
    "agents": _least("agents"),
    "most_waiting": _most_waiting,
    "late_minutes": _minutes("late_seconds"),
    "watch_minutes": _minutes("watch_seconds"),
    "nobody_minutes": _minutes("nobody_seconds"),
}
