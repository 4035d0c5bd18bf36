"""Deliveries a second that are durable when they are answered: ours, the textbook way, and ours without persistence.

Textbook is one insert per request in a sync view. All three run on Daphne on one core together with their database and
Redis; the load generator has the other core. Rounds take turns, and the middle of each variant's rounds counts.
Rounds that other programs disturbed are thrown away. PostgreSQL runs as it comes: fsync on, answer after commit.
Run: `python -m bench.intake [--seconds 4] [--rounds 5] [--at-once 40]`; exit status 1 where a goal is missed.
"""
# ruff: noqa: I001  (the environment is read on import, so it comes first)

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

VARIANT = os.environ.get("BENCH_VARIANT", "")
SECRET = "bench-secret-0123456789-abcdefghijklmnop"
GOALS = {"textbook": 5.0, "forgetful": 0.9}


def textbook_application() -> Any:
    """What one writes first: a sync view with one insert, behind the usual middleware, on Django's own connections."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    django.setup()

    from django.core.asgi import get_asgi_application
    from django.db import connections
    from django.http import HttpRequest, HttpResponse
    from django.shortcuts import get_object_or_404
    from django.urls import path
    from django.utils import timezone
    from django.views.decorators.csrf import csrf_exempt

    from wallboard import urls
    from wallboard.calls import addresses
    from wallboard.calls.models import Delivery, Subscription
    from uuid import uuid4

    connections["default"].settings_dict["OPTIONS"].pop("pool", None)

    @csrf_exempt
    def hook(request: HttpRequest, secret: str) -> HttpResponse:
        subscription = get_object_or_404(Subscription, secret_hash=addresses.hash_of(secret))
        json.loads(request.body)
        Delivery.objects.create(
            identity=uuid4(), subscription=subscription, received_at=timezone.now(), body=request.body.decode()
        )
        return HttpResponse(status=204)

    urls.urlpatterns.insert(0, path("hooks/<secret>/", hook))
    return get_asgi_application()


def forgetful_application() -> Any:
    """Ours, but nothing is kept: the answer comes without a transaction."""
    from wallboard.asgi import application
    from wallboard.calls import intake

    intake.commit = lambda arrivals: {}
    return application


def ours() -> Any:
    from wallboard.asgi import application

    return application


APPLICATIONS: dict[str, Callable[[], Any]] = {
    "ours": ours,
    "textbook": textbook_application,
    "forgetful": forgetful_application,
}
if VARIANT:
    application = APPLICATIONS[VARIANT]()
else:
    import tests.harness.environment  # noqa: F401

    from bench import results
    from bench.machine import LOAD_CORE, MOST_FOREIGN, SERVER_CORE, Watch, pinned
    from tests.harness import postgres
    from tests.harness.redis import running_redis
    from wallboard.processes import BASE_DIR, Child, free_port, wait_until

MAKE = f"""
from accounts.models import Domain
from wallboard.calls import addresses
from wallboard.calls.models import Subscription
domain = Domain.objects.create(slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id")
Subscription.objects.create(domain=domain, kind="calls", secret_hash=addresses.hash_of("{SECRET}"))
"""


@dataclass
class Server:
    """One variant, running."""

    variant: str
    port: int
    child: "Child"


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
        "bench.intake:application",
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


def measure(name: str, env: dict[str, str], folder: Path, options: argparse.Namespace) -> dict[str, float]:
    """The middle rate of each variant on one database; empty where the machine was too busy."""
    rates: dict[str, list[float]] = {variant: [] for variant in APPLICATIONS}
    late: dict[str, list[float]] = {variant: [] for variant in APPLICATIONS}
    with pinned(SERVER_CORE):
        prepare(env)
        servers = [start(folder, variant, env) for variant in APPLICATIONS]
    bodies = {variant: events() for variant in APPLICATIONS}
    thrown_away = 0
    try:
        with pinned(LOAD_CORE):
            while min(map(len, rates.values())) < options.rounds and thrown_away < 5 * options.rounds:
                for server in servers:
                    kept = round_of(server, bodies[server.variant], options)
                    if kept is None:
                        thrown_away += 1
                        continue
                    rates[server.variant].append(kept[0])
                    late[server.variant].append(kept[1])
    finally:
        for server in servers:
            server.child.stop()
    print(f"{name}: {thrown_away} disturbed rounds thrown away", flush=True)
    if not all(rates.values()):
        return {}
    for variant in APPLICATIONS:
        spread = f"{min(rates[variant]):.0f} to {max(rates[variant]):.0f}"
        print(f"  {variant:<10} {median(rates[variant]):7.0f} a second ({spread}), p99 {median(late[variant]):6.1f} ms")
    return {variant: median(each) for variant, each in rates.items()}


def round_of(server: Server, bodies: Iterator[bytes], options: argparse.Namespace) -> tuple[float, float] | None:
    """One round of one variant; None where it was disturbed."""
    watch = Watch()
    result = asyncio.run(flood(server.port, bodies, options.seconds, options.at_once))
    return None if watch.foreign() > MOST_FOREIGN and not options.anyway else result


def lines(name: str, rates: dict[str, float], goals: dict[str, float]) -> "list[results.Line]":
    """What was found on one database; judged only where there are goals."""
    if not rates:
        return [results.disturbed(f"intake, {name}", MOST_FOREIGN)]
    return [
        results.compared(
            f"intake, {name}, to {baseline}", rates["ours"], rates[baseline], "/s", at_least=goals.get(baseline)
        )
        for baseline in GOALS
    ]


def main() -> int:
    parser = results.parser(__doc__)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--at-once", type=int, default=40)
    options = parser.parse_args()
    if options.quick:
        options.seconds, options.rounds = 1, 1
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-intake-")))
        (static := folder / "static").mkdir()
        with pinned(SERVER_CORE):
            programs = postgres.programs()
            if programs is None:
                sys.exit("No PostgreSQL on this machine.")
            url = stack.enter_context(postgres.running_postgres(programs))
            redis = stack.enter_context(running_redis(folder))
        names = ("SECRET_KEY", "TOKEN_KEYS", "PUBLIC_URL", "PATH", "HOME")
        env = {name: os.environ[name] for name in names} | {"WALLBOARD_ENV_FILE": "", "STATIC_ROOT": str(static)}
        env |= {"REDIS_URL": redis.url, "DATABASE_URL": url, "PYTHONPATH": str(BASE_DIR)}
        found = lines("PostgreSQL", measure(f"PostgreSQL at {urlsplit(url).port}", env, folder, options), GOALS)
        env["DATABASE_URL"] = f"sqlite:///{folder / 'bench.sqlite3'}"
        found += lines("SQLite", measure("SQLite, for comparison", env, folder, options), {})
    return results.tell(found)


if __name__ == "__main__":
    sys.exit(main())
