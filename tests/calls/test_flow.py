"""A whole installation at the simulator: subscriptions come up, and survive the provider's loss of memory."""

import json
from typing import Any

import pytest
import requests

from tests.conftest import MakeSite
from tests.harness.site import Site

pytestmark = pytest.mark.flow
LOOK_SECONDS = 0.5  # each look is a command
SHOW = """
import json
from accounts.models import Domain
from wallboard.calls.subscriptions import health
from wallboard.calls.models import Delivery, Leg, Subscription
print("SHOWN" + json.dumps({
    "health": health.of(Domain.objects.get().pk).state,
    "ids": dict(Subscription.objects.exclude(state="retired").values_list("kind", "provider_id")),
    "states": sorted(Subscription.objects.values_list("state", flat=True)),
    "bodies": list(Delivery.objects.values_list("body", flat=True)),
    "unapplied": Delivery.objects.filter(applied_at=None).count(),
    "legs": Leg.objects.count(),
}))
"""


def shown(site: Site) -> Any:
    return json.loads(site.manage("shell", "-v", "0", "-c", SHOW).split("SHOWN")[1])


def is_live(site: Site, *, without: dict[str, str] | None = None) -> bool:
    now = shown(site)
    return bool(now["health"] == "live" and now["states"] == ["ready", "ready"] and now["ids"] != without)


def acknowledged(site: Site, count: int) -> list[str]:
    """What the provider told us and we took: that many deliveries at least, which may still be on their way."""
    site.wait(lambda: len(taken(site)) >= count, 10)
    return taken(site)


def taken(site: Site) -> list[str]:
    answer = requests.get(f"{site.simulator.base_url}/control/deliveries/?limit=5000", timeout=10)
    return [each["body"] for each in answer.json()["deliveries"] if each["acknowledged"]]


def test_subscriptions_come_up_and_come_back_and_everything_acknowledged_is_kept(make_site: MakeSite) -> None:
    site = make_site()
    site.wait(lambda: is_live(site), 20, LOOK_SECONDS)
    site.simulator.control("call", {"from_number": "+15552345678", "to_user": "101"})
    before = shown(site)["ids"]
    first = acknowledged(site, 5)  # two messages for each of two subscriptions, and the call

    site.kill("simulator")
    site.wait(lambda: shown(site)["health"] == "down", 25, LOOK_SECONDS)
    site.restart("simulator")
    site.wait(lambda: is_live(site, without=before), 25, LOOK_SECONDS)
    site.simulator.control("call", {"from_number": "+15552345678", "to_user": "101"})

    told = first + acknowledged(site, 5)
    kept = shown(site)
    assert set(told) - set(kept["bodies"]) == set()
    assert (kept["unapplied"], kept["legs"] > 0) == (0, True)
