"""Call detail records: whether unanswered calls get one, and how late they come."""

from typing import ClassVar

from wallboard.calibration.evidence import Judgement, Rules
from wallboard.calibration.floor_view import FloorView, SeenLeg
from wallboard.calibration.observations import Recorded
from wallboard.calibration.questions.base import Question

LEAST_PATIENCE_SECONDS, PATIENCE_TIMES = 120.0, 3.0
NO_RECORDS_SECONDS = 3900.0  # the document says "shortly after"; an hour is not short
MEASURED = 30
KEPT = 400


class UnansweredRecords(Question):
    """Whether a leg that nobody answered gets a record, as those do that somebody answered."""

    name: ClassVar[str] = "unanswered_records"
    rules: ClassVar[Rules] = Rules(usual_hit=0.9, spread_seconds=400)

    slowest: float = 0.0
    answered_record_at: float = 0.0
    judged_legs: dict[str, float] = {}

    def recorded(self, view: FloorView, leg: SeenLeg | None, recorded: Recorded) -> None:
        """A record of a leg whose end was heard."""
        if leg is None or leg.ended_at is None or leg.is_before_us:
            return
        self.slowest = max(self.slowest, recorded.at - leg.ended_at)
        if leg.is_answered or recorded.record.answer_time:
            self.answered_record_at = max(self.answered_record_at, leg.ended_at)
        else:
            self._vote(recorded.at, "yes", leg)

    def ticked(self, view: FloorView, now: float) -> None:
        """Legs that should have had theirs long ago."""
        patience = max(LEAST_PATIENCE_SECONDS, PATIENCE_TIMES * self.slowest)
        for leg in view.legs.values():
            if leg.ended_at is None or leg.recorded_at is not None or leg.is_before_us:
                continue
            age = now - leg.ended_at
            if not leg.is_answered and age > patience and self.answered_record_at > leg.ended_at:
                self._vote(now, "no", leg)
            elif leg.is_answered and not self.answered_record_at and age > NO_RECORDS_SECONDS:
                self._vote(now, "no_records", leg)
        self.judged_legs = {name: at for name, at in self.judged_legs.items() if now - at < 2 * NO_RECORDS_SECONDS}

    def _vote(self, at: float, answer: str, leg: SeenLeg) -> None:
        name = f"{leg.pair[0]}\n{leg.pair[1]}"
        if name not in self.judged_legs:
            self.judged_legs[name] = at
            self.vote(at, {answer}, leg.queue or leg.user, leg.queue or leg.user, leg=leg)


class RecordDelay(Question):
    """How long after the end of a leg its record comes: the middle, and the slowest of twenty."""

    name: ClassVar[str] = "record_delay"

    delays: list[float] = []
    started_at: float = 0.0
    since: float | None = None

    def recorded(self, view: FloorView, leg: SeenLeg | None, recorded: Recorded) -> None:
        """Measure one."""
        if leg is not None and leg.ended_at is not None:
            self.started_at = self.started_at or recorded.at
            self.delays = [*self.delays[-(KEPT - 1) :], round(recorded.at - leg.ended_at, 1)]
            if len(self.delays) == MEASURED:
                self.since = recorded.at

    def judged(self, now: float) -> Judgement:
        """Measured once there are enough."""
        if not self.delays:
            return Judgement(wanted=MEASURED)
        middle, slow = (sorted(self.delays)[int(share * (len(self.delays) - 1))] for share in (0.5, 0.95))
        answer = f"{middle:.0f}/{slow:.0f}"
        if self.since is None:
            return Judgement(answer, agreeing=len(self.delays), wanted=MEASURED - len(self.delays), value=slow)
        return Judgement(answer, "proven", self.since, len(self.delays), value=slow)
