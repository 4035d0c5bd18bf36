"""The recorders of all companies, in a thread of the worker: of several workers each company is recorded by one."""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import redis
from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from accounts import leases
from accounts.models import Domain
from wallboard.boards.models import Board
from wallboard.live import since
from wallboard.live.feeds import Feed
from wallboard.live.loops import EndLoop, start_thread
from wallboard.replay.recorder import FLUSH_SECONDS, LEASE_SECONDS, Recorder, Superseded
from wallboard.replay.tracks import feeds_of

log = logging.getLogger(__name__)
LOOK_SECONDS = 1.0
SURVEY_SECONDS = 10.0  # how often companies and boards are looked for
# What could not be written by then is given up: somebody else may hold the lease soon.
LONGEST_UNWRITTEN = LEASE_SECONDS - FLUSH_SECONDS
STOP_SECONDS = 5.0


class Recording:
    """Records every company whose lease this process gets."""

    def __init__(self) -> None:
        self.recorders: dict[int, Recorder] = {}
        self._feeds: dict[int, list[Feed]] = {}
        self._survey_at = 0.0
        self._has_failed = False

    def look(self) -> None:
        """One look at every company; what changed is written as that becomes due."""
        if time.monotonic() >= self._survey_at:
            self._survey_at = time.monotonic() + SURVEY_SECONDS
            self._survey()
        for domain_id, recorder in list(self.recorders.items()):
            self._look_at(domain_id, recorder)
        close_old_connections()

    def stop(self) -> None:
        """Write what is known, and let others record."""
        for domain_id in list(self.recorders):
            self._drop(domain_id)
        close_old_connections()

    def _survey(self) -> None:
        with self._surviving():
            recorded = Domain.objects.filter(is_active=True, removal_at=None).exclude(replay_kept_days=0)
            wanted = set(recorded.values_list("pk", flat=True))
            boards: dict[int, list[int]] = defaultdict(list)
            for domain_id, board_id in Board.objects.filter(domain__in=wanted).values_list("domain_id", "pk"):
                boards[domain_id].append(board_id)
            self._feeds = {domain_id: feeds_of(domain_id, boards[domain_id]) for domain_id in wanted}
            for domain_id in self.recorders.keys() - wanted:
                self._drop(domain_id)
            for domain_id in wanted - self.recorders.keys():
                if lease := leases.acquire(f"record:{domain_id}", LEASE_SECONDS):
                    self.recorders[domain_id] = Recorder(domain_id, lease)

    def _look_at(self, domain_id: int, recorder: Recorder) -> None:
        feeds = self._feeds[domain_id]
        try:
            moment, news = since.read(recorder.asked(feeds))
        except redis.RedisError:
            return  # the gap tells of it, and whoever publishes logs that Redis is away
        with self._surviving():
            try:
                recorder.take(moment, {feed.name: each for feed, each in zip(feeds, news, strict=True)})
                if recorder.unwritten_seconds >= FLUSH_SECONDS:
                    recorder.flush()
                    self._has_failed = False
            except Superseded:
                self._drop(domain_id, is_lost=True)
        if recorder.unwritten_seconds >= LONGEST_UNWRITTEN:
            self._drop(domain_id, is_lost=True)

    def _drop(self, domain_id: int, *, is_lost: bool = False) -> None:
        """Record this company no longer; a lost recorder writes nothing, and another is looked for at once."""
        recorder = self.recorders.pop(domain_id, None)
        if recorder is None:
            return
        if is_lost:
            self._survey_at = 0.0
        with self._surviving(), suppress(Superseded):
            if not is_lost:
                recorder.flush()
            recorder.lease.release()

    @contextmanager
    def _surviving(self) -> Iterator[None]:
        """Try what uses the database again later where it is away; only the first failure of a row is logged."""
        try:
            yield
        except (DatabaseError, InterfaceError) as error:
            connection.close()
            if not self._has_failed:
                log.warning("What boards show cannot be recorded (%s); it is tried again", type(error).__name__)
            self._has_failed = True


_stopping = threading.Event()
_thread: threading.Thread | None = None


def start() -> None:
    """Record in a thread of this process until stop()."""
    global _thread
    recording = Recording()

    def step() -> None:
        began_at = time.monotonic()
        recording.look()
        if _stopping.wait(max(0.0, began_at + LOOK_SECONDS - time.monotonic())):
            recording.stop()
            raise EndLoop

    _stopping.clear()
    _thread = start_thread("recorder", step)


def stop() -> None:
    """Write what is known, and let another worker go on."""
    _stopping.set()
    if _thread is not None:
        _thread.join(STOP_SECONDS)
