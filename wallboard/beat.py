"""Beat on any number of hosts: all of them keep time, and the one that holds the lease sends the tasks.

When the leader ends or is cut off, another one sends within seconds and in step, since it never stopped counting. Even
two leaders would do no harm for a moment: what a task works on has a lease of its own.
"""

import logging
import time
from datetime import datetime, timedelta
from typing import Any

from celery.beat import Scheduler
from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from accounts.leases import HeldLease, acquire

log = logging.getLogger(__name__)
LEASE = "beat"
# A poll that is due while nobody leads comes late, and boards show figures as live for twelve seconds at most.
LEASE_SECONDS, RENEW_SECONDS = 5.0, 1.5
# What comes more often than that is light, and pages wait for it.
SPREAD_FROM_SECONDS = 10.0
GOLDEN = 0.618  # multiples of it lie evenly between whole numbers, however many there are


class Leadership:
    """Whether this process leads; looks at the lease every second or two."""

    def __init__(self) -> None:
        self._held: HeldLease | None = None
        self._look_at = 0.0
        self._ends_at = 0.0
        self._is_told = False

    def is_held(self) -> bool:
        """Whether to send what is due. Without the database nobody leads: no task could do its work."""
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + RENEW_SECONDS
            try:
                self._look(now)
            except (DatabaseError, InterfaceError):
                connection.close()
            close_old_connections()
        is_leading = self._held is not None and time.monotonic() < self._ends_at
        if is_leading != self._is_told:
            self._is_told = is_leading
            log.warning("This beat leads" if is_leading else "This beat leads no longer")
        return is_leading

    def release(self) -> None:
        """Let another one lead."""
        held, self._held = self._held, None
        try:
            if held is not None:
                held.release()
        except (DatabaseError, InterfaceError):
            connection.close()

    def _look(self, now: float) -> None:
        if self._held is not None and not self._held.renew(LEASE_SECONDS):
            self._held = None
        if self._held is None:
            self._held = acquire(LEASE, LEASE_SECONDS)
        # Counted from before the question: the database cannot have begun sooner.
        self._ends_at = now + LEASE_SECONDS


class LeadingScheduler(Scheduler):
    """Sends tasks while this process leads; keeps time in any case."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._leadership = Leadership()
        self._ticked_at: datetime | None = None
        super().__init__(*args, **kwargs)

    def setup_schedule(self) -> None:
        """As any scheduler, but each task has a moment of its own: else a minute's begin with those of every ten and
        fifteen seconds, and what is due meanwhile waits for all of them.
        """
        super().setup_schedule()
        entries: dict[str, Any] = self.schedule
        for number, (_, entry) in enumerate(sorted(entries.items())):
            seconds = entry.schedule.run_every.total_seconds()
            if seconds >= SPREAD_FROM_SECONDS:
                entry.last_run_at -= timedelta(seconds=number * GOLDEN % 1 * seconds)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """As any scheduler, and never asleep for so long that the lease runs out."""
        self._leadership.is_held()
        self._follow_clock()
        return min(float(super().tick(*args, **kwargs)), RENEW_SECONDS)

    def _follow_clock(self) -> None:
        """Where the clock was set back, count from the new time: else nothing is due for as long as it was set back."""
        now: datetime = self.app.now()
        back = (self._ticked_at or now) - now
        self._ticked_at = now
        if back > timedelta(0):
            entries: dict[str, Any] = self.schedule
            for entry in entries.values():
                entry.last_run_at -= back
            self._heap = None  # the moments in it are of the clock as it was

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send what is due, where we lead."""
        if self._leadership.is_held():
            super().apply_entry(entry, producer)

    def close(self) -> None:
        """Beat ends: the next one need not wait."""
        self._leadership.release()
        super().close()
