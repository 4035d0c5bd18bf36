"""Bursts of calls from the simulated floor, with its ledger as the judge of what was acknowledged."""

import json
import time
from collections import Counter
from typing import Any

import requests

from tests.faults.installation import Installation
from wallboard.demo.processes import wait_until

UNDER_WAY = {"waiting", "sent"}
LOAD = 2.0  # at the floor's speed about fifty deliveries a second


class Burst:
    """The floor's own calls while the block runs; afterwards `check` compares ledger and database."""

    def __init__(self, installation: Installation, load: float = LOAD) -> None:
        self.site, self.load = installation, load

    def __enter__(self) -> "Burst":
        # What a burst before this one has left with the provider would be sent first.
        wait_until(lambda: not any(each["outcome"] in UNDER_WAY for each in self._all_after(0)), 90, 0.5)
        self.began_after = self._newest()
        self.began_at = time.time()
        self.site.simulator.control("floor", {"load": self.load})
        return self

    def __exit__(self, *_: object) -> None:
        self.site.simulator.control("floor", {"load": 0})

    def deliveries(self) -> list[dict[str, Any]]:
        """Every call event and record that was sent since the burst began, with our answer."""
        return [each for each in self._all_after(self.began_after) if each["kind"] != "initialization"]

    def outcomes(self) -> Counter[str]:
        """What became of the deliveries so far, once none of them is under way any more; calls go on meanwhile."""
        newest = self._newest()

        def told() -> Counter[str]:
            return Counter(each["outcome"] for each in self.deliveries() if each["number"] <= newest)

        wait_until(lambda: not told().keys() & UNDER_WAY, 90)
        return told()

    def lost(self) -> int:
        """How many acknowledged deliveries the database does not hold."""
        told = Counter(each["body"] for each in self.deliveries() if each["acknowledged"])
        return sum((told - self.kept()).values())

    def doubled(self) -> int:
        """How many deliveries the database holds more often than they were sent."""
        kept = self.kept()
        sent = Counter(each["body"] for each in self.deliveries())
        return sum(max(0, kept[body] - count) for body, count in sent.items())

    def kept(self) -> Counter[str]:
        """The bodies kept since shortly before the burst began."""
        bodies: list[str] = self.site.oracle.ask(
            "from datetime import datetime, UTC\n"
            f"since = datetime.fromtimestamp({self.began_at - 30}, UTC)\n"
            "rows = Delivery.objects.filter(received_at__gte=since)\n"
            "answer = list(rows.values_list('body', flat=True))"
        )
        return Counter(bodies)

    def unended(self) -> int:
        """How many legs are still live although we acknowledged that they ended."""
        ended = {pair(each["body"]) for each in self.deliveries() if each["acknowledged"] and has_ended(each["body"])}
        live = self.site.oracle.value(
            "list(map(list, Leg.objects.filter(ended_at=None).values_list('from_call_id', 'to_call_id')))"
        )
        return len(ended & {tuple(each) for each in live})

    def _all_after(self, number: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        more = True
        while more:
            page = self._page(found[-1]["number"] if found else number)
            found += page["deliveries"]
            more = page["more"]
        return found

    def _page(self, after: int) -> Any:
        address = f"{self.site.simulator.base_url}/control/deliveries/"
        return requests.get(address, {"after": str(after), "limit": "5000"}, timeout=20).json()

    def _newest(self) -> int:
        after, more = 0, True
        while more:
            page = self._page(after)
            after = page["deliveries"][-1]["number"] if page["deliveries"] else after
            more = page["more"]
        return after


def unapplied(site: Installation) -> int:
    """How many deliveries are kept and not applied, those left out that cannot be."""
    count: int = site.oracle.value("Delivery.objects.filter(applied_at=None, problem='').count()")
    return count


def has_ended(body: str) -> bool:
    """Whether a call event says that the leg is over."""
    message = json.loads(body)
    return isinstance(message, dict) and "ended" in (message["calls"]["from"]["state"], message["calls"]["to"]["state"])


def pair(body: str) -> tuple[str, str]:
    """The call ids of a call event."""
    call = json.loads(body)["calls"]
    return call["from"]["call_id"], call["to"]["call_id"]
