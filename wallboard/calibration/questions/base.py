"""What every question is: a pure object that takes observations in and says where it stands."""

from typing import ClassVar

import msgspec

from wallboard.calibration.evidence import Example, Judgement, Rules, Tally
from wallboard.calibration.floor_view import Change, FloorView, SeenLeg
from wallboard.calibration.observations import Poll, Recorded


class Question(msgspec.Struct):
    """One point that the provider's document leaves open. Subclasses override what they look at."""

    name: ClassVar[str] = ""
    rules: ClassVar[Rules] = Rules()
    needs_queue_legs: ClassVar[bool] = False

    tally: Tally = msgspec.field(default_factory=Tally)

    def polled(self, view: FloorView, poll: Poll) -> None:
        """A poll was taken into the view."""

    def heard(self, view: FloorView, change: Change, at: float) -> None:
        """An event was taken into the view."""

    def recorded(self, view: FloorView, leg: SeenLeg | None, recorded: Recorded) -> None:
        """A detail record came, perhaps of a leg that is known."""

    def ticked(self, view: FloorView, now: float) -> None:
        """Time went by; called every few seconds."""

    def judged(self, now: float) -> Judgement:
        """Where the question stands."""
        return self.tally.judged(self.rules, now)

    def vote(self, at: float, answers: set[str], source: str, *values: object, leg: SeenLeg | None = None) -> None:
        """Count an observation; the values are for the sentence that shows it."""
        pair = None if leg is None else leg.pair
        self.tally.add(self.rules, at, answers, source, Example(at, tuple(str(value) for value in values), pair))
