"""The waits of the statistics: of now or of a period, and in which unit."""

from typing import ClassVar

import msgspec

from wallboard.calibration.evidence import ANYTHING_ELSE, Judgement, Rules
from wallboard.calibration.floor_view import Change, FloorView, PolledQueue, SeenLeg
from wallboard.calibration.observations import Poll
from wallboard.calibration.questions.base import Question
from wallboard.telephony.resources import QueueStats

NOW, LATELY = "now", "period"
QUICK_SECONDS = 45.0  # no provider would call so short a time a period
SECONDS = {"s": 1.0, "ms": 0.001, "min": 60.0}
VOTE_EVERY_SECONDS = 20.0  # of one queue: what was seen a poll later is the same caller most often
LEAST_WAIT_SECONDS = 10.0
LONGEST_AVERAGE_SECONDS = 14_400.0
IMPOSSIBLE = 3  # so many waits longer than anybody can have waited rule a unit out,
IMPOSSIBLE_SHARE = 0.05  # unless far more observations agree with it


class WaitOf(Question):
    """Whether a wait is of those who wait now, or of those who left the queue lately.

    A wait of now is gone when the last caller is; a wait of a period stays, as that caller has just joined it.
    """

    rules: ClassVar[Rules] = Rules(usual_hit=0.9)
    field: ClassVar[str] = ""

    last_at: dict[str, float] = {}

    def polled(self, view: FloorView, poll: Poll) -> None:
        """Look at every queue that has just emptied."""
        for number in poll.queues:
            queue = view.queues[number]
            if queue.before is None or poll.at - self.last_at.get(number, 0.0) < VOTE_EVERY_SECONDS:
                continue
            was, now = self.wait(queue.before), self.wait(queue.now)
            if queue.before.waiting and was > 0 and queue.now.waiting == 0:
                self._vote(poll.at, number, NOW if now == 0 else LATELY, was, now)
            elif queue.now.waiting == 0 and now > 0:
                self._vote(poll.at, number, LATELY, was, now)

    def wait(self, stats: QueueStats) -> float:
        """The wait that the question is about; a provider may leave it out where nobody waits."""
        return float(getattr(stats, self.field) or 0)

    def _vote(self, at: float, number: str, answer: str, was: float, now: float) -> None:
        self.last_at[number] = at
        self.vote(at, {answer}, number, number, f"{was:g}", f"{now:g}")


class LongestWaitOf(WaitOf):
    """The longest wait can also fall soon after it rose, which no maximum of a period does."""

    name: ClassVar[str] = "longest_wait_of"
    field: ClassVar[str] = "longest_wait"

    risen_at: dict[str, float] = {}

    def polled(self, view: FloorView, poll: Poll) -> None:
        """As every wait, and look for a quick fall."""
        WaitOf.polled(self, view, poll)
        for number in poll.queues:
            queue = view.queues[number]
            if queue.before is None:
                continue
            was, now = self.wait(queue.before), self.wait(queue.now)
            if now > was:
                self.risen_at[number] = poll.at
            risen_at, last_at = self.risen_at.get(number, 0.0), self.last_at.get(number, 0.0)
            is_quick = now < was and poll.at - risen_at <= QUICK_SECONDS
            if is_quick and queue.now.waiting and poll.at - last_at >= VOTE_EVERY_SECONDS:
                self._vote(poll.at, number, NOW, was, now)


class AverageWaitOf(WaitOf):
    """The same for the average wait."""

    name: ClassVar[str] = "average_wait_of"
    field: ClassVar[str] = "average_wait"


class WaitUnit(Question):
    """The unit of the waits, by three tests that need no setting.

    Slope: where the longest wait is of now it grows by what passed between two polls. Ceiling: nobody has waited longer
    than there was somebody waiting. Floor: after a caller whose leg was seen to wait, the longest wait of now (before
    they left) or of a period (after) is not far below that. And no average is of hours.
    """

    name: ClassVar[str] = "wait_unit"
    rules: ClassVar[Rules] = Rules(hit=dict.fromkeys(SECONDS, 0.85))

    last_at: dict[str, float] = {}
    impossible: dict[str, int] = {}  # by unit, since a unit was contradicted last
    stood: str = ""  # the unit that was proven and possible
    left: list[tuple[str, float, float, tuple[str, str]]] = []  # queue, since, until, leg

    def polled(self, view: FloorView, poll: Poll) -> None:
        """Test every queue whose longest wait rose, and every caller who has left."""
        for number in poll.queues:
            queue = view.queues[number]
            if queue.before is None or poll.at - self.last_at.get(number, 0.0) < VOTE_EVERY_SECONDS:
                continue
            if (queue.now.longest_wait or 0) > (queue.before.longest_wait or 0):
                self._slope(number, queue, poll.at)
                self._ceiling(number, queue, poll.at)
            elif queue.now.average_wait and queue.now.average_wait != queue.before.average_wait:
                self._average(number, queue.now.average_wait, poll.at)
        waiting, self.left = self.left, []
        for each in waiting:
            if each[0] in poll.queues and not self._floor(view.queues[each[0]], each, poll.at):
                self.left.append(each)

    def _slope(self, number: str, queue: PolledQueue, at: float) -> None:
        before = queue.before
        seconds = at - queue.before_at
        if before is None or not before.waiting or not before.longest_wait or seconds < 4:
            return
        rise = (queue.now.longest_wait or 0) - before.longest_wait
        for unit in ("s", "ms"):
            if abs(rise * SECONDS[unit] - seconds) <= 1.2:
                self._vote(at, {unit}, number, "slope", rise, seconds)

    def _ceiling(self, number: str, queue: PolledQueue, at: float) -> None:
        wait = queue.now.longest_wait or 0
        if queue.was_empty_at is None:
            return
        seconds = at - queue.was_empty_at
        # Twice the time and a little more: a provider may count somebody as waiting who is no longer shown as such.
        possible = {unit for unit, factor in SECONDS.items() if wait * factor <= 2 * seconds + 20}
        for unit in SECONDS.keys() - possible:
            self.impossible[unit] = self.impossible.get(unit, 0) + 1
        if possible and len(possible) < len(SECONDS):
            self._vote(at, possible, number, "ceiling", wait, seconds)

    def _average(self, number: str, wait: float, at: float) -> None:
        possible = {unit for unit, factor in SECONDS.items() if wait * factor <= LONGEST_AVERAGE_SECONDS}
        if possible and len(possible) < len(SECONDS):
            self._vote(at, possible, number, "average", wait, 0)

    def heard(self, view: FloorView, change: Change, at: float) -> None:
        """Remember callers who leave a queue after a while."""
        leg = change.leg
        if change.ended and leg.queue and not leg.is_before_us and at - leg.first_at >= LEAST_WAIT_SECONDS:
            self.left = [*self.left[-50:], (leg.queue, leg.first_at, at, leg.pair)]

    def _floor(self, queue: PolledQueue, left: tuple[str, float, float, tuple[str, str]], at: float) -> bool:
        """Test one caller who left, once a poll has come since; whether that is done."""
        number, since, until, pair = left
        if at < until:
            return False
        # Where the figures show nobody they are late, and tell of another time.
        if queue.before is None or not queue.before.waiting or not since < queue.before_at <= until:
            return True
        seconds = queue.before_at - since
        wait = max(queue.now.longest_wait or 0, queue.before.longest_wait or 0)
        possible = {unit for unit, factor in SECONDS.items() if (wait + 1) * factor >= 0.4 * seconds - 3}
        if possible and len(possible) < len(SECONDS):
            leg = SeenLeg(pair, "", since)
            self._count(at, possible, number, "floor", number, f"{wait:g}", f"{seconds:.0f}", leg=leg)
        return True

    def _vote(self, at: float, units: set[str], number: str, test: str, figure: float, seconds: float) -> None:
        self.last_at[number] = at
        self._count(at, units, number, test, number, f"{figure:g}", f"{seconds:.0f}")

    def _count(self, at: float, units: set[str], number: str, *values: object, leg: SeenLeg | None = None) -> None:
        was = self.tally.proven
        self.vote(at, units, number, *values, leg=leg)
        if was and not self.tally.proven:
            # What was impossible before the change may be the unit now.
            self.impossible = {}
        elif self.tally.proven and not self._is_impossible(self.tally.proven):
            self.stood = self.tally.proven

    def _is_impossible(self, unit: str) -> bool:
        """Whether people waited longer than was possible too often, in this unit, for it to be true."""
        count, agreeing = self.impossible.get(unit, 0), sum(each.count for each in self.tally.wins(unit, ANYTHING_ELSE))
        return count >= IMPOSSIBLE and count > IMPOSSIBLE_SHARE * agreeing

    def judged(self, now: float) -> Judgement:
        """As counted, but never a unit in which people waited longer than was possible."""
        judgement = Question.judged(self, now)
        if judgement.verdict in ("proven", "likely") and self._is_impossible(judgement.answer):
            # One that was shown as proven is in doubt from here on: its waits must not stay on boards.
            is_lost = judgement.verdict == "proven" and self.stood == judgement.answer
            return msgspec.structs.replace(judgement, verdict="contradicted" if is_lost else "unknown")
        return judgement
