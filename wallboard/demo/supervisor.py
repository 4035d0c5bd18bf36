"""Keeps a set of child processes running until it is told to stop, and leaves none behind."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from wallboard.demo.processes import Child

LOOK_EVERY_SECONDS = 0.5
CALM_AFTER_SECONDS = 20  # a child that ran for so long begins anew with the shortest pause
LONGEST_PAUSE_SECONDS = 10.0


class Stop(Exception):
    """Somebody asked us to end."""


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Inside, Ctrl-C, SIGTERM and a closed terminal raise Stop, once: the cleaning up is not interrupted again."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(number: int, frame: FrameType | None) -> None:
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)  # impatient people press Ctrl-C twice
        raise Stop

    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass
class SupervisedChild:
    """A child with the memory of how often it has just died."""

    child: Child
    started_at: float = 0.0
    deaths: int = 0
    start_at: float | None = None


@dataclass
class Supervisor:
    """Starts children in order; one that ends is started again after a pause that grows while it keeps dying."""

    folder: Path
    say: Callable[[str], None]
    _children: dict[str, SupervisedChild] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.folder / "keeper.pid").write_text(f"{os.getpid()}\n")

    def start(self, child: Child) -> None:
        """Take the child into care and start it; its process id is stored in `<name>.pid`."""
        self._children[child.name] = each = SupervisedChild(child)
        self._start(each)

    def _start(self, each: SupervisedChild) -> None:
        each.child.start()
        each.started_at, each.start_at = time.monotonic(), None
        (self.folder / f"{each.child.name}.pid").write_text(f"{each.child.pid}\n")

    def look(self) -> None:
        """Note who has died, and start again whose pause is over."""
        now = time.monotonic()
        for each in self._children.values():
            if each.start_at is None and not each.child.is_running:
                self._schedule_restart(each, now)
            if each.start_at is not None and now >= each.start_at:
                self._start(each)
                self.say(f"{each.child.name} is running again.")

    def _schedule_restart(self, each: SupervisedChild, now: float) -> None:
        each.deaths = 1 if now - each.started_at > CALM_AFTER_SECONDS else each.deaths + 1
        pause = min(0.5 * 2 ** (each.deaths - 1), LONGEST_PAUSE_SECONDS)
        each.start_at = now + pause
        self.say(f"{each.child.name} {ending(each.child)}; starting it again in {pause:g} s. Its log: {each.child.log}")

    def run(self) -> None:
        """Keep everything running until Stop is raised."""
        while True:
            self.look()
            time.sleep(LOOK_EVERY_SECONDS)

    def stop(self) -> None:
        """End all children, the last one first."""
        for each in reversed(self._children.values()):
            each.child.stop()
            (self.folder / f"{each.child.name}.pid").unlink(missing_ok=True)
        (self.folder / "keeper.pid").unlink(missing_ok=True)

    def dead(self) -> Mapping[str, Child]:
        """Who is not running now."""
        return {name: each.child for name, each in self._children.items() if not each.child.is_running}


def ending(child: Child) -> str:
    """How it ended, in words."""
    code = child.process.returncode if child.process else 0
    return f"was killed ({signal.Signals(-code).name})" if code < 0 else f"has ended (exit status {code})"
