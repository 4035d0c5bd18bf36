"""The service's own pages: the floor, who is who, subscriptions, deliveries; and the page with the control forms."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from aiohttp import web

from wallboard.simulator.company import COMPANY, DOMAIN, Person
from wallboard.simulator.control import REFRESH_MODES
from wallboard.simulator.faults import OF_DELIVERIES, OF_ENDPOINTS, PLACES
from wallboard.simulator.ledger import Delivery
from wallboard.simulator.legs import JSON
from wallboard.simulator.silence import SILENT
from wallboard.simulator.subscriptions import Subscription

if TYPE_CHECKING:
    from wallboard.simulator.service import Service

PEOPLE_SHOWN, QUEUES_SHOWN, DELIVERIES_SHOWN, REQUESTS_SHOWN = 120, 60, 25, 15


@dataclass(frozen=True, slots=True)
class Row:
    """A delivery in a few words."""

    at: str
    kind: str
    words: str
    to: str
    outcome: str
    took: str


class Overview:
    def __init__(self, service: "Service") -> None:
        self._service = service

    async def get(self, request: web.Request) -> web.Response:
        """GET /: what goes on, refreshed by the page's script."""
        return self._service.pages.answer("overview.html", self._context())

    async def control(self, request: web.Request) -> web.Response:
        """GET /control/: what can be switched, ordered and read back."""
        switches = {
            "places": PLACES,
            "of_endpoints": OF_ENDPOINTS,
            "of_deliveries": OF_DELIVERIES,
            "faults": self._service.faults.shown(),
            "modes": REFRESH_MODES,
            "mode": self._service.tokens.refresh_mode,
            "load": self._service.floor.load,
            "ahead": int(self._service.clock.ahead_seconds),
        }
        return self._service.pages.answer("control.html", self._context() | switches)

    def _context(self) -> JSON:
        service, floor = self._service, self._service.floor
        service.pacer.catch_up()
        people = service.company.people
        return {
            "company": COMPANY,
            "domain": DOMAIN,
            "options": service.options,
            "floor_time": floor.day.shown(floor.now),
            "tally": floor.tally,
            "queues": self._queues(),
            "people": [_person(person, floor.now, service.pacer.pace) for person in people[:PEOPLE_SHOWN]],
            "people_count": len(people),
            "queue_count": len(service.company.queues),
            "subscriptions": [self._subscription(each) for each in service.subscriptions.live()],
            "deliveries": [_row(delivery) for delivery in service.ledger.newest(DELIVERIES_SHOWN)],
            "requests": list(reversed(service.ledger.requests))[:REQUESTS_SHOWN],
            "silent": SILENT,
        }

    def _queues(self) -> list[JSON]:
        names = {queue.number: queue for queue in self._service.company.queues[:QUEUES_SHOWN]}
        figures = self._service.floor.statistics(self._service.pacer.pace)
        return [
            {**entry, "name": names[entry["queue"]].name, "strategy": names[entry["queue"]].strategy}
            | {"longest": clock_face(entry["max_wait"]) if entry["calls_waiting"] else "–"}
            for entry in figures[:QUEUES_SHOWN]
        ]

    def _subscription(self, subscription: Subscription) -> JSON:
        left = subscription.expires - self._service.clock.time()
        return {
            "id": subscription.id,
            "to": masked(subscription.wish.post_uri),
            "kinds": ", ".join(subscription.wish.kinds),
            "users": ", ".join(sorted(subscription.wish.users)) or "whole domain",
            "state": "ready" if subscription.is_ready else "preparing",
            "left": clock_face(int(left)),
        }


def masked(uri: str) -> str:
    """The host and the first signs of the path: a subscriber's path is usually its secret."""
    parts = urlsplit(uri)
    path = parts.path if len(parts.path) <= 14 else f"{parts.path[:12]}…"
    return f"{parts.scheme}://{parts.netloc}{path}"


def clock_face(seconds: int) -> str:
    """4:08, or 1:04:08 from an hour on."""
    minutes, rest = divmod(max(seconds, 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _person(person: Person, now: float, pace: float) -> JSON:
    return {
        "extension": person.extension,
        "name": person.name,
        "doing": person.doing,
        "since": clock_face(int((now - person.since) / pace)),
        "queues": ", ".join(queue.name for queue in person.queues),
    }


def _row(delivery: Delivery) -> Row:
    took = f"{delivery.answered_at - delivery.sent_at} ms" if delivery.answered_at and delivery.sent_at else ""
    at = datetime.fromtimestamp(delivery.due_at / 1000, UTC).strftime("%H:%M:%S")
    status = f"{delivery.outcome} ({delivery.status})" if delivery.status else delivery.outcome
    outcome = f"{status}, {delivery.fault}" if delivery.fault else status
    return Row(at, delivery.kind, _words(delivery), masked(delivery.post_uri), outcome, took)


def _words(delivery: Delivery) -> str:
    """The message in a line: who to whom, and the states of both sides."""
    message = json.loads(delivery.body)
    if isinstance(message, list):
        return f"{len(message)} record{'s' if len(message) != 1 else ''}"
    call = message.get("calls")
    if not isinstance(call, dict) or not isinstance(call.get("from"), dict) or not isinstance(call.get("to"), dict):
        return str(message.get("state", ""))
    source, target = call["from"], call["to"]
    sides = source.get("name") or source.get("user"), target.get("user") or target.get("id")
    return f"{sides[0]} → {sides[1]}: {source.get('state')} / {target.get('state')}"
