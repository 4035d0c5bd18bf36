"""The recorders of all companies, in a thread of the worker: of several workers each company is recorded by one."""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice

import redis
from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from accounts import leases
from accounts.models import Domain
from wallboard.boards.models import Board
from wallboard.live import connections, since
from wallboard.live.feeds import Feed
from wallboard.live.loops import EndLoop, start_thread
from wallboard.replay import flushing
from wallboard.replay.recorder import FLUSH_SECONDS, LEASE_SECONDS, Recorder, Superseded
from wallboard.replay.tracks import feeds_of

log = logging.getLogger(__name__)
LOOK_SECONDS = 1.0
READ_TOGETHER = 20  # companies in one round trip to Redis, which takes a second at most
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
        with suppress(redis.RedisError):  # the gap tells of it, and whoever publishes logs that Redis is away
            self._take_news()
        self._write()
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
            names = {f"record:{domain_id}": domain_id for domain_id in wanted - self.recorders.keys()}
            # With several workers most of these are held by another one.
            for name in names.keys() - leases.held(names, LEASE_SECONDS):
                if lease := leases.acquire(name, LEASE_SECONDS):
                    self.recorders[names[name]] = Recorder(names[name], lease)

    def _take_news(self) -> None:
        """Go into the companies whose feeds have changed; nothing more is asked of the others. Raises RedisError."""
        if connections.is_cluster():  # where the feeds of a company may lie on a server that is away, and others not
            for domain_id in list(self.recorders):
                with suppress(redis.RedisError):
                    self._read([domain_id])
            return
        settled = [pk for pk, recorder in self.recorders.items() if recorder.has_all(self._feeds[pk])]
        moment, same = since.compare([pair for pk in settled for pair in self.recorders[pk].asked(self._feeds[pk])])
        answers, changed = iter(same), self.recorders.keys() - set(settled)
        for pk in settled:
            if all(list(islice(answers, len(self._feeds[pk])))):
                self._take(pk, moment, None)
            else:
                changed.add(pk)
        ids = sorted(changed)
        for begin in range(0, len(ids), READ_TOGETHER):
            self._read(ids[begin : begin + READ_TOGETHER])

    def _read(self, domain_ids: Sequence[int]) -> None:
        asked = [self.recorders[pk].asked(self._feeds[pk]) for pk in domain_ids]
        moment, news = since.read([pair for each in asked for pair in each])
        of_feeds = iter(news)
        for pk in domain_ids:
            self._take(pk, moment, {feed.name: next(of_feeds) for feed in self._feeds[pk]})

    def _take(self, domain_id: int, moment: float, news: Mapping[str, since.News] | None) -> None:
        with self._surviving():
            try:
                self.recorders[domain_id].take(moment, news)
            except Superseded:
                self._drop(domain_id, is_lost=True)

    def _write(self) -> None:
        """Write what is due: of many companies together, and of those that this does not fit one by one."""
        due = [recorder for recorder in self.recorders.values() if recorder.is_flush_due]
        if written := flushing.write_together(due):
            self._has_failed = False
        for recorder in due:
            if recorder.domain_id not in written:
                with self._surviving():
                    self._write_one(recorder)
        for domain_id, recorder in list(self.recorders.items()):
            if recorder.unwritten_seconds >= LONGEST_UNWRITTEN:
                self._drop(domain_id, is_lost=True)

    def _write_one(self, recorder: Recorder) -> None:
        try:
            recorder.flush()
            self._has_failed = False
        except Superseded:
            self._drop(recorder.domain_id, is_lost=True)

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
