"""One thread per web process commits deliveries: whatever waits while it commits goes into the next transaction.

A lone delivery is committed at once; under load the batches grow by themselves, and one fsync answers many.
"""

import logging
import queue
import sys
import threading
import time
from asyncio import AbstractEventLoop, Future
from collections import defaultdict
from dataclasses import dataclass

from django.db import DEFAULT_DB_ALIAS, connection, connections

from wallboard.calls import intake, spool
from wallboard.calls.intake import Arrival
from wallboard.calls.publisher import publisher

log = logging.getLogger(__name__)
MOST_TOGETHER = 400  # deliveries in one transaction
MOST_WAITING = 5_000  # beyond this the door refuses: memory is bounded, and the sender hears the truth
BUSY = 3  # more than so many in the last transaction: there is load, and the next one waits for more to come
LONGEST_GATHER_SECONDS = 0.03
MANY, STEP_SECONDS = 16, 0.002  # so many are enough once no more have come for a moment
TRY_AGAIN_SECONDS = 1.0  # while the database is away it is tried this often; deliveries meanwhile do not wait for it
TRY_SECONDS = 0.3  # nobody waits longer for such a try
SWITCH_SECONDS = 0.0005  # how long a busy event loop may make a thread wait after each answer of the database
KEPT, REFUSED = 204, 503


@dataclass(frozen=True, slots=True)
class Waiting:
    """A delivery whose sender waits for an answer."""

    arrival: Arrival
    loop: AbstractEventLoop
    answer: "Future[int]"


class Committer:
    """Takes deliveries from event loops and answers each once it is durable. `batches` counts its transactions."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._spool = spool.Spool()
        self._away_since: float | None = None
        self._tried_at = 0.0
        self._last_size, self._last_took = 0, 0.0
        self.busy_since: float | None = None
        self.batches = 0

    def hand(self, waiting: Waiting) -> bool:
        """Take a delivery over; False where too many wait already."""
        if self._queue.qsize() >= MOST_WAITING:
            return False
        if self._thread is None:
            self._start()
        self._queue.put(waiting)
        return True

    def keep_on_disk(self, arrivals: list[Arrival]) -> bool:
        """Spool them; False where that cannot be done."""
        if not spool.is_on():
            return False
        try:
            self._spool.keep(arrivals)
        except (OSError, spool.Full) as error:
            log.error("The spool does not take deliveries (%s).", type(error).__name__)
            return False
        return True

    def is_stuck(self, seconds: float) -> bool:
        """Whether one transaction has been running for longer than this, or a try to reach a database that is away."""
        since = self.busy_since
        patience = min(seconds, TRY_SECONDS) if self._away_since is not None else seconds
        return since is not None and time.monotonic() - since > patience

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                sys.setswitchinterval(SWITCH_SECONDS)
                self._thread = threading.Thread(target=self._run, name="calls-committer", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """End the thread after what waits now; for tests, a process just ends."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()

    def _run(self) -> None:
        keep_a_connection()
        while (batch := self._next_batch()) is not None:
            if batch:
                self.busy_since = time.monotonic()
                status, told = self._keep([waiting.arrival for waiting in batch])
                self._last_size, self._last_took = len(batch), time.monotonic() - self.busy_since
                self.busy_since = None
                self.batches += 1
                _answer(batch, status)
                if told:
                    publisher.hand(told)
            if not self._spool.is_empty and self._may_try():
                self._replay()

    def _next_batch(self) -> list[Waiting] | None:
        """What waits now, or what comes first; after a while nothing, where the spool needs care; None at the end."""
        batch: list[Waiting] = []
        try:
            first = self._queue.get(timeout=TRY_AGAIN_SECONDS if spool.is_on() else None)
            self._gather()
            while first is not None:
                batch.append(first)
                if len(batch) == MOST_TOGETHER:
                    return batch
                first = self._queue.get_nowait()
        except queue.Empty:
            return batch
        if batch:
            self._queue.put(None)
            return batch
        connection.close()
        return None

    def _gather(self) -> None:
        """Under load wait for more, up to twice as long as the last transaction took: it costs more than a delivery."""
        if self._last_size <= BUSY and not self._queue.qsize():
            return
        until = time.monotonic() + min(2 * self._last_took, LONGEST_GATHER_SECONDS)
        while time.monotonic() < until and (waiting := self._queue.qsize()) < MOST_TOGETHER:
            time.sleep(STEP_SECONDS)
            if self._queue.qsize() == waiting >= max(MANY, self._last_size - 1):
                return

    def _keep(self, arrivals: list[Arrival]) -> tuple[int, intake.Told]:
        """In the database where it is there, else on disk, else not at all."""
        if self._may_try():
            try:
                return KEPT, self._commit(arrivals)
            except intake.AWAY as error:
                self._mark_away(error)
            except Exception:  # a fault of ours: the sender must not hear that it was kept
                log.exception("Deliveries could not be committed.")
                connection.close()
        return (KEPT if self.keep_on_disk(arrivals) else REFUSED), {}

    def _commit(self, arrivals: list[Arrival]) -> intake.Told:
        """Commit; a connection that died since the last batch is replaced once."""
        self._tried_at = time.monotonic()
        try:
            told = intake.commit(arrivals)
        except intake.AWAY:
            connection.close()
            if self._away_since is not None:
                raise
            told = intake.commit(arrivals)
        if self._away_since is not None:
            log.warning("The database is back after %d s.", time.monotonic() - self._away_since)
            self._away_since = None
        return told

    def _may_try(self) -> bool:
        return self._away_since is None or time.monotonic() - self._tried_at >= TRY_AGAIN_SECONDS

    def _mark_away(self, error: Exception) -> None:
        connection.close()
        self._tried_at = time.monotonic()
        if self._away_since is None:
            self._away_since = time.monotonic()
            fate = "go to the spool" if spool.is_on() else "are refused"
            log.error("The database is away (%s); deliveries %s.", type(error).__name__, fate)

    def _replay(self) -> None:
        try:
            count = self._spool.replay(lambda piece: publisher.hand(self._commit(piece)))
        except intake.AWAY as error:
            self._mark_away(error)
        except OSError as error:
            log.error("The spool cannot be read (%s).", type(error).__name__)
        else:
            log.warning("%d deliveries from the spool are in the database.", count)


def keep_a_connection() -> None:
    """Give this thread a connection past the pool, which takes five seconds to say that the database is gone."""
    options = connections[DEFAULT_DB_ALIAS].settings_dict["OPTIONS"]
    if "pool" in options:
        own = connections.create_connection(DEFAULT_DB_ALIAS)
        unpooled = {name: value for name, value in options.items() if name != "pool"}
        own.settings_dict = {**own.settings_dict, "OPTIONS": unpooled}
        connections[DEFAULT_DB_ALIAS] = own


def _answer(batch: list[Waiting], status: int) -> None:
    by_loop: dict[AbstractEventLoop, list[Future[int]]] = defaultdict(list)
    for waiting in batch:
        by_loop[waiting.loop].append(waiting.answer)
    for loop, answers in by_loop.items():
        try:
            loop.call_soon_threadsafe(_resolve, answers, status)
        except RuntimeError:  # the loop is closed: nobody waits any more
            continue


def _resolve(answers: "list[Future[int]]", status: int) -> None:
    for answer in answers:
        if not answer.done():
            answer.set_result(status)


committer = Committer()
