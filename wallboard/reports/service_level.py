"""Service level and what goes with it, from calls of queues: the formulas of the field, each with its source.

Which formula is right is a matter of contract: they differ by how callers count who leave. Each is a pure function of
calls that are over, so past figures follow when the choice changes. C, a share of the answered ones only, is not
offered: it hides everybody who left.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallboard.reports.queue_calls import QueueCall

TARGET_SECONDS, SHORT_SECONDS = 20, 5
LONGEST_SECONDS = 3600
Calls = Sequence[QueueCall]
Count = Callable[[Calls, float, float], tuple[int, int]]


def within(calls: Iterable[QueueCall], target: float) -> int:
    """How many were answered within the target."""
    return sum(call.is_answered and call.wait_seconds <= target for call in calls)


def left(calls: Iterable[QueueCall], seconds: float) -> int:
    """How many left unanswered within so many seconds."""
    return sum(not call.is_answered and call.wait_seconds <= seconds for call in calls)


def of_offered(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """A: answered within the target / all offered (sip.io, queue metrics)."""
    return within(calls, target), len(calls)


def without_short(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """B: answered within the target / (offered - short abandons) (Talkdesk Live, service level 4409690831259)."""
    return within(calls, target), len(calls) - left(calls, short)


def in_hours(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """D: answered within the target / offered in business hours (Aircall, article 22105374839965)."""
    taken = [call for call in calls if call.is_open]
    return within(taken, target), len(taken)


def not_late(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """E: (answered - answered late) / (answered + abandoned, short ones left out) (Genesys Cloud, configure the service
    level calculation), within business hours."""
    taken = [call for call in calls if call.is_open]
    answered = sum(call.is_answered for call in taken)
    late = answered - within(taken, target)
    return answered - late, len(taken) - left(taken, short)


def early_is_met(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """F: as A, with callers who left within the target counted as met (Call Centre Helper, service level threshold
    calculations)."""
    return within(calls, target) + left(calls, target), len(calls)


def early_is_dropped(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """F: as A, with callers who left within the target dropped from the base (the same source)."""
    return within(calls, target), len(calls) - left(calls, target)


@dataclass(frozen=True)
class Formula:
    """A way to count, and how it reads; {0} is the target, {1} the short-abandon time, in seconds."""

    count: Count
    name: str | Promise
    text: str | Promise

    def read(self, target: int, short: int) -> str:
        """The formula with its seconds."""
        return str(self.text).format(target, short)


FORMULAS = {
    "A": Formula(of_offered, _("of all offered"), _("answered within {0} s ÷ all offered")),
    "B": Formula(
        without_short,
        _("without short abandons"),
        _("answered within {0} s ÷ (all offered − left within {1} s)"),
    ),
    "D": Formula(
        in_hours, _("in business hours"), _("answered within {0} s ÷ all offered; both of calls in business hours")
    ),
    "E": Formula(
        not_late,
        _("in business hours, without short abandons"),
        _("(answered − answered after {0} s) ÷ (answered + left after {1} s); all of calls in business hours"),
    ),
    "F": Formula(
        early_is_met,
        _("early abandons count as met"),
        _("(answered within {0} s + left within {0} s) ÷ all offered"),
    ),
    "F2": Formula(
        early_is_dropped,
        _("early abandons do not count"),
        _("answered within {0} s ÷ (all offered − left within {0} s)"),
    ),
}


@dataclass(frozen=True)
class ServiceFigures:
    """A queue, or all of them, over some time. What cannot be divided is None."""

    queue: str
    offered: int
    answered: int
    left_early: int
    repeated: int
    met: int
    base: int
    answer_seconds: float | None

    @property
    def unanswered(self) -> int:
        """Callers who left the queue before any person answered."""
        return self.offered - self.answered

    @property
    def percent(self) -> float | None:
        """The service level; None where nothing counts."""
        return 100 * self.met / self.base if self.base > 0 else None


def figures(queue: str, calls: Calls, formula: Formula, target: int, short: int) -> ServiceFigures:
    """The figures of these calls."""
    waits = [call.wait_seconds for call in calls if call.is_answered]
    met, base = formula.count(calls, target, short)
    times = Counter(call.caller for call in calls if any(letter.isdigit() for letter in call.caller))
    return ServiceFigures(
        queue,
        len(calls),
        len(waits),
        left(calls, short),
        sum(count > 1 for count in times.values()),
        met,
        base,
        sum(waits) / len(waits) if waits else None,
    )
