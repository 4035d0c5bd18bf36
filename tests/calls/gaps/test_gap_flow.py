"""A whole installation whose provider loses deliveries, and whose web process is killed: what is counted says so."""

import json
import time
from typing import Any

import pytest

from tests.conftest import MakeSite
from tests.harness.site import Site

pytestmark = [pytest.mark.flow, pytest.mark.timeout(300)]
LOOK_SECONDS = 0.5  # each look is a command
SHOW = """
import json
from datetime import timedelta
from accounts.models import Domain
from wallboard.calls.gaps import coverage, sentences
from wallboard.calls.models import EventGap
from wallboard.calls.subscriptions import health
from wallboard.queues.models import Queue
from django.utils import timezone
domain = Domain.objects.get()
now = timezone.now()
found = coverage.of(domain.pk, now - timedelta(minutes=60), now)
print("SHOWN" + json.dumps({
    "health": health.of(domain.pk).state,
    "gaps": [
        [row.reason, row.until and (row.until - row.since).total_seconds()]
        for row in EventGap.objects.order_by("since")
    ],
    "seconds": found.missing.seconds if found.missing else 0,
    "queue": Queue.objects.order_by("number").first().number,
    "sentences": sentences.sentences(found, domain, is_one_day=True),
}))
"""


def shown(site: Site) -> Any:
    return json.loads(site.manage("shell", "-v", "0", "-c", SHOW).split("SHOWN")[1])


def call_queue(site: Site, queue: str, count: int) -> None:
    for index in range(count):
        site.simulator.control("call", {"from_number": f"+1555234567{index}", "to_user": queue, "answer": False})


def test_lost_deliveries_and_a_dead_web_process_leave_their_mark(make_site: MakeSite) -> None:
    site = make_site()
    site.wait(lambda: shown(site)["health"] == "live", 30, LOOK_SECONDS)
    queue = shown(site)["queue"]
    call_queue(site, queue, 2)
    site.wait(lambda: shown(site)["health"] == "live" and shown(site)["gaps"] == [], 10, LOOK_SECONDS)

    site.simulator.control("faults", {"at": "deliveries", "do": "lost", "for_seconds": 25})
    time.sleep(8)
    call_queue(site, queue, 3)

    site.wait(lambda: ["silent", None] in shown(site)["gaps"], 25, LOOK_SECONDS)
    site.wait(lambda: shown(site)["health"] == "live", 60, LOOK_SECONDS)
    told = shown(site)
    [[reason, seconds]] = told["gaps"]
    assert (reason, 10 <= seconds <= 60) == ("silent", True)
    assert any(" of call events " in sentence for sentence in told["sentences"])

    site.kill("web")
    time.sleep(16)
    site.restart("web")
    site.wait(lambda: any(reason == "stopped" for reason, _ in shown(site)["gaps"]), 20, LOOK_SECONDS)
    assert shown(site)["seconds"] >= seconds + 10
