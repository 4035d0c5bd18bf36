"""Figures against events: which are late, and which events never came."""

from bisect import bisect_right
from typing import ClassVar

import msgspec

from wallboard.calibration.evidence import Judgement, Rules, Verdict
from wallboard.calibration.floor_view import BEGINNINGS, Change, FloorView, SeenLeg
from wallboard.calibration.observations import Poll, Recorded
from wallboard.calibration.questions.base import Question

STEPS = (5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600)
LAGS = (*(-step for step in reversed(STEPS)), 0, *STEPS)
HORIZON_SECONDS = 620.0
MOST_QUEUES = 12  # the first ones are enough, and what is stored stays small
LEAST_COUNTED, CLEARLY, MOST_ERROR = 150, 0.7, 0.4
SETTLED_SECONDS = 60.0
REMEMBERED = 1000  # of what was compared or counted: twice as much is halved, so that a provider who changes is seen
LOST_LEG_SECONDS = 1800.0  # a caller does not wait longer: the end of that leg was lost


class Lag(Question):
    """By how many seconds figures come after events (above zero) or before them, where callers in queues are seen.

    The callers waiting as polled are compared with those whose leg to the queue is open, shifted by each of LAGS: what
    fits best is the answer, once it fits clearly better than what lies further off.
    """

    name: ClassVar[str] = "lag"
    needs_queue_legs: ClassVar[bool] = True

    counts: dict[str, list[tuple[float, int]]] = {}
    polls: list[tuple[float, dict[str, int]]] = []
    errors: list[float] = msgspec.field(default_factory=lambda: [0.0] * len(LAGS))
    counted: int = 0
    weight: int = 0  # how many comparisons `errors` stands for
    since: float | None = None

    def heard(self, view: FloorView, change: Change, at: float) -> None:
        """A caller came or went."""
        number = change.leg.queue
        if not number or not (change.is_new or change.ended) or number not in sorted(view.queues)[:MOST_QUEUES]:
            return
        open_now = sum(
            leg.queue == number and leg.ended_at is None and at - leg.first_at < LOST_LEG_SECONDS
            for leg in view.legs.values()
        )
        old = [each for each in self.counts.get(number, []) if at - each[0] < 3 * HORIZON_SECONDS]
        self.counts[number] = [*old, (at, open_now)]

    def polled(self, view: FloorView, poll: Poll) -> None:
        """Compare the polls whose events have all come."""
        figures = {number: poll.queues[number].waiting for number in sorted(poll.queues)[:MOST_QUEUES]}
        self.polls.append((poll.at, figures))
        while self.polls and poll.at - self.polls[0][0] > HORIZON_SECONDS:
            at, waiting = self.polls.pop(0)
            self._compare(at, waiting, poll.at)

    def _compare(self, at: float, waiting: dict[str, int], now: float) -> None:
        for number, count in waiting.items():
            counts = self.counts.get(number, [])
            seen = [_count_at(counts, at - lag) for lag in LAGS]
            # Only where the callers changed can one shift fit better than another.
            if len({count, *seen}) > 1:
                # Rows of former releases have no weight: theirs is all that was counted.
                self.counted, self.weight = self.counted + 1, (self.weight or self.counted) + 1
                self.errors = [error + abs(each - count) for error, each in zip(self.errors, seen, strict=True)]
        while self.weight >= 2 * REMEMBERED:
            self.weight, self.errors = self.weight // 2, [error / 2 for error in self.errors]
        self.since = (self.since or now) if self._fits_clearly() else None

    def _best(self) -> int:
        return min(range(len(LAGS)), key=lambda place: (self.errors[place], abs(LAGS[place])))

    def _fits_clearly(self) -> bool:
        best = self._best()
        far = [error for place, error in enumerate(self.errors) if abs(place - best) > 2]
        is_good = self.errors[best] <= MOST_ERROR * (self.weight or self.counted)
        return self.counted >= LEAST_COUNTED and is_good and self.errors[best] < CLEARLY * min(far)

    def judged(self, now: float) -> Judgement:
        """Measured once it is clear."""
        lag = LAGS[self._best()] if self.counted else 0
        is_clear = self._fits_clearly()
        verdict: Verdict = "proven" if is_clear and self.since is not None else "unknown"
        answer = "together" if abs(lag) <= 5 else "figures_late" if lag > 0 else "events_late"
        wanted = max(0, LEAST_COUNTED - self.counted) if verdict == "unknown" else None
        return Judgement(
            answer if self.counted else "", verdict, self.since, self.counted, wanted=wanted, value=float(lag)
        )


def _count_at(counts: list[tuple[float, int]], at: float) -> int:
    place = bisect_right(counts, at, key=lambda each: each[0])
    return counts[place - 1][1] if place else 0


class MissingEvents(Question):
    """How many events never come: each leg that ended had a beginning or an answer, and each answered one an answer.

    Where a record tells of a leg that ended and no event did, that is one more that is missing.
    """

    name: ClassVar[str] = "missing_events"
    rules: ClassVar[Rules] = Rules(
        hit={"few": 0.998, "some": 0.04}, chance={"few": 0.002, "some": 0.002}, spread_seconds=480
    )

    settling: list[str] = []
    seen: int = 0
    missing: int = 0

    def heard(self, view: FloorView, change: Change, at: float) -> None:
        """Wait a little after each end, as events may come in any order."""
        leg = change.leg
        if change.ended and not leg.is_before_us:
            self.settling.append(f"{leg.pair[0]}\n{leg.pair[1]}")

    def recorded(self, view: FloorView, leg: SeenLeg | None, recorded: Recorded) -> None:
        """A leg that has a record has ended, whether an event said so or not."""
        name = "" if leg is None else f"{leg.pair[0]}\n{leg.pair[1]}"
        if leg is not None and leg.ended_at is None and not leg.is_before_us and name not in self.settling:
            self.settling.append(name)

    def ticked(self, view: FloorView, now: float) -> None:
        """Count what came and what did not."""
        later = []
        for name in self.settling:
            leg = view.legs.get(name)
            if leg is None:
                continue
            if now - (leg.ended_at or leg.recorded_at or now) <= SETTLED_SECONDS:
                later.append(name)
                continue
            # A machine, a conference or a call handed over may begin with its answer: that lacks no beginning.
            if "active" not in leg.states:
                self._count(leg, now, "beginning", any(state in leg.states for state in BEGINNINGS))
            self._count(leg, now, "end", "ended" in leg.states)
            if leg.is_answered:
                self._count(leg, now, "answer", "active" in leg.states)
        self.settling = later

    def _count(self, leg: SeenLeg, now: float, what: str, is_seen: bool) -> None:
        self.seen, self.missing = self.seen + is_seen, self.missing + (not is_seen)
        while self.seen + self.missing >= 2 * REMEMBERED:
            self.seen, self.missing = self.seen // 2, self.missing // 2
        self.vote(now, {"few" if is_seen else "some"}, leg.queue or leg.user, what, leg=leg)

    def judged(self, now: float) -> Judgement:
        """With the share that is missing of late."""
        total = self.seen + self.missing
        share = self.missing / total if total else None
        return msgspec.structs.replace(Question.judged(self, now), value=share)
