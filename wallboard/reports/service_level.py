"""Service level and what goes with it, from calls of queues: the formulas of the field, each with its source.

Which formula is right is a matter of contract: they differ by how callers count who leave. Each is a pure function of
calls that are over, so past figures follow when the choice changes. C, a share of the answered ones only, is not
offered: it hides everybody who left.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.rollups import call_sums
from wallboard.reports.rollups.call_sums import SECOND, CallSums, Counts

TARGET_SECONDS, SHORT_SECONDS = 20, 5
LONGEST_SECONDS = 3600
SHARES = (50, 80, 90, 95)  # of 100 callers
Calls = Sequence[QueueCall]
Count = Callable[[Counts, float, float], tuple[int, int]]


def of_offered(calls: Counts, target: float, short: float) -> tuple[int, int]:
    """A: answered within the target / all offered (sip.io, queue metrics)."""
    return calls.within(target), calls.offered


def without_short(calls: Counts, target: float, short: float) -> tuple[int, int]:
    """B: answered within the target / (offered - short abandons) (Talkdesk Live, service level 4409690831259)."""
    return calls.within(target), calls.offered - calls.left(short)


def in_hours(calls: Counts, target: float, short: float) -> tuple[int, int]:
    """D: answered within the target / offered in business hours (Aircall, article 22105374839965)."""
    return of_offered(calls.only_open(), target, short)


def not_late(calls: Counts, target: float, short: float) -> tuple[int, int]:
    """E: (answered - answered late) / (answered + abandoned, short ones left out) (Genesys Cloud, configure the service
    level calculation), within business hours."""
    taken = calls.only_open()
    late = taken.answered - taken.within(target)
    return taken.answered - late, taken.offered - taken.left(short)


def early_is_met(calls: Counts, target: float, short: float) -> tuple[int, int]:
    """F: as A, with callers who left within the target counted as met (Call Centre Helper, service level threshold
    calculations)."""
    return calls.within(target) + calls.left(target), calls.offered


def early_is_dropped(calls: Counts, target: float, short: float) -> tuple[int, int]:
    """F: as A, with callers who left within the target dropped from the base (the same source)."""
    return calls.within(target), calls.offered - calls.left(target)


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

    def count(self, calls: Counts) -> tuple[int, int]:
        """How many of these calls met it, and of how many."""
        counting = calls.only_open() if self.is_open_only else calls
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
        return percent_of(self.met, self.base)


def percent_of(met: int, base: int) -> float | None:
    """The service level to a tenth; None where nothing counts. Rounded down, as what is below a target must look so."""
    return 1000 * met // base / 10 if base > 0 else None


def figures(queue: str, calls: Calls, rules: Rules) -> ServiceFigures:
    """The figures of these calls, each held against the rule of its queue."""
    return of_sums(queue, {number: [sums] for number, sums in call_sums.by_queue(calls).items()}, rules)


def of_sums(queue: str, found: Mapping[str, Sequence[CallSums]], rules: Rules) -> ServiceFigures:
    """The figures of the calls of these queues, by their numbers."""
    by_queue = {number: call_sums.counts(each.waits for each in parts) for number, parts in found.items()}
    counted = [_counted(counts, rules.of(number)) for number, counts in by_queue.items()]
    parts = list(chain.from_iterable(found.values()))
    is_one = len(by_queue) == 1
    whole = next(iter(by_queue.values())) if is_one else call_sums.counts(each.waits for each in parts)
    return _figures(queue, whole, counted, call_sums.repeated(parts))


def of_all(whole: Counts, repeated: int, own: Mapping[str, Sequence[CallSums]], rules: Rules) -> ServiceFigures:
    """The figures of many queues together, of which `own` are those with a rule of their own; `repeated` callers."""
    counted = [_counted(whole, rules.default)]
    for number, parts in own.items():
        # They are in the whole, where they were counted by the rule of the others.
        counts = call_sums.counts(each.waits for each in parts)
        counted.append(tuple(-count for count in _counted(counts, rules.default)))
        counted.append(_counted(counts, rules.of(number)))
    return _figures("", whole, counted, repeated)


def _counted(calls: Counts, rule: Rule) -> tuple[int, ...]:
    """How many met the rule, of how many, and how many left early."""
    return (*rule.count(calls), calls.left(rule.short))


def _figures(queue: str, whole: Counts, counted: Iterable[tuple[int, ...]], repeated: int) -> ServiceFigures:
    met, base, left_early = map(sum, zip((0, 0, 0), *counted, strict=True))
    answered = whole.answered
    return ServiceFigures(
        queue,
        whole.offered,
        answered,
        left_early,
        repeated,
        met,
        base,
        whole.answered_for / (answered * SECOND) if answered else None,
        call_sums.at_ranks((whole.answered_waits, whole.left_waits), SHARES),
        call_sums.at_ranks((whole.answered_waits,), SHARES),
    )
