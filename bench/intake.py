"""Deliveries a second that are durable when they are answered, beside the textbook way and beside less than durable.

- textbook: one insert per request in a sync view, and nothing else: no state of the call, no news to browsers;
- not durable: ours in every line, on a database that fsyncs nothing and waits for no disk. What durability costs is the
  difference to this one;
- nothing kept: ours with no database behind it and no news told, so that only HTTP is left. The difference to this one
  is all that makes a wallboard of a POST: the delivery as a row, the call, the people on it, and four feeds.

All run on Daphne on one core together with their database and Redis; the load generator has the other core. Rounds take
turns after one of each that does not count, and the middle of each variant's rounds counts. Rounds that other programs
disturbed are thrown away. PostgreSQL runs as it comes: fsync on, answer after commit. Where the time of ours goes is
told per delivery.
Run: `python -m bench.intake [--seconds 4] [--rounds 5] [--at-once 40]`; exit status 1 where a goal is missed.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median

import psycopg

import tests.harness.environment  # noqa: F401
from bench import results
from bench.machine import LOAD_CORE, MOST_FOREIGN, SERVER_CORE, Watch, cpu_seconds, loop_seconds, our_seconds, pinned
from bench.webhooks import APPLICATIONS
from tests.harness import postgres
from tests.harness.redis import running_redis
from wallboard.demo.processes import BASE_DIR, Child, free_port, wait_until

SECRET = "bench-secret-0123456789-abcdefghijklmnop"
GOALS = {"textbook": 20.0, "not durable": 0.9, "nothing kept": 0.45}
NOT_DURABLE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
Rounds = dict[str, list["Found"]]
MAKE = f"""
from accounts.models import Domain
from wallboard.calls.webhooks import hook_secrets
from wallboard.calls.models import Subscription
domain = Domain.objects.create(slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id")
Subscription.objects.create(domain=domain, kind="calls", secret_hash=hook_secrets.hash_of("{SECRET}"))
"""


@dataclass(frozen=True)
class Found:
    """What one round found; `costs` are microseconds of CPU per delivery, by part."""

    per_second: float
    p99_ms: float
    foreign: float
    costs: dict[str, float]


@dataclass
class Server:
    """One variant, running."""

    variant: str
    port: int
    child: Child


def events() -> Iterator[bytes]:
    """The life of one call after the other, forty of them at a time."""
    for n in count():
        number, step = n // 160 * 40 + n % 40, n // 40 % 4
        state = ("progressing", "ringing", "active", "ended")[step]
        source = {"id": f"+1555{number % 10_000_000:07}", "call_id": f"c{number}", "state": state, "name": "Ana Lima"}
        target = {"id": str(100 + number % 50), "user": str(100 + number % 50), "call_id": f"l{number}", "state": state}
        yield json.dumps(
            {"calls": {"on_net": False, "from": source, "to": target, "time_start": "2026-11-20"}}
        ).encode()


async def flood(port: int, bodies: Iterator[bytes], seconds: float, at_once: int) -> tuple[float, float]:
    """Deliveries answered 204 a second, and the 99th percentile of the answer time in ms; raw HTTP, keep-alive."""
    took: list[float] = []
    end = time.perf_counter() + seconds

    async def sender() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (begun := time.perf_counter()) < end:
            body = next(bodies)
            head = f"POST /hooks/{SECRET}/ HTTP/1.1\r\nHost: testserver\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 204"), answer
            took.append(time.perf_counter() - begun)
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(sender() for _ in range(at_once)))
    took.sort()
    return len(took) / (time.perf_counter() - started), took[int(len(took) * 0.99)] * 1000


def start(folder: Path, variant: str, env: dict[str, str]) -> Server:
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "daphne",
        "-b",
        "127.0.0.1",
        "-p",
        str(port),
        "-v",
        "0",
        "bench.webhooks:application",
    ]
    child = Child(variant, command, folder / f"{variant}-{port}.log", env | {"BENCH_VARIANT": variant})
    child.start()

    def answers() -> bool:
        try:
            return asyncio.run(flood(port, events(), 0.05, 1))[0] > 0
        except (OSError, asyncio.IncompleteReadError):
            return False

    assert wait_until(answers, 30), child.tail()
    return Server(variant, port, child)


def prepare(env: dict[str, str]) -> None:
    """Tables and one subscription."""
    from subprocess import run

    for arguments in (["migrate", "-v", "0"], ["shell", "-v", "0", "-c", MAKE]):
        run([sys.executable, str(BASE_DIR / "manage.py"), *arguments], env=env, cwd=BASE_DIR, check=True)


def measure(name: str, envs: dict[str, dict[str, str]], folder: Path, options: argparse.Namespace) -> Rounds:
    """Rounds of each variant in turns, each on its database; none for one that the machine was always too busy for."""
    found: Rounds = {variant: [] for variant in APPLICATIONS}
    with pinned(SERVER_CORE):
        for env in {env["DATABASE_URL"]: env for env in envs.values()}.values():
            prepare(env)
        servers = [start(folder, variant, envs[variant]) for variant in APPLICATIONS]
    bodies = {variant: events() for variant in APPLICATIONS}
    thrown_away = 0
    try:
        with pinned(LOAD_CORE):
            warm_up(servers, bodies, {env["DATABASE_URL"] for env in envs.values()}, options)
            while min(map(len, found.values())) < options.rounds and thrown_away < 5 * options.rounds:
                for server in servers:
                    taken = round_of(server, bodies[server.variant], options)
                    if taken.foreign > MOST_FOREIGN and not options.anyway:
                        thrown_away += 1
                    else:
                        found[server.variant].append(taken)
    finally:
        for server in servers:
            server.child.stop()
    print(f"{name}: {thrown_away} disturbed rounds thrown away", flush=True)
    for variant, rounds in found.items():
        tell(variant, rounds)
    return found


def warm_up(
    servers: list[Server], bodies: dict[str, Iterator[bytes]], databases: set[str], options: argparse.Namespace
) -> None:
    """A round of each that does not count, then the statistics that PostgreSQL gathers by itself once a minute: without
    them it takes every table for a nearly empty one, and looks through all calls of the company for each batch.
    """
    for server in servers:
        round_of(server, bodies[server.variant], options)
    for url in databases:
        if url.startswith("postgres"):
            with psycopg.connect(url, autocommit=True) as database:
                database.execute("ANALYZE")


def tell(variant: str, rounds: list[Found]) -> None:
    """The rounds of one variant, and what a delivery costs in the middle one."""
    if not rounds:
        return
    rates = [each.per_second for each in rounds]
    costs = ", ".join(f"{part} {cost:.0f}" for part, cost in middle(rounds).costs.items())
    spread = f"{min(rates):.0f} to {max(rates):.0f}"
    p99 = median(each.p99_ms for each in rounds)
    print(f"  {variant:<12} {median(rates):7.0f} a second ({spread}), p99 {p99:6.1f} ms; us of CPU each: {costs}")


def middle(rounds: list[Found]) -> Found:
    """The round with the middle rate."""
    return sorted(rounds, key=lambda each: each.per_second)[len(rounds) // 2]


def round_of(server: Server, bodies: Iterator[bytes], options: argparse.Namespace) -> Found:
    """One round of one variant, and what else the machine did meanwhile."""
    watch, before = Watch(), spent(server)
    per_second, p99_ms = asyncio.run(flood(server.port, bodies, options.seconds, options.at_once))
    count_ = per_second * options.seconds
    costs = {part: (after - before[part]) / count_ * 1e6 for part, after in spent(server).items()}
    return Found(per_second, p99_ms, watch.foreign(), costs)


def spent(server: Server) -> dict[str, float]:
    """CPU seconds so far: of the web process' loop (HTTP), of its threads, and of Redis and database together."""
    web = our_seconds([server.child.pid])
    loop = loop_seconds(server.child.pid)
    rest = our_seconds([os.getpid()]) - web - cpu_seconds(os.getpid())
    return {"HTTP": loop, "commit and news": web - loop, "database and Redis": rest}


def lines(name: str, found: Rounds, goals: dict[str, float]) -> list[results.Line]:
    """What was found on one database; judged only where there are goals."""
    if not all(found.values()):
        return [results.disturbed(f"intake, {name}", MOST_FOREIGN)]
    ours, *others = (middle(found[variant]) for variant in found)
    floor = least(ours, middle(found["nothing kept"]))
    return [
        results.compared(
            f"intake, {name}, to {variant}",
            ours.per_second,
            other.per_second,
            "/s",
            at_least=goals.get(variant),
            floor=floor / other.per_second if variant in goals and variant != "not durable" else None,
            foreign=max(ours.foreign, other.foreign),
        )
        for variant, other in zip(list(found)[1:], others, strict=True)
    ]


def least(ours: Found, nothing_kept: Found) -> float:
    """Deliveries a second where only HTTP and what database and Redis do for ours took time, and no code of ours."""
    return 1 / (1 / nothing_kept.per_second + ours.costs["database and Redis"] / 1e6)


def main() -> int:
    options = results.options(__doc__, seconds=(4.0, 1.0), rounds=(5, 1), at_once=(40, 40))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-intake-")))
        (static := folder / "static").mkdir()
        with pinned(SERVER_CORE):
            programs = postgres.programs()
            if programs is None:
                sys.exit("No PostgreSQL on this machine.")
            durable = stack.enter_context(postgres.running_postgres(programs))
            hasty = stack.enter_context(postgres.running_postgres(programs, *NOT_DURABLE))
            redis = stack.enter_context(running_redis(folder))
        names = ("SECRET_KEY", "TOKEN_KEYS", "PUBLIC_URL", "PATH", "HOME")
        env = {name: os.environ[name] for name in names} | {"WALLBOARD_ENV_FILE": "", "STATIC_ROOT": str(static)}
        env |= {"REDIS_URL": redis.url, "PYTHONPATH": str(BASE_DIR)}

        def on(durable: str, hasty: str) -> dict[str, dict[str, str]]:
            urls = dict.fromkeys(APPLICATIONS, durable) | {"not durable": hasty}
            return {variant: env | {"DATABASE_URL": url} for variant, url in urls.items()}

        found = lines("PostgreSQL", measure("PostgreSQL", on(durable, hasty), folder, options), GOALS)
        files = [f"sqlite:///{folder / name}" for name in ("durable.sqlite3", "hasty.sqlite3")]
        found += lines("SQLite", measure("SQLite, for comparison", on(files[0], files[1]), folder, options), {})
    return results.tell(found)


if __name__ == "__main__":
    sys.exit(main())
