"""Service level and what goes with it, from calls of queues: the formulas of the field, each with its source.

Which formula is right is a matter of contract: they differ by how callers count who leave. Each is a pure function of
calls that are over, so past figures follow when the choice changes. C, a share of the answered ones only, is not
offered: it hides everybody who left.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from wallboard.calls import numbers
from wallboard.reports.queue_calls import QueueCall

TARGET_SECONDS, SHORT_SECONDS = 20, 5
LONGEST_SECONDS = 3600
SHARES = (50, 80, 90, 95)  # of 100 callers
Calls = Sequence[QueueCall]
Count = Callable[[Calls, float, float], tuple[int, int]]


def within(calls: Iterable[QueueCall], target: float) -> int:
    """How many were answered within the target."""
    return sum(call.is_answered and call.wait_seconds <= target for call in calls)


def left(calls: Iterable[QueueCall], seconds: float) -> int:
    """How many left unanswered within so many seconds."""
    return sum(not call.is_answered and call.wait_seconds <= seconds for call in calls)


def only_open(calls: Calls) -> Calls:
    """Those that came while the queue took calls."""
    return [call for call in calls if call.is_open]


def of_offered(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """A: answered within the target / all offered (sip.io, queue metrics)."""
    return within(calls, target), len(calls)


def without_short(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """B: answered within the target / (offered - short abandons) (Talkdesk Live, service level 4409690831259)."""
    return within(calls, target), len(calls) - left(calls, short)


def in_hours(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """D: answered within the target / offered in business hours (Aircall, article 22105374839965)."""
    return of_offered(only_open(calls), target, short)


def not_late(calls: Calls, target: float, short: float) -> tuple[int, int]:
    """E: (answered - answered late) / (answered + abandoned, short ones left out) (Genesys Cloud, configure the service
    level calculation), within business hours."""
    taken = only_open(calls)
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
    """A way to count, and how it reads; {0} is the target, {1} the short-abandon time, in seconds.

    `source` says who counts so. `is_open_only`: calls outside business hours never count by it.
    """

    count: Count
    name: str | Promise
    text: str | Promise
    source: str | Promise
    is_open_only: bool = False


FORMULAS = {
    "A": Formula(
        of_offered,
        _("of all offered"),
        _("answered within {0} s ÷ all offered"),
        _("the usual one, 20 s by default (SIP queue metrics)"),
    ),
    "B": Formula(
        without_short,
        _("without short abandons"),
        _("answered within {0} s ÷ (all offered − left within {1} s)"),
        _("as Talkdesk Live"),
    ),
    "D": Formula(
        in_hours,
        _("in business hours"),
        _("answered within {0} s ÷ all offered; both of calls in business hours"),
        _("as Aircall Live, without its reasons, which are not in the data here"),
        is_open_only=True,
    ),
    "E": Formula(
        not_late,
        _("in business hours, without short abandons"),
        _("(answered − answered after {0} s) ÷ (answered + left after {1} s); all of calls in business hours"),
        _("as Genesys Cloud"),
        is_open_only=True,
    ),
    "F": Formula(
        early_is_met,
        _("early abandons count as met"),
        _("(answered within {0} s + left within {0} s) ÷ all offered"),
        _("one of five that Call Centre Helper lists"),
    ),
    "F2": Formula(
        early_is_dropped,
        _("early abandons do not count"),
        _("answered within {0} s ÷ (all offered − left within {0} s)"),
        _("one of five that Call Centre Helper lists"),
    ),
}


def pattern(name: str, is_open_only: bool) -> str:
    """How a formula reads; {0} is the target, {1} the short-abandon time, in seconds."""
    formula = FORMULAS[name]
    if not is_open_only or formula.is_open_only:
        return str(formula.text)
    return gettext("%(formula)s; all of calls in business hours") % {"formula": formula.text}


@dataclass(frozen=True)
class Rule:
    """How the service level is counted: the formula, its seconds, and whether calls outside business hours count."""

    formula: str = "A"
    target: int = TARGET_SECONDS
    short: int = SHORT_SECONDS
    is_open_only: bool = False

    def count(self, calls: Calls) -> tuple[int, int]:
        """How many of these calls met it, and of how many."""
        counting = only_open(calls) if self.is_open_only else calls
        return FORMULAS[self.formula].count(counting, self.target, self.short)

    def read(self) -> str:
        """The formula with its seconds, as people read it."""
        return pattern(self.formula, self.is_open_only).format(self.target, self.short)


@dataclass(frozen=True)
class Rules:
    """The rule of a company, and those of single queues, which have seconds of their own."""

    default: Rule = Rule()
    own: Mapping[str, Rule] = field(default_factory=dict)

    def of(self, number: str) -> Rule:
        """The rule of a queue."""
        return self.own.get(number, self.default)


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
    waits: tuple[float, ...] = ()  # within which so many of 100 callers had waited, of SHARES; none without callers
    answers: tuple[float, ...] = ()  # the same of those who were answered

    @property
    def unanswered(self) -> int:
        """Callers who left the queue before any person answered."""
        return self.offered - self.answered

    @property
    def percent(self) -> float | None:
        """The service level; None where nothing counts."""
        return 100 * self.met / self.base if self.base > 0 else None


def figures(queue: str, calls: Calls, rules: Rules) -> ServiceFigures:
    """The figures of these calls, each held against the rule of its queue."""
    of_queue: dict[str, list[QueueCall]] = defaultdict(list)
    for call in calls:
        of_queue[call.queue].append(call)
    counts = [rules.of(number).count(some) for number, some in of_queue.items()]
    waits = [call.wait_seconds for call in calls if call.is_answered]
    return ServiceFigures(
        queue,
        len(calls),
        len(waits),
        sum(left(some, rules.of(number).short) for number, some in of_queue.items()),
        _repeated(calls),
        sum(met for met, _base in counts),
        sum(base for _met, base in counts),
        sum(waits) / len(waits) if waits else None,
        percentiles([call.wait_seconds for call in calls]),
        percentiles(waits),
    )


def percentiles(values: Iterable[float]) -> tuple[float, ...]:
    """The least of the values that so many of 100 do not exceed, for each of SHARES (nearest rank)."""
    ordered = sorted(values)
    return tuple(ordered[-(-len(ordered) * share // 100) - 1] for share in SHARES) if ordered else ()


def _repeated(calls: Calls) -> int:
    """Callers with more than one call; one call may come to several queues, and who withholds the number is nobody."""
    by_caller: dict[str, set[str]] = defaultdict(set)
    for place, call in enumerate(calls):
        by_caller[call.caller].add(call.call_id or f"\n{place}")
    # Asked last, since it takes long: most callers call once.
    return sum(len(each) > 1 and not numbers.is_withheld(caller) for caller, each in by_caller.items())
