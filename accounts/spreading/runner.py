"""Runs what is due at a moment of its own, in threads of the worker and in fair turns: who hangs delays nobody else.

Only a worker's runners have threads. In any other process whoever plans something runs what is due at once himself.
"""

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import ClassVar

from django.db import close_old_connections

from wallboard.telephony.turns import Turn, Turns

log = logging.getLogger(__name__)

TOGETHER_SECONDS = 0.001  # what is planned in one loop lies so far apart, and begins together


@dataclass(frozen=True)
class Outcome:
    """How a job ended: whether in vain, and in how many seconds it is to run again; None where others plan that."""

    is_failure: bool = False
    again_seconds: float | None = None


@dataclass(frozen=True)
class Job:
    """Work for one company. While one with this key waits or runs, another one is not taken."""

    key: Hashable
    work: Callable[[], Outcome]
    provider: str = ""
    is_failing: bool = False


class Runner:
    """Places for jobs of one kind, each in a thread that is started when it is needed first."""

    is_worker: ClassVar[bool] = False
    is_ending: ClassVar[bool] = False
    _all: ClassVar[list["Runner"]] = []

    def __init__(self, name: str, places: int) -> None:
        self._name, self._places = name, places
        self._wake = threading.Condition()
        self._turns: Turns[Job] = Turns(places)
        self._timed: list[tuple[float, int, Job]] = []
        self._numbers = itertools.count()
        self._known: set[Hashable] = set()
        self._idle = self._threads = 0
        self._has_watcher = False
        self._all.append(self)

    def plan(self, job: Job, seconds: float) -> None:
        """Run it in so many seconds, or as soon as it has a place then; outside of a worker now or not at all."""
        if not self.is_worker:
            if seconds <= 0:
                job.work()
            return
        with self._wake:
            if job.key not in self._known:
                self._known.add(job.key)
                self._add(job, time.monotonic() + seconds)
                self._ensure_thread()

    @property
    def count(self) -> int:
        """How many jobs wait for their moment or their turn, or are under way."""
        return len(self._known)

    def drain(self, until: float) -> None:
        """Wait until nothing runs any more, or until that moment of the monotonic clock; forget what was planned."""
        with self._wake:
            self._timed.clear()
            self._known.clear()
            self._wake.notify_all()
            self._wake.wait_for(lambda: self._threads == 0, max(0.0, until - time.monotonic()))

    def _add(self, job: Job, at: float) -> None:
        heapq.heappush(self._timed, (at, next(self._numbers), job))
        # Whoever watches the clock may be waiting for a later one.
        if self._timed[0][2] is job:
            self._wake.notify_all()

    def _ensure_thread(self) -> None:
        """Have one thread that watches the clock, beside one for each job under way."""
        if self._idle or self._threads > self._places:
            return
        thread = threading.Thread(target=self._run, name=f"{self._name} {self._threads + 1}", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the machine has none left; whoever is done, or plans something next, sees to it
            log.exception("%s goes on with %d threads", self._name, self._threads)
            return
        # It waits for the lock, which is held here.
        self._threads += 1
        self._idle += 1

    def _run(self) -> None:
        while turn := self._next():
            outcome = Outcome(is_failure=True)
            try:
                outcome = _worked(turn.work)
            except Exception:
                log.exception("%s failed for %s", self._name, turn.work.key)
            finally:
                self._done(turn, outcome)

    def _next(self) -> Turn[Job] | None:
        """The next turn, waited for; None once the worker ends."""
        with self._wake:
            while not self.is_ending:
                self._take_due()
                if turn := self._turns.take():
                    self._idle -= 1
                    self._ensure_thread()
                    # Somebody else watches the clock now, and takes what else is due.
                    self._wake.notify()
                    return turn
                self._wait()
            self._idle -= 1
            self._threads -= 1
            self._wake.notify_all()
            return None

    def _take_due(self) -> None:
        now, others = time.monotonic(), -1
        if not self._timed or self._timed[0][0] > now:
            return
        while self._timed and self._timed[0][0] <= now + TOGETHER_SECONDS:
            job = heapq.heappop(self._timed)[2]
            self._turns.add(Turn(job.provider, job.is_failing, job))
            others += 1
        # One thread calling the next would spread out what is meant to begin together.
        if others > 0:
            self._wake.notify(others)

    def _wait(self) -> None:
        """One of the idle threads waits for what is due next, the others until they are called."""
        if self._has_watcher or not self._timed:
            self._wake.wait()
            return
        self._has_watcher = True
        self._wake.wait(max(0.0, self._timed[0][0] - time.monotonic()))
        self._has_watcher = False

    def _done(self, turn: Turn[Job], outcome: Outcome) -> None:
        with self._wake:
            self._turns.done(turn, is_failure=outcome.is_failure)
            self._idle += 1
            if outcome.again_seconds is None:
                self._known.discard(turn.work.key)
            else:
                again = Job(turn.work.key, turn.work.work, turn.work.provider, outcome.is_failure)
                self._add(again, time.monotonic() + outcome.again_seconds)


def _worked(job: Job) -> Outcome:
    try:
        return job.work()
    finally:
        close_old_connections()


def begin() -> None:
    """This process is a worker: what is planned from now on runs in threads of its own."""
    Runner.is_worker, Runner.is_ending = True, False


def end(wait_seconds: float) -> None:
    """Begin nothing more, and wait for what is under way: who is cut off would leave a lease behind."""
    Runner.is_ending = True
    until = time.monotonic() + wait_seconds
    for runner in Runner._all:
        runner.drain(until)
    Runner.is_worker = False
