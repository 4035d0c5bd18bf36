"""What the waits of a past day would have been with more or fewer people: its arrivals replayed through a small queue.

Who came and when is as it was. How long each would have talked and waited is drawn from the company's own means, and
the people at work are as many as explain the waits of each hour. Both sides are of the model: as it was, and changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from statistics import fmean, quantiles

from wallboard.forecast.replay import Caller, Done, Staffing, replay
from wallboard.forecast.waits import Behaviour, Expected

HOUR, BLOCK, BLOCKS = 3600.0, 300.0, 12
FIT_STEPS, FIT_RUNS, RUNS = 8, 10, 80
FIT_CALLS, MOST_CALLS = 1_000, 16_000  # drawn in a fit of one hour, and in all runs together
FEWEST_RUNS = 20
MOST_CALLERS = 4_000  # whose hours are replayed: a page must not hold a process for long


@dataclass(frozen=True)
class Came:
    """A caller of that day: when, how long they waited, whether they were answered."""

    entered_at: datetime
    wait_seconds: float
    is_answered: bool


@dataclass(frozen=True)
class Waits:
    """Callers of some hours: their mean and longest wait, how many left, the share answered within the target."""

    mean_seconds: float
    longest_seconds: float
    left: float
    within_percent: float


@dataclass(frozen=True)
class Spread:
    """The same over many runs: the middle of each, and from, to of its 80 % interval."""

    mean_seconds: Expected
    longest_seconds: Expected
    left: Expected
    within_percent: Expected


@dataclass(frozen=True)
class Answer:
    """What was measured, what the model says of the day as it was and with other people, and how many were at work."""

    calls: int
    people: float
    measured: Waits
    as_it_was: Spread
    changed: Spread

    @property
    def fitting(self) -> int:
        """How many of longest wait, callers who left and share in time lie within what the model says of that day."""
        pairs = (
            (self.measured.longest_seconds, self.as_it_was.longest_seconds),
            (self.measured.left, self.as_it_was.left),
            (self.measured.within_percent, self.as_it_was.within_percent),
        )
        return sum(low <= value <= high for value, (_, low, high) in pairs)


def answer(
    came: Sequence[Came], begin: datetime, end: datetime, change: int, times: Behaviour, target_seconds: float
) -> Answer | None:
    """The waits from `begin` until `end`; None where nobody came. `came` are all callers from an hour before on."""
    # In one zone, from begin to end would be the time on the wall: an hour is missing where clocks change.
    begin, end = begin.astimezone(UTC), end.astimezone(UTC)
    callers = sorted(came, key=lambda each: each.entered_at)
    span = (HOUR, HOUR + (end - begin).total_seconds())
    entered = [(each.entered_at - begin).total_seconds() + HOUR for each in callers]
    inside = [each for each, at in zip(callers, entered, strict=True) if span[0] <= at < span[1]]
    if not inside:
        return None
    runs = max(FEWEST_RUNS, min(RUNS, MOST_CALLS // len(callers)))
    drawn = [_drawn(entered, times, Random(run)) for run in range(runs)]  # noqa: S311  (guards nothing)
    people = _people_by_hour(callers, entered, drawn, times)
    first = int(span[0] // HOUR)
    usual = people[first : first + max(1, round((span[1] - span[0]) / HOUR))]

    def spread(more: int) -> Spread:
        staffing = _staffing(people, span, more)
        return _spread([_summary(replay(each, staffing), span, times.ring_seconds, target_seconds) for each in drawn])

    measured = [Done(0.0, each.wait_seconds, each.is_answered) for each in inside]
    return Answer(
        len(inside), fmean(usual), _summary(measured, (0.0, 1.0), 0.0, target_seconds), spread(0), spread(change)
    )


def _drawn(entered: Sequence[float], times: Behaviour, random: Random) -> list[Caller]:
    return [
        Caller(at, random.expovariate(1 / times.handling_seconds), random.expovariate(1 / times.patience_seconds))
        for at in entered
    ]


def _people_by_hour(
    came: Sequence[Came], entered: Sequence[float], drawn: Sequence[Sequence[Caller]], times: Behaviour
) -> list[float]:
    """As many people in each hour as make its callers wait as long as they did; an hour without calls as before it."""
    people: list[float] = []
    for hour in range(int(entered[-1] // HOUR) + 1):
        since, until = (hour - 1) * HOUR, (hour + 1) * HOUR
        waited = [each.wait_seconds for each, at in zip(came, entered, strict=True) if hour * HOUR <= at < until]
        if not waited:
            people.append(people[-1] if people else 1.0)
            continue
        runs = max(3, min(FIT_RUNS, FIT_CALLS // len(waited)))
        some = [[caller for caller in each if since <= caller.entered < until] for each in drawn[:runs]]
        people.append(_fitted(people, some, hour * HOUR, fmean(waited), times))
    return people


def _fitted(
    before: Sequence[float], drawn: Sequence[Sequence[Caller]], since: float, wanted: float, times: Behaviour
) -> float:
    """The people of one hour, those of the hours before being known, by halving."""
    load = len(drawn[0]) * times.handling_seconds / HOUR
    least, most = 0.0, 3.0 + 2 * load
    for _ in range(FIT_STEPS):
        middle = (least + most) / 2
        staffing = _staffing([*before, middle])
        waits = [_waited(call, times) for each in drawn for call in replay(each, staffing) if call.entered >= since]
        least, most = (middle, most) if fmean(waits) > wanted else (least, middle)
    return (least + most) / 2


def _staffing(people: Sequence[float], span: tuple[float, float] = (0.0, 0.0), more: int = 0) -> Staffing:
    """People at a second, `more` of them in that span; parts of a person are there in as many blocks of the hour."""
    blocks = []
    for block in range(len(people) * BLOCKS):
        known = people[block // BLOCKS]
        is_there = int((block + 1) * (known % 1)) > int(block * (known % 1))
        is_inside = span[0] <= block * BLOCK < span[1]
        blocks.append(max(0, int(known) + is_there + (more if is_inside else 0)))
    last = len(blocks) - 1
    return lambda second: blocks[min(int(second // BLOCK), last)]


def _waited(call: Done, times: Behaviour) -> float:
    """The phone rings before anybody answers; who is free is found at once."""
    return call.waited + (times.ring_seconds if call.is_answered else 0.0)


def _summary(done: Sequence[Done], span: tuple[float, float], ring: float, target: float) -> Waits:
    inside = [call for call in done if span[0] <= call.entered < span[1]]
    waits = [call.waited + (ring if call.is_answered else 0.0) for call in inside]
    within = sum(call.is_answered and wait <= target for call, wait in zip(inside, waits, strict=True))
    left = sum(not call.is_answered for call in inside)
    return Waits(fmean(waits), max(waits), left, 100 * within / len(inside))


def _spread(runs: Sequence[Waits]) -> Spread:
    def of(values: Sequence[float]) -> Expected:
        points = quantiles(values, n=10, method="inclusive")
        return points[4], points[0], points[8]

    return Spread(
        of([run.mean_seconds for run in runs]),
        of([run.longest_seconds for run in runs]),
        of([run.left for run in runs]),
        of([run.within_percent for run in runs]),
    )
