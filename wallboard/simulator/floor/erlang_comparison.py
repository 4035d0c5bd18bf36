"""Runs the floor under the plain assumptions of theory, with confidence intervals from batches of callers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev

from wallboard.simulator.floor import traffic
from wallboard.simulator.floor.company import CallProfile, Company, Person, Queue, Strategy
from wallboard.simulator.floor.day import ConstantRateDay
from wallboard.simulator.floor.erlang import Waiting, erlang_a, erlang_c
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.floor.ground_truth import GroundTruth, QueueCall
from wallboard.simulator.floor.names import Customer

# Callers who come after each other wait alike; means of long batches hardly depend on each other.
BATCHES = 30
# Student's t for 29 degrees of freedom, two-sided 99 %.
T_99 = 2.756
WARM_UP_SHARE = 0.05  # the floor begins empty, which theory does not
CALLERS = [Customer("+442079460000", "A caller")]


@dataclass(frozen=True, slots=True)
class QueueModel:
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
        """What Erlang C, or Erlang A where people give up, says of it."""
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
class SimulatedWaiting:
    """The figures of `Waiting` as the floor shows them."""

    share_waiting: Estimate
    mean_wait_seconds: Estimate
    share_abandoning: Estimate


def run(model: QueueModel, callers: int, seed: int) -> SimulatedWaiting:
    """Run the real floor and its routing with these people until so many callers have been answered or have gone."""
    floor = Floor(_company(model), Random(seed), ConstantRateDay())  # noqa: S311  (guards nothing)
    floor.truth = GroundTruth(callers)
    floor.env.process(traffic.queue_arrivals(floor, floor.company.queues[0]))
    while len(floor.truth.left_queue) < callers:
        floor.env.step()
    # They are noted as they leave, and who leaves first has waited less.
    by_arrival = sorted(floor.truth.left_queue, key=lambda call: call.entered)[int(callers * WARM_UP_SHARE) :]
    return SimulatedWaiting(
        _estimate(by_arrival, lambda call: float(call.waited(0.0) > 0)),
        _estimate(by_arrival, lambda call: call.waited(0.0)),
        _estimate(by_arrival, lambda call: float(call.outcome == "abandoned")),
    )


def _company(model: QueueModel) -> Company:
    profile = CallProfile(
        talk_seconds=model.talk_seconds,
        wrap_up_seconds=0.0,
        patience_seconds=model.patience_seconds or 0.0,
        answer_seconds=0.0,
        greeting_seconds=0.0,
        transfer_share=0.0,
        can_abandon=model.patience_seconds is not None,
    )
    queue = Queue("4001", "Model", model.strategy, profile, calls_per_hour=model.calls_per_second * 3600)
    people = [Person(str(101 + index), "", queues=[queue]) for index in range(model.people)]
    queue.people.extend(people)
    return Company([queue], people, CALLERS)


def _estimate(calls: Sequence[QueueCall], figure: Callable[[QueueCall], float]) -> Estimate:
    size = len(calls) // BATCHES
    means = [fmean(figure(call) for call in calls[start : start + size]) for start in range(0, size * BATCHES, size)]
    return Estimate(fmean(means), T_99 * stdev(means) / BATCHES**0.5)
