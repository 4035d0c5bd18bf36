"""The legs of calls: which are seen, what they are marked with, and which belong together."""

from math import inf
from typing import ClassVar

from wallboard.calibration.evidence import Rules
from wallboard.calibration.floor_view import Change, FloorView, SeenLeg
from wallboard.calibration.observations import Poll
from wallboard.calibration.questions.base import Question

HIDDEN = "hidden"
SETTLED_SECONDS = 45.0  # by then the events of a caller who was counted as waiting have come
LIVE_EVENTS_SECONDS, QUEUE_LEG_SECONDS = 60.0, 1200.0
WAITED_SECONDS = 5.0  # a greeting that was broken off says nothing about the music
AT_ONCE_SECONDS = 1.5  # so soon no person answers


class QueueLegs(Question):
    """Whether a caller in a queue has a leg to it, and which field names the queue.

    Tried with each rise of the callers waiting: a leg to that queue came at about that time, or none did.
    """

    name: ClassVar[str] = "queue_legs"
    rules: ClassVar[Rules] = Rules()

    rises: list[tuple[str, float, float]] = []  # queue, between these times
    fields: dict[str, list[tuple[float, str, tuple[str, str]]]] = {}

    def polled(self, view: FloorView, poll: Poll) -> None:
        """Note each rise."""
        for number, stats in poll.queues.items():
            queue = view.queues[number]
            if queue.before is not None and stats.waiting > queue.before.waiting:
                self.rises.append((number, queue.before_at, poll.at))

    def heard(self, view: FloorView, change: Change, at: float) -> None:
        """Note each leg to a queue."""
        leg = change.leg
        if change.is_new and leg.queue:
            self.fields[leg.queue] = [*self.fields.get(leg.queue, [])[-30:], (at, leg.field, leg.pair)]

    def ticked(self, view: FloorView, now: float) -> None:
        """Judge the rises that are old enough."""
        settled = [rise for rise in self.rises if now - rise[2] > SETTLED_SECONDS]
        self.rises = [rise for rise in self.rises if now - rise[2] <= SETTLED_SECONDS]
        for number, since, until in settled:
            near = [each for each in self.fields.get(number, []) if since - 20 <= each[0] <= until + 20]
            if near:
                _, field, pair = near[-1]
                self.vote(now, {field}, number, number, leg=SeenLeg(pair, "", now))
            elif self._would_be_heard(view, now):
                self.vote(now, {HIDDEN}, number, number)

    def _would_be_heard(self, view: FloorView, now: float) -> bool:
        """Whether other calls are heard of, and no leg to any queue is: late or lost events say nothing."""
        is_live = now - view.heard_at < LIVE_EVENTS_SECONDS and not view.is_partial
        return is_live and now - view.queue_leg_at > QUEUE_LEG_SECONDS


class QueueLegAnswered(Question):
    """Whether the leg of a queue counts as answered while music plays."""

    name: ClassVar[str] = "queue_leg_answered"
    rules: ClassVar[Rules] = Rules(usual_hit=0.9)
    needs_queue_legs: ClassVar[bool] = True

    def heard(self, view: FloorView, change: Change, at: float) -> None:
        """Look at each leg to a queue that ends after a while."""
        leg = change.leg
        if change.ended and leg.queue and not leg.is_before_us and at - leg.first_at >= WAITED_SECONDS:
            answer = "answered" if leg.is_answered else "not_answered"
            self.vote(at, {answer}, leg.queue, leg.queue, f"{at - leg.first_at:.0f}", leg=leg)


class CallerIds(Question):
    """Whether all legs of one caller have the same call id: same number, same time of start, two legs."""

    name: ClassVar[str] = "caller_ids"
    rules: ClassVar[Rules] = Rules(sources=5, alone_seconds=inf)

    def heard(self, view: FloorView, change: Change, at: float) -> None:
        """Compare the second leg of a caller with the first."""
        leg = change.leg
        if not change.is_new or not any(letter.isdigit() for letter in change.event.from_.id):
            return
        others = list(view.of_caller(leg))
        if len(others) == 1:
            is_shared = others[0].pair[0] == leg.pair[0]
            self.vote(at, {"shared" if is_shared else "per_leg"}, leg.caller, leg=leg)


class IsHuman(Question):
    """What `is_human` false marks: queues, voicemail, both, nothing, or the field is missing.

    Voicemail is known by its course: somebody's phone rang in vain, and then the same user answers at once.
    """

    name: ClassVar[str] = "is_human"
    # The field does not come and go, so few examples are enough.
    rules: ClassVar[Rules] = Rules(usual_hit=0.97)

    def heard(self, view: FloorView, change: Change, at: float) -> None:
        """Look at legs to queues when they begin, and at voicemail when it answers."""
        leg = change.leg
        if change.is_new and leg.queue:
            self._vote(at, leg, {"queues", "both"}, {"voicemail", "nothing"})
        elif change.became_active and leg.is_person and at - leg.first_at <= AT_ONCE_SECONDS:
            earlier = [each for each in view.of_caller(leg) if each.user == leg.user and each.ended_at is not None]
            if earlier and not any(each.is_answered for each in earlier):
                self._vote(at, leg, {"voicemail", "both"}, {"queues", "nothing"})

    def _vote(self, at: float, leg: SeenLeg, marked: set[str], unmarked: set[str]) -> None:
        answers = {"missing"} if leg.is_human is None else unmarked if leg.is_human else marked
        kind = leg.queue or "voicemail"
        self.vote(at, answers, leg.queue or leg.user, kind, "" if leg.is_human is None else leg.is_human, leg=leg)
