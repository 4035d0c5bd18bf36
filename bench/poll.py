"""What a poll costs: ours against the naive way, CPU time of this process, both in turns in one run.

Naive is what one writes first: for each queue `update_or_create` and one message to the browsers. Ours writes one row
of newest figures and one reading, and publishes what changed. 500 queues, 10 % of them changed at each poll.
Rounds that other programs disturbed are thrown away: CPU time, too, grows with caches that others emptied.
Run: `python -m bench.poll`; exit status 1 where a goal is missed.
"""
# ruff: noqa: E402, I001  (Django reads the environment, so that comes first)

import json
import logging
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

import tests.harness.environment  # noqa: F401

import django

django.setup()

import msgspec
import redis
import requests
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.management import call_command
from django.db import connection, models
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import CompanyToken, Domain
from bench import results
from bench.machine import undisturbed, Watch
from tests.harness.redis import running_redis
from wallboard.queues import documents, polling, samples
from wallboard.queues.models import PollState, Reading

QUEUES, CHANGED_SHARE, ROUNDS = 500, 10, 15
CPU_GOAL, FRAME_GOAL = 1 / 50, 0.05


class Row(models.Model):
    """A queue as the naive way keeps it."""

    domain = models.ForeignKey(Domain, models.CASCADE)
    number = models.CharField(max_length=64)
    waiting = models.IntegerField()
    longest_wait = models.IntegerField()
    average_wait = models.IntegerField()
    agents = models.IntegerField()
    available = models.IntegerField()

    class Meta:
        app_label = "queues"
        unique_together = [("domain", "number")]


class Provider(BaseHTTPRequestHandler):
    """Answers with 500 queues; between two answers to the same caller one queue in ten differs."""

    protocol_version = "HTTP/1.1"
    asked: dict[str, int] = {}

    def do_GET(self) -> None:
        caller = self.path.split("/")[1]
        turn = self.asked[caller] = self.asked.get(caller, -1) + 1
        body = json.dumps([figures(index, turn) for index in range(QUEUES)]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def figures(index: int, turn: int) -> dict[str, Any]:
    """A queue's row; it changes at every tenth turn, each queue at its own."""
    changes = (turn + index) // CHANGED_SHARE
    waiting = changes % 4
    return {
        "queue": str(1000 + index),
        "calls_waiting": waiting,
        "max_wait": 15 * waiting,
        "avg_wait": 10 * waiting,
        "num_agents": 8,
        "available_agents": changes % 5,
        "unavailable_agents": 1,
    }


def provider(port: Any) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    port.send(server.server_port)
    server.serve_forever()


Send = Callable[[dict[str, Any]], object]
Times = tuple[list[float], list[float]]


def sender(url: str) -> tuple[str, Send]:
    """How the naive way tells browsers: by group_send where channels_redis is installed, else by a bare publish."""
    try:
        from channels_redis.core import RedisChannelLayer  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        client = redis.Redis.from_url(url)
        return "update_or_create and publish", lambda values: client.publish("naive", json.dumps(values))
    logging.getLogger("channels_redis").setLevel(logging.ERROR)  # nobody reads what is sent here
    layer = RedisChannelLayer(hosts=[{"address": url, "socket_timeout": 15}])
    async_to_sync(layer.group_add)("queues", "specific.naive!one")
    send = async_to_sync(layer.group_send)
    return "update_or_create and group_send", lambda values: send("queues", {"type": "queue", **values})


def naive(domain: Domain, send: Send, session: requests.Session) -> None:
    answer = session.get(f"{domain.base_url.replace('/ours', '/naive')}/api/call_queues/stats/live/", timeout=10)
    for raw in answer.json():
        values = {
            "waiting": raw["calls_waiting"],
            "longest_wait": raw["max_wait"],
            "average_wait": raw["avg_wait"],
            "agents": raw["num_agents"],
            "available": raw["available_agents"],
        }
        Row._default_manager.update_or_create(domain=domain, number=raw["queue"], defaults=values)
        send({"queue": raw["queue"], **values})


def cpu_ms(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def forget_last_try(domain: Domain) -> None:
    PollState.objects.filter(domain=domain).update(tried_at=None)


def measured(domain: Domain, send: Send) -> tuple[Times, float]:
    """CPU milliseconds of each round: (ours, naive), taken in turns after two rounds that warm up; the foreign load."""
    ours: list[float] = []
    theirs: list[float] = []
    watch, before = Watch(), PollState.objects.values_list("version", flat=True).first() or 0
    with requests.Session() as session:
        for _ in range(ROUNDS + 2):
            forget_last_try(domain)
            ours.append(cpu_ms(lambda: polling.poll(domain)))
            theirs.append(cpu_ms(lambda: naive(domain, send, session)))
    assert PollState.objects.get().version == before + ROUNDS + 2, "a poll was left out"
    return (ours[2:], theirs[2:]), watch.foreign()


def frame_bytes(domain: Domain) -> tuple[int, int, int]:
    """(bytes of the newest change, bytes of the whole feed, queues in the newest change)."""
    state = PollState.objects.get(domain=domain)
    whole = documents.documents(domain.pk)
    changed = {key: value for key, (version, value) in whole.items() if is_news(key) and version == state.version}
    snapshot = {key: value for key, (_, value) in whole.items()}
    return size({"set": changed, "del": []}), size({"snapshot": snapshot}), len(changed) - 1


def is_news(key: str) -> bool:
    return key == "poll" or key.startswith("queue:")


def size(frame: dict[str, Any]) -> int:
    head = {"feed": "queues", "id": "1234-1234567890", "prev": "1233-1234567890"}
    return len(msgspec.json.encode({**head, **frame}))


def prepared(port: int) -> Domain:
    call_command("migrate", verbosity=0)
    with connection.schema_editor() as editor:
        editor.create_model(Row)
    base_url = f"http://127.0.0.1:{port}/ours"
    domain = Domain.objects.create(
        slug="bench", name="Bench", base_url=base_url, client_id="id", client_secret=sealed("s")
    )
    CompanyToken.objects.create(
        domain=domain, access_token=sealed("t"), usable_until=timezone.now() + timedelta(hours=1)
    )
    return domain


def report(way: str, times: Times | None, foreign: float, frame: tuple[int, int, int]) -> int:
    if times is None:
        return results.tell([results.disturbed("poll, CPU, to naive", foreign)])
    ours, theirs = times
    print(f"poll of {QUEUES} queues, {frame[2]} changed; {ROUNDS} rounds in turns; {connection.vendor}; naive is {way}")
    print(f"  ours  {median(ours):8.1f} ms CPU   ({min(ours):.1f} to {max(ours):.1f})")
    print(f"  naive {median(theirs):8.1f} ms CPU   ({min(theirs):.1f} to {max(theirs):.1f})")
    cpu = results.compared("poll, CPU, to naive", median(ours), median(theirs), "ms", at_most=CPU_GOAL, foreign=foreign)
    return results.tell([cpu, results.compared("poll, frame, to snapshot", *frame[:2], "bytes", at_most=FRAME_GOAL)])


def main() -> int:
    options = results.parser(__doc__).parse_args()
    ours_end, their_end = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=provider, args=(their_end,), daemon=True)
    child.start()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wallboard-bench-")))
        settings.REDIS_URL = stack.enter_context(running_redis(folder)).url
        if connection.vendor == "sqlite":
            connection.settings_dict["NAME"] = str(folder / "bench.sqlite3")
        domain = prepared(ours_end.recv())
        way, send = sender(settings.REDIS_URL)
        times, foreign = undisturbed("poll", lambda: measured(domain, send), anyway=options.anyway or options.quick)
        Reading.objects.update(read_at=timezone.now() - timedelta(minutes=2))
        samples.roll(domain)
        status = report(way, times, foreign, frame_bytes(domain))
    child.terminate()
    return status


if __name__ == "__main__":
    sys.exit(main())
