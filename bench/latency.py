"""From the POST of a call event to the frame at a browser: ours, durable, beside nginx with nchan, which keeps nothing.

Twenty events a second. Desks (1,000 browsers at one desk, whose news are never held back) take turns with nchan sending
the same payload to as many WebSockets, and with nchan to which each payload goes after it was committed as a row in
PostgreSQL: the floor of what is durable. Boards are told at most ten times a second, so a change may wait 100 ms to be
merged with others: their figures at 1,000 and 5,000 browsers are judged by themselves.
"""

import argparse
import re
import sys
import tempfile
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from bench import results
from bench.browsers import Readers
from bench.commits import committing
from bench.installation import Installation, running_installation
from bench.machine import Watch, allow_many_sockets, our_seconds, undisturbed
from bench.nchan import running_nchan
from bench.posts import Posts
from bench.results import Line
from bench.traffic import LIFE, call_id, events, life_of

PER_SECOND = 20
AT_ONCE = 20  # calls under way: two events of one call are a second apart, so no merging hides one of them
RATIO_GOAL, MEDIAN_GOAL_MS, MANY_GOAL_MS = 1.0, 10.0, 250.0
NEWS = re.compile(rb'"call":"[a-z0-9]*-(\d+)","state":"(ringing|talking|active|ended)"')
STEPS = {b"ringing": 0, b"talking": 1, b"active": 1, b"ended": 2}


@dataclass
class Clock:
    """Measures how long events took to each browser. An event counts at the first frame that tells it."""

    sent_at: list[float] = field(default_factory=list)
    took: "array[float]" = field(default_factory=lambda: array("d"))
    known: set[int] = field(default_factory=set)

    def understand(self, text: bytes) -> tuple[int, ...] | None:
        """The numbers of the events that this frame is the first to tell."""
        if b'"prev"' not in text:
            return None
        told = {event_of(int(call), STEPS[state]) for call, state in NEWS.findall(text)} - self.known
        self.known |= told
        return tuple(told) or None

    def hear(self, _: int, told: tuple[int, ...]) -> None:
        """Note when a browser read of these events."""
        now = perf_counter()
        for number in told:
            self.took.append(now - self.sent_at[number])


@dataclass(frozen=True)
class Pace:
    """What one round found, in milliseconds; `due` and `arrived` count deliveries, `busy` is the server's own CPU."""

    p50: float
    p99: float
    due: int
    arrived: int
    busy: float


@dataclass(frozen=True)
class Way:
    """One way to be measured: where browsers connect, where events are posted, and what is posted."""

    name: str
    url: str
    cookie: str
    port: int
    path: str
    pid: int
    bodies: Iterator[bytes]
    steps_told: int
    first: Callable[[bytes], object] | None = None


def event_of(call: int, step: int) -> int:
    """The number of the event that tells this step of this call; the other way round than life_of."""
    block, place = divmod(call, AT_ONCE)
    return (block * len(LIFE) + step) * AT_ONCE + place


def payloads() -> Iterator[bytes]:
    """What nchan is given: the frames that our desks get, in the same length."""
    for number in count():
        call, state = life_of(number, AT_ONCE)
        told = f'{{"leg":{call},"call":"{call_id(call)}","state":"{state}","since":1795000000000,"outcome":"","by":""}}'
        head = f'{{"feed":"desk:101","id":"{number}-2907195823","prev":"{number}-1207195823"'
        yield f'{head},"set":{{"{call}":{told}}},"del":[]}}'.encode()


def our_way(kind: str, site: Installation, run: int) -> Way:
    """Ours, for `desk` or `board`; each run has calls of its own, for what has ended stays ended."""
    is_desk = kind == "desk"
    bodies = events(AT_ONCE, 1 if is_desk else 50, f"run{run}")
    url = site.socket_url("desk=1" if is_desk else "board=main")
    return Way(kind, url, site.cookie, site.port, site.hook, site.web.pid, bodies, 3 if is_desk else 2)


def nchan_way(port: int, pid: int, first: Callable[[bytes], object] | None = None) -> Way:
    """The yardstick; the floor where each payload is committed `first`."""
    name = "floor" if first else "nchan"
    return Way(name, f"ws://127.0.0.1:{port}/sub", "", port, "/pub", pid, payloads(), 3, first)


def measure(way: Way, browsers: int, seconds: float) -> tuple[Pace, float]:
    """One round, and the foreign load during it."""
    clock = Clock()
    with closing(Readers(browsers, way.url, way.cookie, clock.understand, clock.hear)) as readers:
        readers.settle()
        with closing(Posts(way.port, way.path, readers, way.first)) as posts:
            clock.sent_at = posts.sent_at
            watch, used = Watch(), our_seconds([way.pid])
            posts.send_at_pace(way.bodies, PER_SECOND, seconds)
            readers.read_for(1.0)
            foreign, used = watch.foreign(), our_seconds([way.pid]) - used
    if set(posts.took) - {200, 201, 202, 204}:
        raise RuntimeError(f"answers by status: { {status: len(took) for status, took in posts.took.items()} }")
    took = sorted(clock.took)
    told = sum(number // AT_ONCE % len(LIFE) < way.steps_told for number in range(len(posts.sent_at)))
    pace = Pace(at(took, 0.5), at(took, 0.99), told * browsers, len(took), used / seconds)
    print(
        f"  {way.name:6} {browsers:,} browsers: p50 {pace.p50:6.1f} ms, p99 {pace.p99:6.1f} ms, "
        f"{pace.arrived:,} of {pace.due:,} deliveries, server {pace.busy:.0%} of its core, others {foreign:.0%}",
        flush=True,
    )
    return pace, foreign


def at(values: list[float], share: float) -> float:
    """The value below which so many lie, in milliseconds."""
    return values[min(int(len(values) * share), len(values) - 1)] * 1000 if values else float("inf")


def middle(rounds: list[tuple[Pace, float]]) -> tuple[Pace, float]:
    """The round with the middle p99."""
    return sorted(rounds, key=lambda each: each[0].p99)[len(rounds) // 2]


def lines(found: dict[str, list[tuple[Pace, float]]], browsers: int, many: int, tried: dict[str, float]) -> list[Line]:
    """The figures of all ways that could be measured."""
    made = []
    if found["desk"] and found["nchan"]:
        (ours, foreign), (theirs, _) = middle(found["desk"]), middle(found["nchan"])
        floor = middle(found["floor"])[0] if found["floor"] else None
        p99: dict[str, Any] = {"at_most": RATIO_GOAL, "floor": floor and floor.p99 / theirs.p99, "foreign": foreign}
        p50: dict[str, Any] = {"at_most": MEDIAN_GOAL_MS, "floor": floor and floor.p50, "foreign": foreign}
        what = f"latency p99, desk, {browsers:,} browsers, to nchan"
        made.append(results.compared(what, ours.p99, theirs.p99, "ms", **p99))
        made.append(results.bounded("  in the middle", ours.p50, "ms", **p50))
        if floor:
            what = "  to nchan behind a commit"
            made.append(results.compared(f"{what}, p99", ours.p99, floor.p99, "ms", foreign=foreign))
            made.append(results.compared(f"{what}, in the middle", ours.p50, floor.p50, "ms", foreign=foreign))
    else:
        made.append(results.disturbed("latency p99, desk, to nchan", tried["desk"]))
    for kind, count_ in (("board", browsers), ("many", many)):
        what = f"latency p99, board, {count_:,} browsers"
        if not found[kind]:
            made.append(results.disturbed(what, tried[kind]))
            continue
        pace, foreign = middle(found[kind])
        made.append(results.bounded(what, pace.p99, "ms", at_most=MANY_GOAL_MS, foreign=foreign))
        made.append(results.bounded(f"  deliveries lost, {count_:,} browsers", pace.due - pace.arrived, "", at_most=0))
    return made


def measured(site: Installation, nchan: tuple[int, int] | None, options: argparse.Namespace) -> list[Line]:
    """All rounds: desk, nchan, nchan behind a commit and board in turns, then the many browsers."""
    found: dict[str, list[tuple[Pace, float]]] = {"desk": [], "nchan": [], "floor": [], "board": [], "many": []}
    tried = dict.fromkeys(found, 0.0)
    runs = count()
    kinds = [kind for kind in ("desk", "nchan", "floor", "board") if nchan or kind not in ("nchan", "floor")]
    if site.vendor != "PostgreSQL":
        kinds = [kind for kind in kinds if kind != "floor"]

    def take(kind: str, browsers: int) -> None:
        def once() -> tuple[Pace, float]:
            if kind == "nchan" and nchan is not None:
                return measure(nchan_way(*nchan), browsers, options.seconds)
            if kind == "floor" and nchan is not None:
                with committing(site.env["DATABASE_URL"]) as commit:
                    return measure(nchan_way(*nchan, commit), browsers, options.seconds)
            return measure(our_way("desk" if kind == "desk" else "board", site, next(runs)), browsers, options.seconds)

        pace, tried[kind] = undisturbed(kind, once, anyway=options.anyway)
        if pace is not None:
            found[kind].append((pace, tried[kind]))

    for _ in range(options.rounds):
        for kind in kinds:
            take(kind, options.browsers)
    take("many", options.many)
    return lines(found, options.browsers, options.many, tried)


def main() -> int:
    """Measure and report; the exit status."""
    # Whole lives of calls, three seconds each: what is left ringing would be read with each event of the next round.
    options = results.options(__doc__, browsers=(1000, 100), many=(5000, 300), seconds=(12.0, 3.0), rounds=(3, 1))
    allow_many_sockets()
    with tempfile.TemporaryDirectory(prefix="bench-latency-") as name, running_nchan(Path(name)) as nchan:
        if nchan is None:
            print("nginx with nchan is not installed (Debian: nginx-light libnginx-mod-nchan); there is no yardstick.")
        with running_installation(Path(name)) as site:
            print(f"latency: {PER_SECOND} call events a second, durable in {site.vendor}")
            return results.tell(measured(site, nchan, options))


if __name__ == "__main__":
    sys.exit(main())
