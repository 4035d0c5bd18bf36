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

from wallboard.calls.publisher import publisher
from wallboard.calls.webhooks import intake, spool
from wallboard.calls.webhooks.intake import Arrival
from wallboard.live import loops

log = logging.getLogger(__name__)
MOST_TOGETHER = 400  # deliveries in one transaction
MOST_WAITING = 5_000  # beyond this the door refuses: memory is bounded, and the sender hears the truth
MOST_WAITING_CHARACTERS = 64 * 1024 * 1024  # the same for large ones
ORPHANS_EVERY_SECONDS = 5.0  # spools of processes that are gone are looked for this often
BUSY = 3  # more than so many in the last transaction: there is load, and the next one waits for more to come
LONGEST_GATHER_SECONDS = 0.03
MANY, STEP_SECONDS = 16, 0.002  # so many are enough once no more have come for a moment
GROW_EVERY = 16  # transactions that answered many
TRY_AGAIN_SECONDS = 1.0  # while the database is away it is tried this often; deliveries meanwhile do not wait for it
TRY_SECONDS = 0.3  # nobody waits longer for such a try
SWITCH_SECONDS = 0.0005  # how long a busy event loop may make a thread wait after each answer of the database
ACCEPTED, UNAVAILABLE = 204, 503


@dataclass(frozen=True, slots=True)
class PendingAnswer:
    """A delivery whose sender waits for an answer."""

    arrival: Arrival
    loop: AbstractEventLoop
    answer: "Future[int]"


class Committer:
    """Takes deliveries from event loops and answers each once it is durable. `batches` counts its transactions."""

    def __init__(self) -> None:
        # Its put() never blocks an event loop.
        self._queue: queue.SimpleQueue[PendingAnswer | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._spool = spool.Spool()
        self._away_since: float | None = None
        self._tried_at = 0.0
        self._looked_at = float("-inf")
        self._is_spool_failing = False
        self._counting = threading.Lock()
        self._waiting_characters = 0
        self._last_size, self._last_took = 0, 0.0
        self._enough, self._enough_are = threading.Event(), sys.maxsize
        self.busy_since: float | None = None
        self.batches = 0

    def submit(self, waiting: PendingAnswer) -> bool:
        """Take a delivery over; False where too many wait already."""
        with self._counting:
            # Checked by characters too: 5,000 full-sized deliveries would be five gigabytes.
            if self._queue.qsize() >= MOST_WAITING or self._waiting_characters >= MOST_WAITING_CHARACTERS:
                return False
            self._waiting_characters += len(waiting.arrival.body)
        self.start()
        self._queue.put(waiting)
        if self._queue.qsize() >= self._enough_are:
            self._enough.set()
        return True

    def write_to_spool(self, arrivals: list[Arrival]) -> bool:
        """Spool them; False where that cannot be done."""
        if not spool.is_on():
            return False
        try:
            self._spool.append(arrivals)
        except (OSError, spool.SpoolFull) as error:
            log.error("The spool does not take deliveries (%s).", type(error).__name__)
            return False
        return True

    def is_stuck(self, seconds: float) -> bool:
        """Whether one transaction has been running for longer than this, or a try to reach a database that is away."""
        since = self.busy_since
        # The database is known to be away: nobody waits for a try whose end is foreseeable.
        patience = min(seconds, TRY_SECONDS) if self._away_since is not None else seconds
        return since is not None and time.monotonic() - since > patience

    def start(self) -> None:
        """Start the thread, where it does not run yet: it also takes over what processes left that are gone."""
        if self._thread is not None:
            return
        with self._starting:
            if self._thread is None:
                # After each answer of the database the thread has to get the interpreter back: at Python's usual 5 ms
                # a busy event loop would keep it for that long each time.
                sys.setswitchinterval(SWITCH_SECONDS)
                self._thread = threading.Thread(target=self._run, name="calls-committer", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """End the thread after what waits now; for tests, a process just ends."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()

    def _run(self) -> None:
        use_own_connection()
        loops.forever("calls-committer", self._step)

    def _step(self) -> None:
        """One transaction, if anything waits, and a look at the spool."""
        batch = self._next_batch()
        if batch is None:
            raise loops.EndLoop
        if batch:
            self._answer(batch)
        # After the batch: whoever waits for an answer comes before what is safe on the disk already.
        if self._may_try() and (not self._spool.is_empty or self._may_look_for_orphans()):
            self._replay()

    def _answer(self, batch: list[PendingAnswer]) -> None:
        self.busy_since = time.monotonic()
        try:
            status, changes = self._store([waiting.arrival for waiting in batch])
            self._last_size, self._last_took = len(batch), time.monotonic() - self.busy_since
        finally:
            self.busy_since = None
            with self._counting:
                self._waiting_characters -= sum(len(waiting.arrival.body) for waiting in batch)
        self.batches += 1
        # First, as it only wakes its thread: what rings should not wait until the answers are sent.
        if changes:
            publisher.submit(changes)
        _answer(batch, status)

    def _next_batch(self) -> list[PendingAnswer] | None:
        """What waits now, or what comes first; after a while nothing, where the spool needs care; None at the end."""
        batch: list[PendingAnswer] = []
        try:
            # Without a spool there is nothing to look after, and an idle process sleeps.
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
            # The end that was taken out of the queue counts after this batch.
            self._queue.put(None)
            return batch
        connection.close()
        return None

    def _gather(self) -> None:
        """Under load wait for more, up to twice as long as the last transaction took: it costs more than a delivery."""
        # A lone delivery must not wait for company that does not come, nor two that met by chance.
        if self._last_size <= BUSY:
            return
        until = time.monotonic() + min(2 * self._last_took, LONGEST_GATHER_SECONDS)
        self._enough.clear()
        # One is taken out of the queue already. Where as many wait as the last time, hardly any more will come; now and
        # then it waits for these too, or senders that once missed a transaction would take turns with the others.
        is_large = self._last_size > MANY
        may_grow = is_large and self.batches % GROW_EVERY == 0
        enough = MOST_TOGETHER if may_grow else min(MOST_TOGETHER, self._last_size - 1)
        # The last of a few does not wake it: more may come during the step, and waking costs as much as a delivery.
        self._enough_are = enough if is_large else sys.maxsize
        while time.monotonic() < until and (waiting := self._queue.qsize()) < enough:
            if self._enough.wait(STEP_SECONDS) or self._queue.qsize() == waiting >= max(MANY, self._last_size - 2):
                break
        self._enough_are = sys.maxsize

    def _store(self, arrivals: list[Arrival]) -> tuple[int, intake.ChangesByDomain]:
        """In the database where it is there, else on disk, else not at all."""
        if self._may_try():
            try:
                return ACCEPTED, self._commit(arrivals)
            except intake.AWAY as error:
                self._mark_away(error)
            except Exception:  # a fault of ours: the sender must not hear that it was kept
                log.exception("Deliveries could not be committed.")
                connection.close()
        # A 2xx is only for what is durable; 503 leaves the provider the chance to send it again.
        return (ACCEPTED if self.write_to_spool(arrivals) else UNAVAILABLE), {}

    def _commit(self, arrivals: list[Arrival]) -> intake.ChangesByDomain:
        """Commit; a connection that died since the last batch is replaced once."""
        self._tried_at = time.monotonic()
        try:
            changes = intake.commit(arrivals, publisher.foresee)
        except intake.AWAY:
            connection.close()
            # Known to be away: a second try would only keep the senders waiting.
            if self._away_since is not None:
                raise
            changes = intake.commit(arrivals)
        if self._away_since is not None:
            log.warning("The database is back after %d s.", time.monotonic() - self._away_since)
            self._away_since = None
        return changes

    def _may_try(self) -> bool:
        return self._away_since is None or time.monotonic() - self._tried_at >= TRY_AGAIN_SECONDS

    def _mark_away(self, error: Exception) -> None:
        connection.close()
        self._tried_at = time.monotonic()
        if self._away_since is None:
            self._away_since = time.monotonic()
            fate = "go to the spool" if spool.is_on() else "are refused"
            # Once, not for each batch: an outage would fill the log.
            log.error("The database is away (%s); deliveries %s.", type(error).__name__, fate)

    def _may_look_for_orphans(self) -> bool:
        return spool.is_on() and time.monotonic() - self._looked_at >= ORPHANS_EVERY_SECONDS

    def _replay(self) -> None:
        """Apply what is spooled by this process, and now and then by processes that are gone."""
        try:
            count = self._spool.replay(self._commit_piece)
            if self._may_look_for_orphans():
                self._looked_at = time.monotonic()
                count += spool.replay_orphans(self._commit_piece)
        except intake.AWAY as error:
            self._mark_away(error)
        except OSError as error:
            if not self._is_spool_failing:
                log.error("The spool cannot be read (%s).", type(error).__name__)
            self._is_spool_failing = True
        else:
            self._is_spool_failing = False
            if count:
                log.warning("%d deliveries from the spool are in the database.", count)

    def _commit_piece(self, piece: list[Arrival]) -> None:
        publisher.submit(self._commit(piece))


def use_own_connection() -> None:
    """Give this thread a connection past the pool, which takes five seconds to say that the database is gone."""
    options = connections[DEFAULT_DB_ALIAS].settings_dict["OPTIONS"]
    # On SQLite, or without a pool, the thread's own connection is right as it is.
    if "pool" in options:
        own = connections.create_connection(DEFAULT_DB_ALIAS)
        unpooled = {name: value for name, value in options.items() if name != "pool"}
        own.settings_dict = {**own.settings_dict, "OPTIONS": unpooled}
        connections[DEFAULT_DB_ALIAS] = own


def _answer(batch: list[PendingAnswer], status: int) -> None:
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
        # Its request may have given up and been answered from the spool.
        if not answer.done():
            answer.set_result(status)


committer = Committer()
