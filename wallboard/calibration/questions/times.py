"""The clock zone of the call times."""

from datetime import datetime, timedelta
from math import ceil, inf
from typing import ClassVar
from zoneinfo import ZoneInfo

import msgspec

from wallboard.calibration.evidence import Judgement, Rules
from wallboard.calibration.floor_view import Change, FloorView, start_of
from wallboard.calibration.questions.base import Question

QUARTER_SECONDS = 900.0  # every zone differs from UTC by whole quarters of an hour
EARLY_SECONDS, LATE_SECONDS = 5.0, 75.0


class CallZone(Question):
    """By how much the clock of the call times differs from UTC: the first event of a call comes just after its start.

    An event that is late by minutes would fit the wrong quarter of an hour, so it agrees with no answer. When the
    clocks of the zone that is set are turned, the same answer is called by another difference from then on.
    """

    name: ClassVar[str] = "call_zone"
    rules: ClassVar[Rules] = Rules(usual_hit=0.9, sources=5, alone_seconds=inf)

    seen_at: float = 0.0  # the last call that agreed with what is proven

    def heard(self, view: FloorView, change: Change, at: float) -> None:
        """Look at the first event of each caller."""
        leg, start = change.leg, start_of(change.event)
        if (
            not change.is_new
            or start is None
            or any(view.of_caller(leg))
            or leg.states[0] not in ("progressing", "ringing")
        ):
            return
        quarters = ceil((start - at - EARLY_SECONDS) / QUARTER_SECONDS)
        late = at - (start - quarters * QUARTER_SECONDS)
        answers = {offset_text(quarters * 15)} if late <= LATE_SECONDS else set[str]()
        for answer in answers:
            self._follow_clocks(view.call_time_zone, at, answer)
        self.vote(at, answers, leg.caller, change.event.time_start, f"{late:.0f}", leg=leg)
        if self.tally.proven in answers:
            self.seen_at = at

    def _follow_clocks(self, zone: str, at: float, answer: str) -> None:
        proven = self.tally.proven
        if proven and proven != answer == offset_at(zone, at) and proven == offset_at(zone, self.seen_at):
            self.tally.swap(proven, answer)

    def judged(self, now: float) -> Judgement:
        """With the time of the last call that agreed, as another one may be proven wrong by a change of clocks."""
        return msgspec.structs.replace(Question.judged(self, now), value=self.seen_at or None)


def offset_at(zone: str, at: float) -> str:
    """By how much that zone differs from UTC at a moment, as such a text."""
    offset = datetime.fromtimestamp(at, ZoneInfo(zone)).utcoffset() or timedelta()
    return offset_text(round(offset.total_seconds() / 60))


def offset_text(minutes: int) -> str:
    """Minutes from UTC as +01:00."""
    sign, minutes = "-" if minutes < 0 else "+", abs(minutes)
    return f"{sign}{minutes // 60:02d}:{minutes % 60:02d}"


def offset_minutes(text: str) -> int:
    """The minutes of such a text."""
    hours, minutes = text[1:].split(":")
    return (int(hours) * 60 + int(minutes)) * (-1 if text[0] == "-" else 1)
