"""All questions over one company's floor: takes observations in their order, says where each question stands."""

from collections.abc import Iterator

import msgspec

from wallboard.calibration.evidence import Judgement
from wallboard.calibration.floor_view import FloorView, key
from wallboard.calibration.observations import Heard, Observation, Poll, Recorded
from wallboard.calibration.questions.agents import AgentsAddUp, AvailableInCall
from wallboard.calibration.questions.base import Question
from wallboard.calibration.questions.delays import Lag, MissingEvents
from wallboard.calibration.questions.legs import CallerIds, IsHuman, QueueLegAnswered, QueueLegs
from wallboard.calibration.questions.records import RecordDelay, UnansweredRecords
from wallboard.calibration.questions.times import CallZone
from wallboard.calibration.questions.waits import AverageWaitOf, LongestWaitOf, WaitUnit

TICK_SECONDS = 5.0
QUESTIONS: tuple[type[Question], ...] = (
    *(WaitUnit, LongestWaitOf, AverageWaitOf, CallZone, QueueLegs, QueueLegAnswered, CallerIds),
    *(UnansweredRecords, RecordDelay, IsHuman, AvailableInCall, AgentsAddUp, Lag, MissingEvents),
)
BY_NAME = {each.name: each for each in QUESTIONS}


class Engine:
    """The view of the floor and every question about it."""

    def __init__(self, view: FloorView | None = None, questions: dict[str, Question] | None = None) -> None:
        self.view = view or FloorView(is_keyed=True)
        stored = questions or {}
        self.questions = {name: stored.get(name) or kind() for name, kind in BY_NAME.items()}
        self._ticked_at = 0.0

    def take(self, observation: Observation) -> None:
        """Take one observation in; they come in the order of their times."""
        at = observation.at
        self.view.started_at = self.view.started_at or at
        if at - self._ticked_at >= TICK_SECONDS:
            self._tick(at)
        if isinstance(observation, Poll):
            self.view.polled(observation)
            for question in self._each():
                question.polled(self.view, observation)
        elif isinstance(observation, Heard):
            self._hear(observation)
        else:
            self._record(observation)

    def _each(self) -> Iterator[Question]:
        return iter(self.questions.values())

    def _hear(self, heard: Heard) -> None:
        change = self.view.heard(heard)
        if change is not None:
            for question in self._each():
                question.heard(self.view, change, heard.at)

    def _record(self, recorded: Recorded) -> None:
        record = recorded.record
        leg = self.view.legs.get(key((record.from_.call_id, record.to.call_id)))
        if leg is not None and leg.recorded_at is None:
            leg.recorded_at = recorded.at
            for question in self._each():
                question.recorded(self.view, leg, recorded)

    def _tick(self, now: float) -> None:
        self._ticked_at = now
        self.view.forget_old(now)
        for question in self._each():
            question.ticked(self.view, now)

    def judgements(self, now: float) -> dict[str, Judgement]:
        """Where each question stands."""
        found = {name: question.judged(now) for name, question in self.questions.items()}
        lag, available = found[Lag.name], found[AvailableInCall.name]
        # Figures of another time than the events would be compared with people who talk now.
        if available.verdict == "proven" and (lag.verdict, lag.answer) != ("proven", "together"):
            found[AvailableInCall.name] = msgspec.structs.replace(available, verdict="likely", since=None)
        return found


def encoded(part: Question | FloorView) -> str:
    """A part as it is stored."""
    return msgspec.json.encode(part).decode()


def decoded_question(name: str, text: str) -> Question:
    """A stored question."""
    return msgspec.json.decode(text, type=BY_NAME[name])


def decoded_view(text: str) -> FloorView:
    """A stored view."""
    return msgspec.json.decode(text, type=FloorView)
