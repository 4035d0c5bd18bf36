"""How long the longest wait of the next hour is, and how many people it takes to keep it within the target: Erlang A
with the company's own handling times and patience, and as many people as explain the waits of the same hour before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wallboard.forecast.calls_ahead import CallsAhead
from wallboard.forecast.erlang import LONGEST_SECONDS, ErlangA, people_for

HOUR_SECONDS = 3600.0
LOW = 0.12  # for 0.1: with few people the closed form says of short waits that they are a little likelier than they are
LEVELS = 8  # of calls, equally likely, over which waits are mixed
FEWEST_LEFT, FEWEST_TALKS, FEWEST_GAPS = 20, 50, 20
LONGEST_PATIENCE = 1800.0
MOST_PEOPLE = 500
Expected = tuple[float, float, float]  # the middle, and from, to of the interval


@dataclass(frozen=True)
class Behaviour:
    """Mean times of a queue in seconds: how long a call keeps a person, how long it rings, when callers give up."""

    handling_seconds: float
    ring_seconds: float
    patience_seconds: float


@dataclass(frozen=True)
class Sums:
    """What days add up to: the waits of all callers and how many of them left, talks, rings, and the gaps between two
    calls of a person while somebody waited; each with its count."""

    wait_seconds: float = 0.0
    left: int = 0
    talk_seconds: float = 0.0
    talks: int = 0
    ring_seconds: float = 0.0
    rings: int = 0
    gap_seconds: float = 0.0
    gaps: int = 0

    def __add__(self, other: "Sums") -> "Sums":
        mine, theirs = vars(self), vars(other)
        return Sums(**{name: mine[name] + theirs[name] for name in mine})


def behaviour(sums: Sums) -> Behaviour | None:
    """The means; None where too few calls were seen. Who was answered had more patience than they showed, so all
    waiting is divided by those who left (L. Brown et al., "Statistical analysis of a telephone call center", 2005)."""
    if sums.talks < FEWEST_TALKS:
        return None
    ring = sums.ring_seconds / sums.rings if sums.rings else 0.0
    # Between two calls lie work after the call and the next ringing, where somebody waited all the time.
    between = sums.gap_seconds / sums.gaps if sums.gaps >= FEWEST_GAPS else ring
    handling = sums.talk_seconds / sums.talks + between
    # Nobody waits for ever, even where hardly anybody was seen to leave.
    patience = sums.wait_seconds / sums.left if sums.left >= FEWEST_LEFT else LONGEST_PATIENCE
    return Behaviour(max(handling, 1.0), ring, min(max(patience, 1.0), LONGEST_PATIENCE))


def people_at_work(calls: int, minutes: float, wait_seconds: float, times: Behaviour) -> float | None:
    """As many people on this queue alone as explain the waits of those hours; None where nobody called."""
    if not calls or not minutes:
        return None
    waited = max(wait_seconds / calls - times.ring_seconds, 0.5)
    return people_for(waited, calls / minutes / 60, times.handling_seconds, times.patience_seconds)


def longest_wait(calls: CallsAhead, people: float, times: Behaviour) -> Expected:
    """The longest wait of the hour with so many people."""
    models = [_model(level, times)(people) for level in calls.levels(LEVELS)]

    def chance(seconds: float) -> float:
        return sum(model.longest_within(seconds, HOUR_SECONDS) for model in models) / len(models)

    middle, low, high = (_point(chance, share) for share in (0.5, LOW, 0.9))
    ring = times.ring_seconds
    return middle + ring, low + ring, high + ring


def people_needed(calls: CallsAhead, target_seconds: float, times: Behaviour) -> Expected | None:
    """The fewest people with whom the longest wait is as likely within the target as not; None above MOST_PEOPLE.

    From, to: the same for the fewest and the most of eight equally likely levels of calls.
    """
    levels = calls.levels(LEVELS)
    wanted = max(1.0, target_seconds - times.ring_seconds)
    together = [_model(level, times) for level in levels]
    middle = _fewest(together, wanted)
    low, high = _fewest(together[:1], wanted), _fewest(together[-1:], wanted)
    return (middle, low, high) if middle and low and high else None


def _model(level: float, times: Behaviour) -> Callable[[float], ErlangA]:
    rate = max(level, 1e-3) / HOUR_SECONDS
    return lambda people: ErlangA(people, rate, times.handling_seconds, times.patience_seconds)


def _fewest(models: Sequence[Callable[[float], ErlangA]], wanted: float) -> int | None:
    def is_enough(people: int) -> bool:
        chances = [model(people).longest_within(wanted, HOUR_SECONDS) for model in models]
        return sum(chances) / len(chances) >= 0.5

    least, most = 0, 1
    while not is_enough(most):
        least, most = most, most * 2
        if least > MOST_PEOPLE:
            return None
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if is_enough(middle) else (middle, most)
    return most


def _point(chance: Callable[[float], float], share: float) -> float:
    least, most = 0.0, LONGEST_SECONDS
    if chance(0.0) >= share:
        return 0.0
    while most - least > 1:
        middle = (least + most) / 2
        least, most = (least, middle) if chance(middle) >= share else (middle, most)
    return most
