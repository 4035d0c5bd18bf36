"""Keeps a set of child processes running until it is told to stop, and leaves none behind."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from wallboard.processes import Child

LOOK_EVERY_SECONDS = 0.5
CALM_AFTER_SECONDS = 20
LONGEST_PAUSE_SECONDS = 10.0


class Stop(Exception):
    """Somebody asked us to end."""


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Inside, Ctrl-C, SIGTERM and a closed terminal raise Stop, once: the cleaning up is not interrupted again."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(number: int, frame: FrameType | None) -> None:
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        raise Stop

    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass
class Kept:
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
    _kept: dict[str, Kept] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.folder / "keeper.pid").write_text(f"{os.getpid()}\n")

    def start(self, child: Child) -> None:
        """Take the child into care and start it; its process id is kept in `<name>.pid`."""
        self._kept[child.name] = kept = Kept(child)
        self._start(kept)

    def _start(self, kept: Kept) -> None:
        kept.child.start()
        kept.started_at, kept.start_at = time.monotonic(), None
        (self.folder / f"{kept.child.name}.pid").write_text(f"{kept.child.pid}\n")

    def look(self) -> None:
        """Note who has died, and start again whose pause is over."""
        now = time.monotonic()
        for kept in self._kept.values():
            if kept.start_at is None and not kept.child.is_running:
                self._mourn(kept, now)
            if kept.start_at is not None and now >= kept.start_at:
                self._start(kept)
                self.say(f"{kept.child.name} is running again.")

    def _mourn(self, kept: Kept, now: float) -> None:
        kept.deaths = 1 if now - kept.started_at > CALM_AFTER_SECONDS else kept.deaths + 1
        pause = min(0.5 * 2 ** (kept.deaths - 1), LONGEST_PAUSE_SECONDS)
        kept.start_at = now + pause
        self.say(f"{kept.child.name} {ending(kept.child)}; starting it again in {pause:g} s. Its log: {kept.child.log}")

    def run(self) -> None:
        """Keep everything running until Stop is raised."""
        while True:
            self.look()
            time.sleep(LOOK_EVERY_SECONDS)

    def stop(self) -> None:
        """End all children, the last one first."""
        for kept in reversed(self._kept.values()):
            kept.child.stop()
            (self.folder / f"{kept.child.name}.pid").unlink(missing_ok=True)
        (self.folder / "keeper.pid").unlink(missing_ok=True)

    def dead(self) -> Mapping[str, Child]:
        """Who is not running now."""
        return {name: kept.child for name, kept in self._kept.items() if not kept.child.is_running}


def ending(child: Child) -> str:
    """How it ended, in words."""
    code = child.process.returncode if child.process else 0
    return f"was killed ({signal.Signals(-code).name})" if code < 0 else f"has ended (exit status {code})"
