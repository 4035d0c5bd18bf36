"""What speaks for and against each answer to a question, and when that is enough.

Each observation names the answers that it agrees with. Two answers are compared by the observations that agree with
just one of them, with Wald's sequential probability ratio test (A. Wald, "Sequential Tests of Statistical Hypotheses",
Annals of Mathematical Statistics 16, 1945): log ratio += ln(p / q) for a win and ln((1 - p) / (1 - q)) for a loss. An
answer is proven when it beats every other one by ln(1 / ERROR). What was proven is watched with Page's cumulative sum
(E. S. Page, "Continuous Inspection Schemes", Biometrika 41, 1954), so that a change is found soon however long the
other answer held: one sum for each other answer, which only observations move that tell the two apart.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import log
from typing import Literal

import msgspec

ERROR = 1e-6  # how improbable a wrong "proven" has to be, under the assumed rates
PROVEN, LIKELY = log(1 / ERROR), log(20)
ANYTHING_ELSE = ""  # an answer that no observation agrees with
MOST_SOURCES, MOST_EXAMPLES, MOST_RUNS = 8, 3, 20
Verdict = Literal["proven", "likely", "contradicted", "unknown"]


class Example(msgspec.Struct, frozen=True):
    """One observation as it can be shown: a moment, values for a sentence, and the leg that it is about, if any."""

    at: float
    values: tuple[str, ...] = ()
    leg: tuple[str, str] | None = None


class Agreement(msgspec.Struct):
    """The observations that agree with one set of answers."""

    count: int = 0
    first_at: float = 0.0
    last_at: float = 0.0
    sources: list[str] = []
    examples: list[Example] = []

    def add(self, at: float, source: str, example: Example | None) -> None:
        """One more observation; its source is what it is independent by, such as a queue."""
        self.first_at, self.last_at = self.first_at if self.count else at, at
        self.count += 1
        if source not in self.sources and len(self.sources) < MOST_SOURCES:
            self.sources.append(source)
        if example is not None:
            self.examples = [*self.examples[-(MOST_EXAMPLES - 1) :], example]


@dataclass(frozen=True)
class Rules:
    """What a question needs: how often an observation agrees with the answer that is true, where it decides at all.

    `hit` is that share per answer, `usual_hit` of all others, `chance` that where none is true (0.5). What is
    `lasting` is never contradicted. One source will do over `alone_seconds`: a company may have one queue.
    """

    usual_hit: float = 0.85
    hit: dict[str, float] = field(default_factory=dict)
    spread_seconds: float = 300.0
    sources: int = 2
    alone_seconds: float = 1200.0
    chance: dict[str, float] = field(default_factory=dict)
    lasting: frozenset[str] = frozenset()

    def of(self, answer: str) -> float:
        """The share of an answer."""
        return self.hit.get(answer, self.usual_hit)

    def weights(self, answer: str, other: str) -> tuple[float, float]:
        """What a win and a loss of an answer against another one add to the log ratio."""
        own, theirs = self.of(answer), self.chance.get(answer, 0.5) if other == ANYTHING_ELSE else 1 - self.of(other)
        return log(own / theirs), log((1 - own) / (1 - theirs))


class Run(msgspec.Struct, frozen=True):
    """For how long an answer held: until about when it began to be contradicted, None while it holds."""

    answer: str
    since: float
    until: float | None = None


class Judgement(msgspec.Struct, frozen=True):
    """Where a question stands. `wanted` are the observations and seconds still missing, None where nobody can say."""

    answer: str = ""
    verdict: Verdict = "unknown"
    since: float | None = None
    agreeing: int = 0
    against: int = 0
    wanted: int | None = None
    wanted_seconds: float | None = None
    value: float | None = None
    for_examples: list[Example] = []
    against_examples: list[Example] = []
    runs: list[Run] = []


class Tally(msgspec.Struct):
    """The evidence of one question. `agreements` is by the answers agreed with, joined by |."""

    agreements: dict[str, Agreement] = {}
    started_at: float | None = None
    proven: str = ""
    since: float | None = None
    doubts: dict[str, float] = {}
    was_contradicted: str = ""
    doubted_at: dict[str, float] = {}  # when each doubt began to grow
    runs: list[Run] = []  # that are over

    def forget_sources(self) -> None:
        """Drop what its observations are independent by; what is proven stays so."""
        for agreement in self.agreements.values():
            agreement.sources = []

    def add(self, rules: Rules, at: float, answers: Iterable[str], source: str, example: Example | None = None) -> None:
        """Count one observation that agrees with these answers."""
        agreed = sorted(answers)
        self.started_at = at if self.started_at is None else self.started_at
        self.agreements.setdefault("|".join(agreed), Agreement()).add(at, source, example)
        if self.proven:
            self._doubt(rules, at, agreed)
        elif (best := self.best(rules)) and self._is_proven(rules, best):
            self.proven, self.since, self.doubts, self.was_contradicted = best, at, {}, ""

    def _doubt(self, rules: Rules, at: float, agreed: list[str]) -> None:
        others = {*self.answers(), *rules.hit, ANYTHING_ELSE} - {self.proven}
        for other in others:
            if weight := self._against(rules, other, agreed):
                before = self.doubts.get(other, 0.0)
                self.doubts[other] = max(0.0, before + weight)
                if not before:
                    self.doubted_at[other] = at
        greatest = max(self.doubts, key=lambda other: self.doubts[other], default="")
        if self.doubts.get(greatest, 0.0) >= PROVEN and self.proven not in rules.lasting:
            run = Run(self.proven, self.started_at or at, self.doubted_at.get(greatest, at))
            self.runs = [*self.runs[-(MOST_RUNS - 1) :], run]
            # What was seen before the change would hold the new answer back for as long again.
            newest = self.agreements.get("|".join(agreed), Agreement())
            self.agreements = {"|".join(agreed): Agreement(0, at, at, [], newest.examples)}
            self.was_contradicted, self.proven, self.since, self.doubts = self.proven, "", at, {}
            self.started_at = at

    def _against(self, rules: Rules, other: str, agreed: list[str]) -> float:
        """What an observation says for another answer against the proven one: nothing where it agrees with both."""
        if self.proven in agreed:
            return 0.0 if other in agreed else -rules.weights(self.proven, other)[0]
        is_for_other = other in agreed or (other == ANYTHING_ELSE and not agreed)
        return -rules.weights(self.proven, other)[1] if is_for_other else 0.0

    def swap(self, proven: str, answer: str) -> None:
        """Let the proven answer be called otherwise from now on, and what was called so before by its old name."""
        names = {proven: answer, answer: proven}
        self.agreements = {
            "|".join(sorted(names.get(each, each) for each in key.split("|"))): found
            for key, found in self.agreements.items()
        }
        self.proven, self.doubts = answer, {}

    def answers(self) -> list[str]:
        """Every answer that any observation agreed with."""
        return sorted({answer for key in self.agreements for answer in key.split("|") if answer})

    def wins(self, answer: str, other: str) -> list[Agreement]:
        """What agrees with the one and not with the other."""
        found = ((key.split("|"), each) for key, each in self.agreements.items())
        return [each for key, each in found if answer in key and other not in key]

    def ratio(self, rules: Rules, answer: str, other: str) -> float:
        """The log ratio of the one answer against the other."""
        win, loss = rules.weights(answer, other)
        wins, losses = (sum(each.count for each in self.wins(*pair)) for pair in ((answer, other), (other, answer)))
        if other == ANYTHING_ELSE:
            losses = sum(each.count for key, each in self.agreements.items() if answer not in key.split("|"))
        return wins * win + losses * loss

    def lead(self, rules: Rules, answer: str) -> float:
        """How far an answer is ahead of the best other one."""
        others = [other for other in (*self.answers(), *rules.hit, ANYTHING_ELSE) if other != answer]
        return min(self.ratio(rules, answer, other) for other in others)

    def best(self, rules: Rules) -> str:
        """The answer with the greatest lead; "" before any observation."""
        return max(self.answers(), key=lambda answer: self.lead(rules, answer), default="")

    def _is_proven(self, rules: Rules, answer: str) -> bool:
        return self.lead(rules, answer) >= PROVEN and self._spread_missing(rules, answer) <= 0

    def _spread_missing(self, rules: Rules, answer: str) -> float:
        """Seconds by which the observations lie too close together; infinite with too few sources."""
        with_it = self.wins(answer, ANYTHING_ELSE)
        is_alone = len({source for each in with_it for source in each.sources}) < rules.sources
        needed = max(rules.alone_seconds, rules.spread_seconds) if is_alone else rules.spread_seconds
        spread = max(each.last_at for each in with_it) - min(each.first_at for each in with_it)
        return needed - spread

    def judged(self, rules: Rules, now: float) -> Judgement:
        """Where the question stands at this moment."""
        answer = self.proven or self.best(rules)
        if not answer:
            verdict: Verdict = "contradicted" if self.was_contradicted else "unknown"
            return Judgement(self.was_contradicted, verdict, self.since, runs=self.runs)
        with_it = self.wins(answer, ANYTHING_ELSE)
        without = [each for key, each in self.agreements.items() if answer not in key.split("|")]
        lead = self.lead(rules, answer)
        wanted, wanted_seconds = self._wanted(rules, answer, lead, now)
        return Judgement(
            self.was_contradicted or answer,
            self._verdict(lead),
            self.since,
            sum(each.count for each in with_it),
            sum(each.count for each in without),
            None if self.proven else wanted,
            None if self.proven else wanted_seconds,
            None,
            [example for each in with_it for example in each.examples][:MOST_EXAMPLES],
            [example for each in without for example in each.examples][:MOST_EXAMPLES],
            [*self.runs, Run(self.proven, self.started_at or now)] if self.proven else self.runs,
        )

    def _verdict(self, lead: float) -> Verdict:
        if self.proven:
            return "proven"
        if self.was_contradicted:
            return "contradicted"
        return "likely" if lead >= LIKELY else "unknown"

    def _wanted(self, rules: Rules, answer: str, lead: float, now: float) -> tuple[int | None, float | None]:
        total = sum(each.count for each in self.agreements.values())
        if lead <= 0 or self.started_at is None or now <= self.started_at:
            return None, None
        wanted = max(0, round((PROVEN - lead) * total / lead + 0.5))
        seconds = wanted * (now - self.started_at) / total
        missing = self._spread_missing(rules, answer)
        return wanted, max(seconds, missing) if missing < float("inf") else None
