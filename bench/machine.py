"""What this machine does meanwhile: CPU time of all and of ours, and children pinned to one core. Linux only."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def busy_seconds() -> tuple[float, float]:
    """CPU time of the whole machine, and what was stolen from it (proc(5), /proc/stat)."""
    fields = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    hertz = os.sysconf("SC_CLK_TCK")
    return (sum(fields[:3]) + sum(fields[5:7])) / hertz, fields[7] / hertz


def our_seconds(pids: list[int]) -> float:
    """CPU time of our processes and their descendants."""
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
        spent[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    waiting, total = list(pids), 0.0
    while waiting:
        pid = waiting.pop()
        total += spent.get(pid, 0.0)
        waiting += parents.get(pid, [])
    return total


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Children started inside run on this core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
