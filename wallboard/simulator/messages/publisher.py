"""Turns what happens on the floor into the messages that subscribers get, each at its time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from wallboard.simulator.floor.calls import Leg, Users
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.messages.call_messages import call_message
from wallboard.simulator.messages.record_batches import RecordBatches
from wallboard.simulator.types import JSON

Kind = Literal["calls", "cdrs"]
# A message that the dialect holds back goes out alone where nothing of the same caller comes after it.
HELD_BACK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Message:
    """Something to tell subscribers: one call message, or several records, each about two users."""

    kind: Kind
    parts: list[tuple[Users, JSON]]
    caller_id: str = ""  # messages of one caller keep their order
    leg: Leg | None = None
    is_lost: bool = False

    def body(self, wants: Callable[[Users], bool]) -> JSON | list[JSON] | None:
        """What is posted to somebody who wants messages about some users; None where there is nothing for them."""
        parts = [payload for users, payload in self.parts if wants(users)]
        return None if not parts else parts if self.kind == "cdrs" else parts[0]


class Publisher:
    """Listens to the floor and hands messages to `send`: late, twice, lost or out of order as the dialect says."""

    def __init__(self, floor: Floor, dialect_random: Random, send: Callable[[Message], None]) -> None:
        self._floor, self._random, self._send = floor, dialect_random, send
        self._records = RecordBatches(floor, dialect_random, self._send_records)
        self._held_back: dict[str, Message] = {}
        floor.on_leg_change = self.leg_changed

    def leg_changed(self, leg: Leg) -> None:
        """Send a leg's new state, and its record when it ended."""
        dialect = self._floor.dialect
        if leg.target.device == "queue" and dialect.queue_legs == "hidden":
            return
        if leg.time_end is not None:
            self._records.add(leg)
        # Worded now, also where it is sent later: late messages tell how things were.
        message = Message("calls", [(leg.users, call_message(leg, dialect))], leg.source.call_id, leg)
        if dialect.event_lag_seconds > 0:
            self._floor.call_later(dialect.event_lag_seconds, lambda: self._dispatch(message))
        else:
            self._dispatch(message)

    def _dispatch(self, message: Message) -> None:
        dialect = self._floor.dialect
        held_back = self._held_back.pop(message.caller_id, None)
        if self._happens(dialect.event_loss_share):
            self._send(replace(message, is_lost=True))
        elif self._happens(dialect.event_reorder_share):
            self._held_back[message.caller_id] = message
            self._floor.call_later(HELD_BACK_SECONDS, lambda: self._release(message))
        else:
            self._send(message)
            if self._happens(dialect.event_duplicate_share):
                self._send(message)
        if held_back is not None:
            self._send(held_back)

    def _release(self, message: Message) -> None:
        if self._held_back.get(message.caller_id) is message:
            del self._held_back[message.caller_id]
            self._send(message)

    def _happens(self, share: float) -> bool:
        return share > 0 and self._random.random() < share

    def _send_records(self, records: list[tuple[Users, JSON]]) -> None:
        self._send(Message("cdrs", records))
