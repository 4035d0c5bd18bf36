"""The floor as calibration sees it: the queues as polled, and the legs of calls as events tell of them.

It is stored between two runs, so it holds no phone number: callers are told apart by a keyed digest.
"""

from collections.abc import Iterator
from datetime import UTC

import msgspec
from django.utils.crypto import salted_hmac

from wallboard.calibration.observations import Heard, Poll
from wallboard.telephony.messages import CallEvent, Endpoint, parse_time
from wallboard.telephony.resources import QueueStats

MOST_LEGS = 4000  # bounds what is stored; a floor with more at a time is seen in part
ENDED_LEG_SECONDS, LIVE_LEG_SECONDS = 4500.0, 14400.0
LONGEST_GAP_SECONDS = 60.0  # between two polls that belong together
SALT = "wallboard.calibration.floor_view.caller"
BEGINNINGS = ("progressing", "ringing")


class SeenLeg(msgspec.Struct):
    """One leg. `states` are those that events told, in any order; times are by our clock."""

    pair: tuple[str, str]
    caller: str
    first_at: float
    user: str = ""
    queue: str = ""
    field: str = ""
    by: str = ""
    states: list[str] = []
    active_at: float | None = None
    ended_at: float | None = None
    is_answered: bool = False
    is_human: bool | None = None
    is_before_us: bool = False
    recorded_at: float | None = None

    @property
    def is_person(self) -> bool:
        """Whether it leads to a user of ours that is no queue."""
        return bool(self.user) and not self.queue


class PolledQueue(msgspec.Struct):
    """A queue over its last polls; `empty_at` is the last one with nobody waiting, `was_empty_at` that before now."""

    now: QueueStats
    at: float
    before: QueueStats | None = None
    before_at: float = 0.0
    empty_at: float | None = None
    was_empty_at: float | None = None
    agents_changed_at: float = 0.0

    def polled(self, stats: QueueStats, at: float) -> None:
        """Take the next poll in."""
        is_near = at - self.at <= LONGEST_GAP_SECONDS
        self.before, self.before_at = (self.now, self.at) if is_near else (None, 0.0)
        self.now, self.at = stats, at
        self.was_empty_at = self.empty_at = self.empty_at if is_near else None
        if stats.waiting == 0:
            self.empty_at = at
        if self.before is None or self.before.agents != stats.agents:
            self.agents_changed_at = at


class Change(msgspec.Struct, frozen=True):
    """What an event changed about a leg."""

    leg: SeenLeg
    event: CallEvent
    is_new: bool
    became_active: bool
    ended: bool


class FloorView(msgspec.Struct):
    """Everything that more than one question needs. Not `is_keyed`: an older release made its digests without a key."""

    started_at: float = 0.0
    queues: dict[str, PolledQueue] = {}
    legs: dict[str, SeenLeg] = {}
    callers: dict[str, list[str]] = {}
    heard_at: float = 0.0
    queue_leg_at: float = 0.0
    is_partial: bool = False
    call_time_zone: str = "UTC"  # of the call times, as the company's setting is
    is_keyed: bool = False

    def polled(self, poll: Poll) -> None:
        """Take a poll in."""
        for number, stats in poll.queues.items():
            if number in self.queues:
                self.queues[number].polled(stats, poll.at)
            else:
                self.queues[number] = PolledQueue(stats, poll.at)
                self.queues[number].polled(stats, poll.at)
                self.queues[number].before = None

    def heard(self, heard: Heard) -> Change | None:
        """Take an event in; None where there is no room for its leg."""
        event, at = heard.event, heard.at
        self.heard_at = max(self.heard_at, at)
        pair = event.from_.call_id, event.to.call_id
        leg = self.legs.get(key(pair))
        is_new = leg is None
        if leg is None:
            if len(self.legs) >= MOST_LEGS:
                self.is_partial = True
                return None
            leg = self.legs[key(pair)] = SeenLeg(pair, caller_digest(event), at)
            self.callers.setdefault(leg.caller, []).append(key(pair))
            leg.is_before_us = _seconds_since_start(event, at) > at - self.started_at
        self._name(leg, event.to)
        return _advance(leg, event, at, is_new)

    def _name(self, leg: SeenLeg, to: Endpoint) -> None:
        leg.user = leg.user or to.user
        leg.is_human = to.is_human if leg.is_human is None else leg.is_human
        if not leg.queue:
            leg.queue, leg.field = queue_and_field(to, self.queues)
        if leg.queue:
            self.queue_leg_at = max(self.queue_leg_at, leg.first_at)

    def of_caller(self, leg: SeenLeg) -> Iterator[SeenLeg]:
        """The other legs of the same caller's call."""
        names = self.callers.get(leg.caller, [])
        return (self.legs[name] for name in names if self.legs[name] is not leg)

    def forget_old(self, now: float) -> None:
        """Drop what no question needs any more; the oldest ended legs first where room is short."""
        keep = {
            name: leg
            for name, leg in self.legs.items()
            if now - (leg.ended_at or leg.first_at) < (ENDED_LEG_SECONDS if leg.ended_at else LIVE_LEG_SECONDS)
        }
        if len(keep) > MOST_LEGS // 2:
            ended = sorted((leg.ended_at, name) for name, leg in keep.items() if leg.ended_at is not None)
            for _, name in ended[: len(keep) - MOST_LEGS // 2]:
                del keep[name]
        if len(keep) < len(self.legs):
            self.callers = {}
            for name, leg in keep.items():
                self.callers.setdefault(leg.caller, []).append(name)
        self.legs, self.is_partial = keep, len(keep) >= MOST_LEGS


def key(pair: tuple[str, str]) -> str:
    """A leg's key in the view."""
    return f"{pair[0]}\n{pair[1]}"


def caller_digest(event: CallEvent) -> str:
    """The caller of a call: all legs of a call have the same number and the same time of start.

    A number that is withheld tells nobody from anybody, so there the call id has to.
    """
    source = event.from_
    who = source.id if any(letter.isdigit() for letter in source.id) else source.call_id
    # Keyed: without a secret that is not in the database, the number would be found by trying all there are.
    return salted_hmac(SALT, f"{who}\n{event.time_start}", algorithm="sha256").hexdigest()[:16]


def queue_and_field(to: Endpoint, numbers: dict[str, PolledQueue]) -> tuple[str, str]:
    """The queue that a side names and the field in which it does: user, id, or the address in id."""
    if to.user in numbers:
        return to.user, "user"
    if to.id in numbers:
        return to.id, "id"
    name = to.id.rpartition(":")[2].partition("@")[0]
    return (name, "address") if "@" in to.id and not to.user and name in numbers else ("", "")


def start_of(event: CallEvent) -> float | None:
    """The time at which a call began, in seconds and as if it were written in UTC."""
    moment = parse_time(event.time_start, UTC)
    return None if moment is None else moment.timestamp()


def _advance(leg: SeenLeg, event: CallEvent, at: float, is_new: bool) -> Change:
    ends = "ended" in (event.from_.state, event.to.state)
    state = "ended" if ends else event.to.state
    if state not in leg.states:
        leg.states = [*leg.states, state]
    leg.by = leg.by or event.by_call_id
    leg.is_answered = leg.is_answered or bool(event.time_answer) or event.to.state == "active"
    became_active, ended = state == "active" and leg.active_at is None, ends and leg.ended_at is None
    if became_active:
        leg.active_at = at
    if ended:
        leg.ended_at = at
    return Change(leg, event, is_new, became_active, ended)


def _seconds_since_start(event: CallEvent, at: float) -> float:
    """How long ago a call began, whatever the zone of its start is: zones differ by whole quarters of an hour."""
    start = start_of(event)
    return 0.0 if start is None else (at - start + 5.0) % 900.0 - 5.0
