"""A trial of the floor under the plain assumptions of theory, with confidence intervals from batches of callers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev

from wallboard.simulator import life
from wallboard.simulator.company import Company, Manner, Person, Queue, Strategy
from wallboard.simulator.day import EvenDay
from wallboard.simulator.erlang import Waiting, erlang_a, erlang_c
from wallboard.simulator.floor import Floor, Wait

BATCHES = 30
# Student's t for 29 degrees of freedom, two-sided 99 %.
T_99 = 2.756
WARM_UP_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Setting:
    """So many people of one queue, and a load in erlangs; patience None means that nobody gives up."""

    people: int
    load: float
    patience_seconds: float | None = None
    strategy: Strategy = "longest idle"
    talk_seconds: float = 180.0

    @property
    def calls_per_second(self) -> float:
        return self.load / self.talk_seconds

    def theory(self) -> Waiting:
        if self.patience_seconds is None:
            return erlang_c(self.people, self.calls_per_second, self.talk_seconds)
        return erlang_a(self.people, self.calls_per_second, self.talk_seconds, self.patience_seconds)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over a run with the half width of its 99 % confidence interval."""

    mean: float
    half_width: float

    def covers(self, value: float) -> bool:
        return abs(value - self.mean) <= self.half_width


@dataclass(frozen=True, slots=True)
class Outcome:
    share_waiting: Estimate
    mean_wait_seconds: Estimate
    share_giving_up: Estimate


def run(setting: Setting, callers: int, seed: int) -> Outcome:
    """Run the real floor and its routing with these people until so many callers have been served or have gone."""
    floor = Floor(_company(setting), Random(seed), EvenDay())  # noqa: S311  (guards nothing)
    floor.waits = []
    floor.env.process(life.queue_arrivals(floor, floor.company.queues[0]))
    while len(floor.waits) < callers:
        floor.env.step()
    waits = sorted(floor.waits, key=lambda wait: wait.entered)[int(callers * WARM_UP_SHARE) :]
    return Outcome(
        _estimate(waits, lambda wait: float(wait.seconds > 0)),
        _estimate(waits, lambda wait: wait.seconds),
        _estimate(waits, lambda wait: float(wait.gave_up)),
    )


def _company(setting: Setting) -> Company:
    manner = Manner(
        talk_seconds=setting.talk_seconds,
        wrap_seconds=0.0,
        patience_seconds=setting.patience_seconds or 0.0,
        answer_seconds=0.0,
        greeting_seconds=0.0,
        transfer_share=0.0,
        gives_up=setting.patience_seconds is not None,
    )
    queue = Queue("4001", "Trial", setting.strategy, manner, calls_per_hour=setting.calls_per_second * 3600)
    people = [Person(str(101 + index), "", queues=[queue]) for index in range(setting.people)]
    queue.people.extend(people)
    return Company([queue], people, life.NOBODY_SPECIAL)


def _estimate(waits: Sequence[Wait], figure: Callable[[Wait], float]) -> Estimate:
    size = len(waits) // BATCHES
    means = [fmean(figure(wait) for wait in waits[start : start + size]) for start in range(0, size * BATCHES, size)]
    return Estimate(fmean(means), T_99 * stdev(means) / BATCHES**0.5)
