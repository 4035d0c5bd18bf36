"""Endless loops of threads and tasks that survive faults in their own work.

A fault that nobody thought of must not end what has to run for as long as the process lives: it is logged with its
stack and counted, and after a pause, which grows while faults go on, the loop takes its next step.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0

_faults: dict[str, int] = {}
_lock = threading.Lock()


class EndLoop(Exception):
    """Raised by a step after which there is nothing left to do."""


def forever(name: str, step: Callable[[], object]) -> None:
    """Take one step after the other until one raises EndLoop, or what no Exception is: a shutdown, a Ctrl-C."""
    pauses = _Pauses(name)
    while True:
        try:
            step()
        except EndLoop:
            return
        except Exception:
            time.sleep(pauses.after_fault())
        else:
            pauses.start_over()


async def forever_async(name: str, step: Callable[[], Awaitable[object]]) -> None:
    """As forever(), for a task of the running event loop; its cancellation ends it."""
    pauses = _Pauses(name)
    while True:
        try:
            await step()
        except EndLoop:
            return
        except Exception:
            await asyncio.sleep(pauses.after_fault())
        else:
            pauses.start_over()


def start_thread(name: str, step: Callable[[], object]) -> threading.Thread:
    """Run forever() in a thread that ends with the process at the latest."""
    thread = threading.Thread(target=forever, args=(name, step), name=name, daemon=True)
    thread.start()
    return thread


def faults() -> dict[str, int]:
    """How often a step failed in this process, by the name of the loop; 0 for those that never did."""
    with _lock:
        return dict(_faults)


class _Pauses:
    """The pauses of one loop, in seconds: each twice the one before, up to a limit, until a step succeeds."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.start_over()
        with _lock:
            _faults.setdefault(name, 0)

    def start_over(self) -> None:
        self._next = FIRST_PAUSE_SECONDS

    def after_fault(self) -> float:
        """Log and count the exception that is being handled; gives the pause to make."""
        with _lock:
            _faults[self._name] += 1
        pause, self._next = self._next, min(2 * self._next, LONGEST_PAUSE_SECONDS)
        log.exception("The loop %s failed; it goes on in %.1f s", self._name, pause)
        return pause
