"""Waiting where calls come at random, people talk for random times and patience runs out at random: Erlang B, C and A.

Erlang A (M/M/c+M) in the closed form of A. Mandelbaum and S. Zeltyn, "Service engineering in action: the Palm/Erlang-A
queue" (2007), after C. Palm (1957) and F. Baccelli and G. Hebuterne (1981). Without patience it is Erlang B, with
endless patience Erlang C. People need not be whole: between whole numbers the share of idle time is interpolated.
"""

from dataclasses import dataclass
from functools import cached_property
from math import exp, floor, inf, log, log1p

SMALLEST_TERM = 1e-12  # of an endless sum: what follows changes no figure any more
MOST_TERMS = 100_000
SMALLEST_NUMBER, LARGE_NUMBER = 1e-300, 1e200
STEPS = 20  # of a search that halves its range
LONGEST_SECONDS = 7200.0
SMALLEST_SHARE = 0.3  # of crossings that end a clump: where load is near 1 the formula would say that none does


def erlang_b(people: int, load: float) -> float:
    """Share of callers who find everybody busy where nobody may wait; load in erlangs."""
    blocked = 1.0
    for count in range(1, people + 1):
        blocked = load * blocked / (count + load * blocked)
    return blocked


def log_inverse_b(people: float, load: float) -> float:
    """The logarithm of 1 / Erlang B, also between whole numbers of people."""
    whole = floor(people)
    here = -log(max(erlang_b(whole, load), SMALLEST_NUMBER))
    if people <= whole:
        return here
    following = log_sum(0.0, log((whole + 1) / load) + here)
    return here + (people - whole) * (following - here)


def log_sum(one: float, other: float) -> float:
    """The logarithm of a sum of which both logarithms are given."""
    return max(one, other) + log1p(exp(-abs(one - other)))


@dataclass(frozen=True)
class ErlangA:
    """A queue with so many people; times in seconds, patience may be `inf`. Calls may come faster than they are taken
    only where patience ends. Raises ValueError for what has no steady state or no meaning."""

    people: float
    calls_per_second: float
    handling_seconds: float
    patience_seconds: float = inf

    def __post_init__(self) -> None:
        if self.people < 1 or self.calls_per_second <= 0 or self.handling_seconds <= 0 or self.patience_seconds <= 0:
            raise ValueError("People, calls, handling time and patience have to be more than nothing.")
        if self.patience_seconds == inf and self.load >= self.people:
            raise ValueError("Where nobody gives up, the load must stay below the number of people.")

    @property
    def load(self) -> float:
        """In erlangs."""
        return self.calls_per_second * self.handling_seconds

    @property
    def share_waiting(self) -> float:
        """Of all callers, those who find everybody busy."""
        return self._longer(0.0)

    @property
    def share_abandoning(self) -> float:
        """Of all callers, those who give up."""
        return self.mean_wait_seconds / self.patience_seconds

    @property
    def mean_wait_seconds(self) -> float:
        """Of all callers, also of those who give up."""
        if self.patience_seconds == inf:
            return self.share_waiting / (self._taken_per_second - self.calls_per_second)
        excess = 1 - self._taken_per_second / self.calls_per_second
        gone = exp(self._log_scale) / self.calls_per_second + excess * self.share_waiting
        return max(0.0, gone) * self.patience_seconds

    def longest_within(self, seconds: float, span_seconds: float) -> float:
        """How likely it is that nobody waits longer than that in such a span."""
        # The wait that is offered falls by a second a second, and crosses a level upwards as often as downwards: so the
        # density is the rate of crossings. They come in clumps, which are nearly independent (D. Aldous, Probability
        # Approximations via the Poisson Clumping Heuristic, 1989): near the level it moves as in M/M/1 with the load of
        # callers who are that patient, where the share (1 - load) of crossings are the last of their clump, and the
        # share `load` of clumps hold a caller who does wait that long.
        load = self.calls_per_second * self._patient(seconds) / self._taken_per_second
        crossings = exp(self._log_density(seconds))
        clumps = crossings * load / (1 + load) * max(SMALLEST_SHARE, 1 - load * load)
        return (1 - self._longer(seconds)) * exp(-span_seconds * clumps)

    @property
    def _taken_per_second(self) -> float:
        return self.people / self.handling_seconds

    @cached_property
    def _log_scale(self) -> float:
        # Of calls per second times the probability that all but one are busy; logarithms, as sums outgrow floats.
        log_rate = log(self.calls_per_second)
        return log_rate - log_sum(log_inverse_b(self.people - 1, self.load), log_rate + self._log_rest(0.0))

    def _patient(self, seconds: float) -> float:
        return exp(-seconds / self.patience_seconds)

    def _log_density(self, seconds: float) -> float:
        """Of the wait that a caller is offered, at that point."""
        gone_rate = 1 / self.patience_seconds
        joined = (1 - exp(-seconds * gone_rate)) / gone_rate if gone_rate else seconds
        return self._log_scale + self.calls_per_second * joined - self._taken_per_second * seconds

    def _longer(self, seconds: float) -> float:
        """How likely a caller is offered more than that."""
        return exp(min(0.0, self._log_density(seconds) + self._log_rest(seconds)))

    def _log_rest(self, seconds: float) -> float:
        """The integral of the density from there on, in parts of the density there."""
        joining = self.calls_per_second * self._patient(seconds)
        term = total = 1 / self._taken_per_second
        grown = 0.0
        for waiting in range(1, MOST_TERMS):
            term *= joining / (self._taken_per_second + waiting / self.patience_seconds)
            total += term
            if total > LARGE_NUMBER:
                term, total, grown = term / LARGE_NUMBER, total / LARGE_NUMBER, grown + log(LARGE_NUMBER)
            if term < SMALLEST_TERM * total:
                break
        return grown + log(total)


def people_for(mean_wait_seconds: float, calls_per_second: float, handling_seconds: float, patience: float) -> float:
    """How many people explain such a mean wait: the fewest where nearly nobody waits."""
    least, most = 1.0, 2.0 + 3 * calls_per_second * handling_seconds
    for _ in range(STEPS):
        middle = (least + most) / 2
        wait = ErlangA(middle, calls_per_second, handling_seconds, patience).mean_wait_seconds
        least, most = (middle, most) if wait > mean_wait_seconds else (least, middle)
    return (least + most) / 2
