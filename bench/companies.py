"""Many companies in one installation: what their polls cost, and whether all come in time.

A simulator plays the companies in one process; beat, the workers and a web process, which takes the provider's events,
run as the Procfile starts them, with PostgreSQL.
CPU time says what it takes; how late polls are depends on what else the machine does, so CPU seconds stand beside it.
Run: `python -m bench.companies [--companies 1000] [--workers 1] [--seconds 60] [--interval 5] [--settle 60]`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import tests.harness.environment  # noqa: F401  (keys and secrets of a test run)
from bench import results
from bench.machine import busy_seconds, our_seconds, resident_bytes
from tests.harness import postgres
from tests.harness.redis import running_redis
from tests.harness.simulator import Simulator
from tests.harness.site import bare_environment
from wallboard.demo.processes import BASE_DIR, Child, free_port, procfile

QUEUES, PEOPLE, LATE_SECONDS = 20, 50, 1.0
CALLS = 0.1  # of the usual calls: what events cost is measured elsewhere (docs/performance.md)
PREPARE = """
from accounts.encryption import sealed
from accounts.models import Domain
base, count = {base!r}, {count}
Domain.objects.all().delete()
Domain.objects.bulk_create([Domain(slug=f"c{{n}}", name=f"Company {{n}}", base_url=f"{{base}}/c/{{n}}",
    client_id=f"company-id-{{n}}", client_secret=sealed(f"company-secret-{{n}}"), poll_seconds={interval})
    for n in range(1, count + 1)])
"""
READINGS = """
import json
from datetime import datetime, UTC
from wallboard.queues.models import Reading
rows = Reading.objects.filter(read_at__gte=datetime.fromtimestamp({since}, UTC)).order_by("domain_id", "read_at")
print("=>", json.dumps([[domain, at.timestamp()] for domain, at in rows.values_list("domain_id", "read_at")]))
"""


@dataclass
class Load:
    """CPU seconds by what used them, and the memory of a worker, over the seconds that were measured."""

    seconds: float = 0.0
    cpu: dict[str, float] = field(default_factory=dict)
    worker_bytes: list[int] = field(default_factory=list)
    foreign: float = 0.0


@dataclass
class Site:
    """The processes, by what they are."""

    env: dict[str, str]
    pids: dict[str, list[int]]
    parts: dict[str, list[float]] = field(default_factory=dict)

    def manage(self, code: str) -> str:
        command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", code]
        done = subprocess.run(command, cwd=BASE_DIR, env=self.env, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.rpartition("=>")[2]


def main() -> int:
    sizes = {"companies": (1000, 50), "workers": (1, 1), "seconds": (60.0, 15.0), "interval": (5.0, 5.0)}
    # Until all subscriptions are made, and every company is at its own moment.
    options = results.options(__doc__, **sizes, settle=(60.0, 30.0))
    with tempfile.TemporaryDirectory(prefix="wallboard-bench-") as folder, running(Path(folder), options) as site:
        time.sleep(options.settle)
        began = time.time()
        load = measured(site, options.seconds)
        polls = json.loads(site.manage(READINGS.format(since=began)))
    # Asking takes seconds, too, in which the workers go on.
    polls = [[domain_id, at] for domain_id, at in polls if at < began + load.seconds]
    table(options.companies, site.parts)
    return results.tell(lines(options, load, polls))


def table(companies: int, parts: dict[str, list[float]]) -> None:
    """Each periodic task, the dearest first: CPU of one, and its share of a core for a thousand companies."""
    print(f"CPU of periodic work, one thread, {companies} companies; of a core for 1,000 companies")
    shares = {name: ms / every * (1 if is_of_one(name) else 1 / companies) for name, (every, ms) in parts.items()}
    for name in sorted(shares, key=lambda each: -shares[each]):
        every, ms = parts[name]
        print(f"  {name:<48} every {every:5g} s {ms:9.2f} ms  {100 * shares[name]:6.1f} %")


def is_of_one(name: str) -> bool:
    """Whether the figure is that of one company already."""
    return name in ("a poll", "a poll, of many at once", "alerts after a poll")


def measured(site: Site, seconds: float) -> Load:
    """What is used while nothing is done but what the installation does by itself."""
    cpu = {name: our_seconds(pids) for name, pids in site.pids.items()}
    busy, began = busy_seconds(), time.monotonic()
    time.sleep(seconds)
    load = Load(seconds=time.monotonic() - began)
    load.cpu = {name: our_seconds(pids) - cpu[name] for name, pids in site.pids.items()}
    whole = sum(busy_seconds()) - sum(busy)
    load.foreign = max(0.0, whole - sum(load.cpu.values())) / load.seconds / (os.cpu_count() or 1)
    load.worker_bytes = [resident_bytes(pid) for pid in site.pids["worker"]]
    return load


def lines(options: argparse.Namespace, load: Load, polls: list[list[float]]) -> list[results.Line]:
    """What was found. A poll is late where more than the interval and a second lie between it and the one before."""
    by_domain: dict[float, list[float]] = {}
    for domain_id, at in polls:
        by_domain.setdefault(domain_id, []).append(at)
    gaps = [after - at for each in by_domain.values() for at, after in pairwise(each)]
    late = sum(gap > options.interval + LATE_SECONDS for gap in gaps)
    name, many = f"{options.companies} companies", max(1, len(polls))
    expected = options.companies * load.seconds / options.interval
    told = [
        results.bounded(f"{name}, polls that came, of those due", len(polls) / expected, "", at_least=0.98),
        results.bounded(f"{name}, polls late by more than a second", late, f"of {len(gaps)}", at_most=0),
        results.bounded(f"{name}, longest time between two polls", max(gaps, default=0.0), "s"),
        results.bounded(f"{name}, memory of a worker", max(load.worker_bytes) / 2**20, "MB"),
    ]
    for each, seconds in load.cpu.items():
        what = f"{name}, CPU of {each}, all it does, for each poll"
        told.append(results.bounded(what, 1000 * seconds / many, "ms", foreign=load.foreign))
    return told


@contextmanager
def running(folder: Path, options: argparse.Namespace) -> Iterator[Site]:
    """The simulator, the database, Redis, beat and the workers."""
    with ExitStack() as stack:
        redis = stack.enter_context(running_redis(folder))
        programs = postgres.programs()
        assert programs is not None, "PostgreSQL is needed"
        port = free_port()
        env = bare_environment(
            SECRET_KEY=os.environ["SECRET_KEY"],
            TOKEN_KEYS=os.environ["TOKEN_KEYS"],
            PUBLIC_URL=f"http://127.0.0.1:{port}",
            REDIS_URL=redis.url,
            DATABASE_URL=stack.enter_context(postgres.running_postgres(programs)),
            PYTHONPATH=str(BASE_DIR),
        )
        size = {"queues": QUEUES, "agents": PEOPLE, "load": CALLS, "stay": True, "companies": options.companies}
        simulator = Simulator(folder, env, options=size)
        stack.callback(simulator.child.stop)
        simulator.start()
        subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=BASE_DIR, env=env, check=True)
        before = children_of(os.getpid())
        site = Site(env, {"simulator": [simulator.child.process.pid if simulator.child.process else 0]})
        site.pids["PostgreSQL and Redis"] = [pid for pid in before if pid not in site.pids["simulator"]]
        site.manage(PREPARE.format(base=simulator.base_url, count=options.companies, interval=options.interval))
        site.parts = json.loads(site.manage("from bench import company_parts; company_parts.main()"))
        commands = procfile(port)
        site.pids["web"] = [begun(stack, "web", commands["web"], folder, env)]
        names = [f"worker{number}" for number in range(options.workers)]
        workers = {name: [*commands["worker"], "--hostname", f"{name}@%h"] for name in names}
        site.pids["worker"] = [begun(stack, *each, folder, env) for each in workers.items()]
        site.pids["beat"] = [begun(stack, "beat", commands["beat"], folder, env)]
        yield site


def begun(stack: ExitStack, name: str, command: list[str], folder: Path, env: dict[str, str]) -> int:
    child = Child(name, command, folder / f"{name}.log", env)
    stack.callback(child.stop)
    child.start()
    assert child.process is not None
    return child.process.pid


def children_of(pid: int) -> list[int]:
    """The processes that this one began."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(each) for each in listed]


if __name__ == "__main__":
    sys.exit(main())
