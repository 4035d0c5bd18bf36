"""What this machine does meanwhile: CPU time of all and of ours, and children pinned to one core. Linux only."""

import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, LOAD_CORE = CORES[0], CORES[-1]
HERTZ = os.sysconf("SC_CLK_TCK")
MOST_FOREIGN = 0.10  # of all cores, by programs that are none of ours and by the host
TRIES = 3
T = TypeVar("T")


def busy_seconds() -> tuple[float, float]:
    """CPU time of the whole machine, and what was stolen from it (proc(5), /proc/stat)."""
    fields = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return (sum(fields[:3]) + sum(fields[5:7])) / HERTZ, fields[7] / HERTZ


def our_seconds(pids: list[int]) -> float:
    """CPU time of our processes and their descendants, those included that have ended and were waited for."""
    parents: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = path.read_text().rsplit(")", 1)
        except OSError:
            continue
        fields = rest.split()
        pid = int(name.split("(", 1)[0])
        parents.setdefault(int(fields[1]), []).append(pid)
        spent[pid] = sum(map(int, fields[11:15])) / HERTZ
    waiting, total = list(pids), 0.0
    while waiting:
        pid = waiting.pop()
        total += spent.get(pid, 0.0)
        waiting += parents.get(pid, [])
    return total


def cpu_seconds(pid: int) -> float:
    """CPU time that this one process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / HERTZ


def loop_seconds(pid: int) -> float:
    """CPU time of this process' first thread, which runs a web process' event loop."""
    fields = Path(f"/proc/{pid}/task/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / HERTZ


def resident_bytes(pid: int) -> int:
    """Memory that the process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Watch:
    """Watches the whole machine from its making on."""

    def __init__(self) -> None:
        self._began, self._before = time.perf_counter(), self._foreign_seconds()

    def foreign(self) -> float:
        """The share of all cores that went to programs that are none of ours, stolen time included."""
        passed = time.perf_counter() - self._began
        return max(0.0, self._foreign_seconds() - self._before) / (passed * (os.cpu_count() or 1))

    def _foreign_seconds(self) -> float:
        busy, stolen = busy_seconds()
        return busy + stolen - our_seconds([os.getpid()])


def undisturbed(name: str, take: Callable[[], tuple[T, float]], *, anyway: bool) -> tuple[T | None, float]:
    """What was taken while hardly anything else ran, and how much did; None where there was no such moment.

    `take` gives what it measured and the foreign load meanwhile. It is repeated a few times where that was too much.
    """
    least = 1.0
    for _ in range(TRIES):
        taken, foreign = take()
        if foreign <= MOST_FOREIGN or anyway:
            return taken, foreign
        print(f"  {name}: thrown away, {foreign:.0%} of the machine went to others", flush=True)
        least = min(least, foreign)
    return None, least


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Children started inside run on this core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def allow_many_sockets() -> None:
    """As many open files as this system allows us, for our children too."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
