"""When call detail records become available, and which of them travel together."""

from collections.abc import Callable
from random import Random

from wallboard.simulator.floor.calls import Leg, Users
from wallboard.simulator.floor.floor import Floor
from wallboard.simulator.messages.detail_records import detail_record
from wallboard.simulator.types import JSON

# Records of legs that end so closely together travel in one array.
GATHER_SECONDS = 2.0


class RecordBatches:
    """Holds the records of ended legs until they are due and handed to `send`."""

    def __init__(self, floor: Floor, dialect_random: Random, send: Callable[[list[tuple[Users, JSON]]], None]) -> None:
        self._floor, self._random, self._send = floor, dialect_random, send
        self._gathered: list[Leg] = []
        self._is_send_due = False

    def add(self, leg: Leg) -> None:
        """A leg has ended: its record comes after the dialect's delay, if at all."""
        dialect = self._floor.dialect
        if dialect.records == "never" or (leg.time_answer is None and not dialect.unanswered_records):
            return
        # Gathering is part of the delay.
        wait = max(0.0, dialect.record_delay_seconds - GATHER_SECONDS)
        if dialect.record_jitter_seconds > 0:
            wait += self._random.uniform(0, dialect.record_jitter_seconds)
        if wait > 0:
            self._floor.call_later(wait, lambda: self._gather(leg))
        else:
            self._gather(leg)

    def _gather(self, leg: Leg) -> None:
        self._gathered.append(leg)
        if not self._is_send_due:
            self._is_send_due = True
            seconds = min(GATHER_SECONDS, self._floor.dialect.record_delay_seconds)
            self._floor.call_later(seconds, self._send_gathered)

    def _send_gathered(self) -> None:
        self._is_send_due = False
        if len(self._gathered) >= self._floor.dialect.record_batch_size:
            legs, self._gathered = self._gathered, []
            self._send([(leg.users, detail_record(leg, self._floor.dialect)) for leg in legs])
