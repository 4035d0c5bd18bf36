"""The next hour as it was forecast, beside what the simulated floor brought: coverage of the 80 % interval, mean error.

The floor runs for weeks with its own traffic, a level by weekday and one by chance for each day. Forecasts know only
what came before; "as last week" is the same hour seven days earlier. The floor's true rate, which nobody could know,
tells how much error no forecast can avoid. The numbers of these floors served no tuning.

python -m bench.forecast [--quick] [--seeds 21 22]
"""

import sys
from collections import defaultdict, deque
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from statistics import fmean

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import results
from bench.results import Line
from wallboard.forecast import calls_ahead, waits
from wallboard.forecast.calls_ahead import CallsAhead, Rates
from wallboard.forecast.courses import DayCourse, Window
from wallboard.forecast.waits import Behaviour
from wallboard.simulator.floor import company, traffic
from wallboard.simulator.floor.day import Day
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.floor.ground_truth import QueueCall
from wallboard.simulator.types import Process

MONDAY = date(2026, 1, 5)
WEEKDAYS = (1.15, 1.05, 1.0, 1.0, 0.9, 0.35, 0.2)  # of the base load
DAY_VARIANCE = 0.02  # of the level of a day beside its weekday
HOURS = range(8, 18)  # the shifts' core: later nobody is there
DAY_SECONDS, QUARTER_SECONDS = 86400, 900
PEOPLE = ((12, 3), (30, 4))  # and queues, of each floor


@dataclass
class Weeks:
    """What happened on a floor: its loads by day, and by queue and day the calls and waits of each quarter."""

    loads: list[float] = field(default_factory=list)
    queues: list[company.Queue] = field(default_factory=list)
    calls: dict[str, list[QueueCall]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True)
class Outcome:
    """One hour of one queue: what was forecast, what happened, a week before, and with the true rate."""

    low: float
    middle: float
    high: float
    happened: float
    last_week: float
    true_rate: float = 0.0


def run_floor(seed: int, people: int, queues: int, weeks: int) -> Weeks:
    """Let a company work for so many weeks."""
    random = Random(seed)
    floor = Floor(company.build(random, people, queues), random, Day(0.0))
    floor.truth.left_queue = deque()
    found = Weeks(queues=floor.company.queues)

    def levels() -> Process:
        for day in range(weeks * 7):
            floor.load = WEEKDAYS[day % 7] * random.gammavariate(1 / DAY_VARIANCE, DAY_VARIANCE)
            found.loads.append(floor.load)
            yield floor.env.timeout(DAY_SECONDS)

    floor.env.process(levels())
    traffic.start(floor)
    floor.env.run(until=weeks * 7 * DAY_SECONDS - 1)
    for call in floor.truth.left_queue:
        found.calls[call.queue].append(call)
    return found


class History:
    """One queue of a floor as a forecast sees it."""

    def __init__(self, weeks: Weeks, queue: company.Queue) -> None:
        self.weeks, self.queue = weeks, queue
        self.calls: dict[tuple[int, int], list[QueueCall]] = defaultdict(list)
        for call in weeks.calls[queue.number]:
            day, seconds = divmod(int(call.entered), DAY_SECONDS)
            self.calls[day, seconds // QUARTER_SECONDS].append(call)
        minutes = tuple(15.0 if quarter // 4 in HOURS else 0.0 for quarter in range(96))
        self.courses = [
            DayCourse(MONDAY + timedelta(days=day), tuple(len(self.calls[day, at]) for at in range(96)), minutes)
            for day in range(len(weeks.loads))
        ]

    def hour(self, day: int, hour: int) -> list[QueueCall]:
        """The calls of an hour."""
        return [call for quarter in range(hour * 4, hour * 4 + 4) for call in self.calls[day, quarter]]

    def longest(self, day: int, hour: int) -> float:
        return max((call.waited(0.0) for call in self.hour(day, hour)), default=0.0)

    def behaviour(self, before: int) -> Behaviour:
        """Patience as the callers before that day showed it; how long calls take is given."""
        seen = [call for (day, _), calls in self.calls.items() if day < before for call in calls]
        profile, left = self.queue.profile, sum(call.outcome == "abandoned" for call in seen)
        handling = profile.talk_seconds + profile.wrap_up_seconds + profile.answer_seconds
        return Behaviour(handling, profile.answer_seconds, sum(call.waited(0.0) for call in seen) / max(left, 1))

    def people(self, day: int, hour: int, times: Behaviour) -> float | None:
        """As many as explain the waits of that hour in the weeks before."""
        before = [call for week in range(1, calls_ahead.WEEKS + 1) for call in self.hour(day - 7 * week, hour)]
        waited = sum(call.waited(0.0) for call in before)
        return waits.people_at_work(len(before), 60.0 * calls_ahead.WEEKS, waited, times)

    def true_rate(self, day: int, hour: int) -> float:
        """Calls of that hour as the floor draws them."""
        share = fmean(Day(0.0).call_rate(hour * 3600 + quarter * 900 + 450) for quarter in range(4))
        return self.queue.calls_per_hour * self.weeks.loads[day] * share


def outcomes(history: History, first: int) -> tuple[list[Outcome], list[Outcome]]:
    """Every hour from that day on: its calls and its longest wait."""
    calls, longest = [], []
    times = history.behaviour(first)
    for day in range(first, len(history.courses)):
        rates = Rates(history.courses[: day + 1], history.courses[day].day)
        for hour in HOURS:
            ahead = rates.ahead(Window(history.courses[day].day, hour * 4), hour * 4)
            if not isinstance(ahead, CallsAhead):
                continue
            happened, before = len(history.hour(day, hour)), len(history.hour(day - 7, hour))
            low, high = ahead.interval
            calls.append(Outcome(low, ahead.mean, high, happened, before, history.true_rate(day, hour)))
            people = history.people(day, hour, times)
            if people is not None:
                middle, least, most = waits.longest_wait(ahead, people, times)
                last_week = history.longest(day - 7, hour)
                longest.append(Outcome(least, middle, most, history.longest(day, hour), last_week))
    return calls, longest


def lines(what: str, found: list[Outcome], unit: str) -> list[Line]:
    """Coverage and error of one figure."""
    covered = 100 * fmean(each.low <= each.happened <= each.high for each in found)
    error = fmean(abs(each.middle - each.happened) for each in found)
    last_week = fmean(abs(each.last_week - each.happened) for each in found)
    above = results.bounded(f"{what}: inside the 80 % interval", covered, "%", at_least=75)
    below = results.bounded(f"{what}: inside the 80 % interval", covered, "%", at_most=85)
    compared = results.compared(f"{what}: mean error, beside as last week", error, last_week, unit, at_most=0.99)
    return [above, below, compared]


def main() -> int:
    parser = results.parser(__doc__)
    parser.add_argument("--seeds", type=int, nargs="*", default=[21, 22])
    options = parser.parse_args()
    weeks = 9 if options.quick else 12
    calls: list[Outcome] = []
    longest: list[Outcome] = []
    for seed, (people, queues) in zip(options.seeds, PEOPLE * len(options.seeds), strict=False):
        floor = run_floor(seed, people, queues, weeks)
        print(
            f"floor {seed}: {sum(map(len, floor.calls.values())):,} calls of {queues} queues in {weeks} weeks",
            flush=True,
        )
        for queue in floor.queues:
            found = outcomes(History(floor, queue), calls_ahead.WEEKS * 7)
            calls, longest = calls + found[0], longest + found[1]
    true = fmean(abs(each.true_rate - each.happened) for each in calls)
    told = results.bounded("calls: mean error of the true rate", true, "calls")
    return results.tell([*lines("calls", calls, "calls"), told, *lines("longest wait", longest, "s")])


if __name__ == "__main__":
    sys.exit(main())
