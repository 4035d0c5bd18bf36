"""Deliveries a second to 1,000 browsers: ours on Daphne and uvicorn against the textbook way on Daphne, in turns.

Beside them a loop of `send` in C (send_loop.c), where there is a compiler: nothing can deliver one by one much faster;
and one in Python (send_loop.py), which tells how much of the difference is the language's.
The server and its Redis have one core, the load generator the other. A few events are always under way, so that the
server never waits; ours are sent to a feed whose news are never merged. Rounds during which other programs used the
server's core are thrown away.
Run: `python -m bench.fanout [--browsers 1000] [--seconds 5] [--rounds 3] [--anyway]` with bench/requirements.txt
installed; exit status 1 where a goal is missed, 2 where the machine was too busy to tell. `--anyway` reports anyway.
"""
# ruff: noqa: E402, I001  (the environment is read on import, so it comes first)

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from tests.harness.environment import SCRATCH

import django

django.setup()

from django.conf import settings
from django.core.management import call_command

from bench import results
from bench.browsers import Browsers
from bench.machine import LOAD_CORE, SERVER_CORE, cpu_seconds, resident_bytes
from tests.harness.redis import RedisServer, running_redis
from tests.harness.site import bare_environment
from tests.live.serving import command, company, serving, signed_in
from wallboard.live import feeds
from wallboard.demo.processes import Child, free_port, wait_until

UNDER_WAY = 3
MOST_FOREIGN = 0.08
TRIES = 4
GOALS = {"ours on daphne": 60.0, "ours on uvicorn": 60.0}
C_LOOP, C_GOAL = "loop of send in C", 0.9
PYTHON_LOOP = "loop of send in Python"
FRAME_BYTES = 200  # of the frame that ours deliver
EVENT = {"leg": 1, "call": "2f0c", "state": "ringing", "since": 1_795_000_000_000, "outcome": "", "by": ""}


@dataclass(frozen=True)
class Round:
    """What one variant did: deliveries a second, CPU of its web process per delivery, foreign load on its core."""

    per_second: float
    microseconds: float
    foreign: float
    resident_bytes: int


@dataclass(frozen=True)
class Variant:
    """A running server: where browsers connect, how an event is sent, and the processes that share its core."""

    url: str
    cookie: str
    send: Callable[[int], object]
    pids: tuple[int, ...]


def main() -> int:
    """Run all rounds and print one line for each variant and goal."""
    options = results.options(__doc__, browsers=(1000, 200), seconds=(5.0, 2.0), rounds=(3, 1))
    if find_spec("channels_redis") is None:
        print("The textbook way needs channels_redis: pip install -r bench/requirements.txt")
        return 2
    cookie = prepared()
    rounds: dict[str, list[Round]] = {"textbook on daphne": [], **{name: [] for name in GOALS}, PYTHON_LOOP: []}
    if shutil.which("cc"):
        rounds[C_LOOP] = []
    else:
        print("No C compiler is installed; the bare loop of send is left out (Debian: gcc libc6-dev).")
    for _ in range(options.rounds):
        for name, done in rounds.items():
            done.extend(undisturbed(name, cookie, options))
    return report(rounds)


def prepared() -> str:
    """A database with one company; gives the cookie of a browser in which the person at extension 101 is signed in."""
    SCRATCH.mkdir(exist_ok=True)
    call_command("migrate", verbosity=0)
    return signed_in(company(), extension="101")[1]


def undisturbed(name: str, cookie: str, options: argparse.Namespace) -> list[Round]:
    """One round of that variant during which nobody else used its core; [] where there was none in a few tries."""
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory() as folder, started(name, cookie, Path(folder)) as variant:
            measured = measure(variant, options.browsers, options.seconds)
        print(f"  {name:20} {measured.per_second:10,.0f}/s  {measured.foreign:4.0%} foreign load", flush=True)
        if measured.foreign <= MOST_FOREIGN or options.anyway:
            return [measured]
    return []


@contextmanager
def started(name: str, cookie: str, folder: Path) -> Iterator[Variant]:
    """That variant's server and Redis on the server's core; this process goes to the other."""
    os.sched_setaffinity(0, {SERVER_CORE})  # children inherit it
    with running_redis(folder) as redis:
        settings.REDIS_URL = redis.url
        kind = name.split()[-1]
        if name in (C_LOOP, PYTHON_LOOP):
            chosen = bare_loop(name, folder)
        else:
            chosen = textbook(redis, folder) if name.startswith("textbook") else ours(kind, redis, cookie, folder)
        with chosen as variant:
            os.sched_setaffinity(0, {LOAD_CORE})
            yield variant


@contextmanager
def bare_loop(name: str, folder: Path) -> Iterator[Variant]:
    """The program that does nothing but send."""
    port, program = free_port(), [sys.executable, "-m", "bench.send_loop"]
    if name == C_LOOP:
        program = [str(folder / "send_loop")]
        subprocess.run(["cc", "-O2", "-o", *program, str(Path(__file__).with_name("send_loop.c"))], check=True)
    child = subprocess.Popen([*program, str(port), str(FRAME_BYTES)], stdin=subprocess.PIPE, bufsize=0)
    assert child.stdin is not None
    told = child.stdin
    try:
        assert wait_until(lambda: is_open(port), 10)
        yield Variant(f"ws://127.0.0.1:{port}/", "", lambda number: told.write(b"."), (child.pid,))
    finally:
        told.close()  # which ends it
        child.wait(10)


@contextmanager
def ours(kind: str, redis: RedisServer, cookie: str, folder: Path) -> Iterator[Variant]:
    feed = feeds.desk(1, "101")
    with serving(kind, redis, folder, SOCKETS_PER_VIEWER="9999") as server:  # all browsers have one cookie
        url = f"ws://127.0.0.1:{server.port}/live/?desk=1"
        yield Variant(
            url,
            cookie,
            lambda number: feed.publish({"1": (number, {**EVENT, "since": number})}),
            (server.child.pid, redis.child.pid),
        )


@contextmanager
def textbook(redis: RedisServer, folder: Path) -> Iterator[Variant]:
    from channels_redis.core import RedisChannelLayer  # type: ignore[import-not-found,import-untyped,unused-ignore]

    port = free_port()
    env = bare_environment(REDIS_URL=redis.url, PYTHONPATH=os.environ.get("PYTHONPATH", ""))
    child = Child("textbook", command("daphne", port, "bench.textbook:application"), folder / "log", env)
    child.start()
    loop = asyncio.new_event_loop()
    layer = RedisChannelLayer(hosts=[{"address": redis.url, "socket_timeout": 15}])
    try:
        assert wait_until(lambda: is_open(port), 20), child.tail()

        def send(number: int) -> None:
            changed = {"1": {**EVENT, "since": number}}
            frame = {"feed": "desk:101", "prev": "1-1", "id": "2-2", "set": changed, "del": []}
            loop.run_until_complete(layer.group_send("news", {"type": "news", "frame": frame}))

        yield Variant(f"ws://127.0.0.1:{port}/", "", send, (child.pid, redis.child.pid))
    finally:
        loop.run_until_complete(layer.close_pools())
        loop.close()
        child.stop()


def is_open(port: int) -> bool:
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def measure(variant: Variant, count: int, seconds: float) -> Round:
    """Keep the server busy for so long, and count what arrives."""
    browsers = Browsers(count, variant.url, variant.cookie)
    try:
        browsers.settle()
        sent = warm_up(variant, browsers, count)
        began, busy, own = time.monotonic(), core_seconds(), [cpu_seconds(pid) for pid in variant.pids]
        received = browsers.received
        while time.monotonic() - began < seconds:
            sent += 1
            variant.send(sent)
            if not browsers.read_until((sent - UNDER_WAY) * count, 30):
                raise RuntimeError("news were lost")
        took, arrived = time.monotonic() - began, browsers.received - received
        used = [cpu_seconds(pid) - before for pid, before in zip(variant.pids, own, strict=True)]
        foreign = max(0.0, core_seconds() - busy - sum(used)) / took
        return Round(arrived / took, used[0] / arrived * 1e6, foreign, resident_bytes(variant.pids[0]))
    finally:
        browsers.close()


def warm_up(variant: Variant, browsers: Browsers, count: int) -> int:
    """A few events, one after the other; gives how many."""
    for number in range(1, 4):
        variant.send(number)
        if not browsers.read_until(number * count, 30):
            raise RuntimeError(f"only {browsers.received} of {number * count} deliveries arrived")
    return 3


def core_seconds() -> float:
    """Time that the server's core was not idle, stolen time included."""
    line = next(row for row in Path("/proc/stat").read_text().splitlines() if row.startswith(f"cpu{SERVER_CORE} "))
    user, nice, system, _idle, _iowait, irq, soft, stolen = (int(word) for word in line.split()[1:9])
    return (user + nice + system + irq + soft + stolen) / os.sysconf("SC_CLK_TCK")


def report(rounds: dict[str, list[Round]]) -> int:
    """Tell the middle of each variant's rounds against the textbook's; the exit status."""
    if not all(done for name, done in rounds.items() if name not in (C_LOOP, PYTHON_LOOP)):
        print("Too much else ran on this machine; nothing can be told. Try again later, or with --anyway.")
        return results.tell([results.disturbed(f"fan-out, {name}", MOST_FOREIGN) for name in GOALS])
    base, lines = middle(rounds["textbook on daphne"]), []
    # Nobody sends faster from Python.
    bare = middle(rounds[PYTHON_LOOP]).per_second if rounds.get(PYTHON_LOOP) else None
    for name, goal in GOALS.items():
        here = middle(rounds[name])
        rates, floor = (here.per_second, base.per_second), bare / base.per_second if bare else None
        line = results.compared(f"fan-out, {name}", *rates, "/s", at_least=goal, floor=floor, foreign=here.foreign)
        lines += [line, results.bounded("  CPU of each delivery", here.microseconds, "us")]
        for loop in filter(rounds.get, (C_LOOP, PYTHON_LOOP)):
            least, what = middle(rounds[loop]), f"  to a {loop}"
            rates, is_c = (here.per_second, least.per_second), loop == C_LOOP
            goal_here, floor = (C_GOAL, bare and bare / least.per_second) if is_c else (None, None)
            lines.append(results.compared(what, *rates, "/s", at_least=goal_here, floor=floor, foreign=here.foreign))
            lines.append(results.compared(f"{what}, CPU of each", here.microseconds, least.microseconds, "us"))
    print(json.dumps({name: [each.__dict__ for each in done] for name, done in rounds.items()}), file=sys.stderr)
    return results.tell(lines)


def middle(done: list[Round]) -> Round:
    """The round with the middle speed."""
    speed = median(each.per_second for each in done)
    return min(done, key=lambda each: abs(each.per_second - speed))


if __name__ == "__main__":
    sys.exit(main())
