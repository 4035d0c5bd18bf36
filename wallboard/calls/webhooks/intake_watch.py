"""What this web process knows of its own intake: that it takes deliveries, since when, and which it refused.

While any process can take them, one row of the database says so every few seconds. Whoever finds it old knows for how
long nobody took any, and writes that down for every company. A database that is away is no gap while the spool takes
them.
"""

import threading
import time
from datetime import datetime, timedelta

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounts.models import Domain
from wallboard.calls.gaps import recording
from wallboard.calls.gaps.recording import Reason
from wallboard.calls.models import EventGap, IntakeProof
from wallboard.calls.webhooks import spool
from wallboard.live import loops

BEAT_SECONDS = 5.0
LONGEST_PAUSE = timedelta(seconds=12)  # between two beats; more is a gap


class IntakeWatch:
    """One per process. `able_since` is when it began to take deliveries, None while it cannot."""

    def __init__(self) -> None:
        self.able_since: datetime | None = timezone.now()
        self._refused: dict[int, tuple[datetime, datetime]] = {}
        self._lock = threading.Lock()
        self._beat_at = time.monotonic()

    def refused(self, domain_id: int) -> None:
        """Note that a delivery with a right secret was not taken."""
        now = timezone.now()
        with self._lock:
            self._refused[domain_id] = self._refused.get(domain_id, (now, now))[0], now

    def step(self) -> None:
        """One beat, and the pause after it."""
        self.beat()
        self._beat_at = time.monotonic()
        time.sleep(BEAT_SECONDS)

    def beat(self) -> None:
        """Write that this process takes deliveries, what was lost before, and what it refused."""
        if time.monotonic() - self._beat_at > BEAT_SECONDS + LONGEST_PAUSE.total_seconds():
            # The whole process stood still; whatever was sent to it meanwhile found nobody.
            self.able_since = None
        try:
            with transaction.atomic():
                now = timezone.now()
                self.able_since = self.able_since or now
                _prove(self.able_since, now)
            self._write_refusals()
        except DatabaseError:
            connection.close()
            if not spool.is_on():
                self.able_since = None

    def _write_refusals(self) -> None:
        with self._lock:
            waiting, self._refused = self._refused, {}
        try:
            # A company may have been deleted meanwhile.
            for domain in Domain.objects.filter(pk__in=waiting):
                since, until = waiting[domain.pk]
                recording.add(domain.pk, since, max(until, since + timedelta(seconds=1)), Reason.REFUSED)
        except DatabaseError:
            with self._lock:
                for domain_id, (since, until) in waiting.items():
                    known = self._refused.get(domain_id, (since, until))
                    self._refused[domain_id] = min(since, known[0]), max(until, known[1])
            raise


def _prove(able_since: datetime, now: datetime) -> None:
    row, is_new = IntakeProof.objects.select_for_update().get_or_create(pk=1, defaults={"proved_at": now})
    if is_new:
        return
    if able_since - row.proved_at > LONGEST_PAUSE:
        known = Domain.objects.filter(is_active=True, subscriptions__ready_at__isnull=False).distinct()
        EventGap.objects.bulk_create(
            EventGap(domain=domain, since=row.proved_at, until=able_since, reason=Reason.STOPPED) for domain in known
        )
    if now > row.proved_at:
        row.proved_at = now
        row.save(update_fields=["proved_at"])


watch = IntakeWatch()


def start() -> None:
    """Beat for as long as the process lives."""
    loops.start_thread("intake-watch", watch.step)
