"""One figure over one window of time, from stored samples and calls: a card of kind `figure` that is not about now.

Waiting is summed over queues, the longest wait is a maximum, the average is weighted by who waits, and agents are never
summed, since people serve several queues: the queue with the fewest is named.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db.models import Count, F, Max, Min, QuerySet, Sum
from django.utils import timezone

from accounts import company_day, domains
from accounts.models import Domain
from wallboard.calibration import findings, locks
from wallboard.calibration.locks import Lock
from wallboard.calls.models import Leg
from wallboard.figures.phrases import ONE_CALL_ID, QUEUE_LEGS
from wallboard.queues import renumbering
from wallboard.queues.level_minutes import minutes
from wallboard.queues.models import Queue, Sample
from wallboard.queues.targets import levels
from wallboard.queues.targets.levels import NORMAL, Pair
from wallboard.reports.external_calls import external_calls
from wallboard.reports.service import counting, targets, today

CALLS_LOOKED_AT = timedelta(days=14)  # calls name their queues if one did in this time
OF_SERVICE = ("service_level", "left_queue", "answer_speed")  # of calls of queues; the worker counts them
OF_CALLS = ("answered", "unanswered", *OF_SERVICE)  # figures that are counted from call events
WAITS = ("longest", "average")  # as the provider tells them
OVERRULED, RENUMBERED, HIDDEN_WAIT = "overruled", "renumbered", "hidden_wait"
TODAY = "today"  # the window that begins with the company's day; others are so many minutes
Numbers = tuple[str, ...] | None


@dataclass(frozen=True)
class WindowFigure:
    """A figure: None where there was nothing to measure; not known where nothing was read, or `why` says what else.

    Waits in seconds, minutes and calls as counts; `queue` is the number of the queue it comes from, where it is one.
    `measured_minutes` says in how many minutes of the window queues were read, None for a figure of calls. `at` is when
    it was counted, where that was not just now. `level` is how a service level stands against `bounds` (watch, late).
    """

    number: float | None = None
    is_known: bool = True
    queue: str | None = None
    why: str = ""
    measured_minutes: int | None = field(default=None, compare=False)
    at: datetime | None = field(default=None, compare=False)
    level: str = NORMAL
    bounds: Pair = (None, None)


def window_begin(domain: Domain, window: str, now: datetime) -> datetime:
    """When a window begins that ends now: so many minutes ago, or with the company's day."""
    return company_day.start(domain, now) if window == TODAY else now - timedelta(minutes=int(window))


def shown_queues(domain: Domain, numbers: Numbers) -> QuerySet[Queue]:
    """The queues of those numbers, or all of them; hidden ones never."""
    queues = Queue.objects.filter(domain=domain, is_hidden=False)
    return queues if numbers is None else queues.filter(number__in=numbers)


def window_figure(domain: Domain, figure: str, window: str, numbers: Numbers, now: datetime) -> WindowFigure:
    """The figure (one of cards.FIGURES) from the window's begin until now."""
    since = window_begin(domain, window, now)
    if figure in OF_SERVICE:
        return service_figure(domain, figure, since, numbers)
    if figure in OF_CALLS:
        return call_figure(domain, figure, since, numbers)
    if figure in WAITS and domains.hides_wait(domain, figure):
        return WindowFigure(is_known=False, why=HIDDEN_WAIT)
    samples = Sample.objects.filter(queue__in=shown_queues(domain, numbers), minute__gte=since, minute__lt=now)
    measured = samples.aggregate(minutes=Count("minute", distinct=True))["minutes"]
    found = MEASURES[figure](samples) if measured else WindowFigure(is_known=False)
    return replace(found, measured_minutes=measured)


def call_figure(domain: Domain, figure: str, since: datetime, numbers: Numbers) -> WindowFigure:
    """Calls from outside; of single queues only where calls show which queue they went to."""
    if why := why_uncounted(domain, since, numbers):
        return WindowFigure(is_known=False, why=why)
    calls = external_calls(domain.pk, since, queues=numbers)
    return WindowFigure(getattr(calls, figure))


def why_uncounted(domain: Domain, since: datetime, numbers: Numbers) -> str:
    """Why calls from outside cannot be counted here, over these queues; "" where they can."""
    if missing := locks.against(domain.pk, ONE_CALL_ID):
        return why_of(missing)
    return "" if numbers is None or calls_name_queues(domain, since) else "queues_unseen"


def service_figure(domain: Domain, figure: str, since: datetime, numbers: Numbers) -> WindowFigure:
    """Calls of queues as the worker counted them; not known, with what is missing as `why`, where they cannot be told.

    `why` is the question of calibration, with ":lost" where its answer was proven and is contradicted, or ":other"
    where it is one with which there is no such figure.
    """
    ground = counting.ground(domain.pk)
    if ground.locks:
        return WindowFigure(is_known=False, why=why_of(ground.locks))
    shown = set(shown_queues(domain, numbers).values_list("number", flat=True))
    counted = today.since(domain.pk, shown, since)
    if counted.tally is None:
        return WindowFigure(is_known=False, why="too_many" if counted.locked == today.TOO_MANY else "", at=counted.at)
    if renumbering.is_split(domain.pk, shown, since, counted.at or timezone.now()):
        return WindowFigure(is_known=False, why=RENUMBERED, at=counted.at)
    why = OVERRULED if ground.overruled else ""
    found = WindowFigure(OF_TALLY[figure](counted.tally), why=why, at=counted.at)
    if figure != "service_level":
        return found
    bounds = targets.bounds_over(levels.standards(domain.pk), shown)
    level = targets.level_of(counted.tally.met, counted.tally.base, bounds)
    return replace(found, level=level, bounds=bounds)


def why_of(missing: Sequence[Lock]) -> str:
    """The one of these locks that matters most, as `why` of a figure."""
    lock = min(missing, key=lambda each: STATES.index(each.state))
    return lock.question + WHYS[lock.state]


def calls_name_queues(domain: Domain, since: datetime) -> bool:
    """Whether call events of a company show the queue that a call went to: as is certain, else as they did lately."""
    [(question, good)] = QUEUE_LEGS.items()
    standing = findings.standings(domain.pk)[question]
    if standing.is_certain:
        return standing.answer in good
    legs = Leg.objects.filter(domain=domain, first_seen_at__gte=since - CALLS_LOOKED_AT)
    return legs.exclude(queue="").exists()


def late_seconds(samples: QuerySet[Sample], column: str = "late_seconds") -> float:
    """Seconds in which it was so for at least one queue: per minute, the queue with the most counts."""
    by_minute = samples.values("minute").annotate(worst=Max(column))
    return float(by_minute.aggregate(total=Sum("worst"))["total"] or 0)


def _waiting(samples: QuerySet[Sample]) -> WindowFigure:
    found = samples.aggregate(sum=Sum("waiting"), minutes=Count("minute", distinct=True))
    return WindowFigure(round(found["sum"] / found["minutes"], 1))


def _longest(samples: QuerySet[Sample]) -> WindowFigure:
    waited = samples.filter(most_waiting__gt=0)
    most = waited.aggregate(most=Max("longest_wait_seconds"))["most"]
    return WindowFigure(most, is_known=most is not None or not waited.exists())


def _average(samples: QuerySet[Sample]) -> WindowFigure:
    told = samples.filter(average_wait_seconds__isnull=False, waiting__gt=0)
    sums = told.aggregate(wait=Sum(F("average_wait_seconds") * F("waiting")), waiting=Sum("waiting"))
    if not sums["waiting"]:
        return WindowFigure(is_known=not samples.filter(most_waiting__gt=0).exists())
    return WindowFigure(round(sums["wait"] / sums["waiting"]))


def _least(column: str) -> Callable[[QuerySet[Sample]], WindowFigure]:
    def least(samples: QuerySet[Sample]) -> WindowFigure:
        rows = samples.filter(**{f"{column}__isnull": False}).values("queue__order", "queue__number")
        row = rows.annotate(least=Min(column)).order_by("least", "queue__order", "queue__number").first()
        return WindowFigure(is_known=False) if row is None else WindowFigure(row["least"], queue=row["queue__number"])

    return least


def _most_waiting(samples: QuerySet[Sample]) -> WindowFigure:
    rows = samples.values("queue__order", "queue__number").annotate(most=Max("most_waiting"))
    row = rows.order_by("-most", "queue__order", "queue__number").first()
    return WindowFigure(row["most"], queue=row["queue__number"] if row["most"] else None) if row else WindowFigure()


def _minutes(column: str) -> Callable[[QuerySet[Sample]], WindowFigure]:
    return lambda samples: WindowFigure(minutes(late_seconds(samples, column)))


STATES = ("other", "contradicted", "unproven")  # what matters most first
WHYS = {"unproven": "", "contradicted": ":lost", "other": ":other"}
OF_TALLY: dict[str, Callable[[today.Tally], float | None]] = {
    "service_level": lambda tally: tally.percent,
    "left_queue": lambda tally: tally.offered - tally.answered,
    "answer_speed": lambda tally: tally.answer_seconds,
}
MEASURES: dict[str, Callable[[QuerySet[Sample]], WindowFigure]] = {
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
