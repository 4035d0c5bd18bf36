"""The service's own pages: the floor, who is who, subscriptions, deliveries; and the page with the control forms."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from aiohttp import web

from wallboard.simulator.control.state import REFRESH_MODES
from wallboard.simulator.deliveries.delivery_log import Delivery
from wallboard.simulator.dialect import changes
from wallboard.simulator.faults.faults import DELIVERY_FAULTS, ENDPOINT_FAULTS, TARGETS, TOKENS
from wallboard.simulator.floor.company import COMPANY, DOMAIN, Person
from wallboard.simulator.messages.odd_messages import ODD_MESSAGES
from wallboard.simulator.service.subscriptions import Subscription
from wallboard.simulator.types import JSON
from wallboard.simulator.undocumented import UNDOCUMENTED

if TYPE_CHECKING:
    from wallboard.simulator.service.service import Service

MOST_PEOPLE, MOST_QUEUES, MOST_DELIVERIES, MOST_REQUESTS = 120, 60, 25, 15


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery in a few words."""

    at: str
    kind: str
    summary: str
    to: str
    outcome: str
    took: str


class Overview:
    """Renders both pages from the running service."""

    def __init__(self, service: "Service") -> None:
        self._service = service

    async def get(self, request: web.Request) -> web.Response:
        """GET /: what goes on, refreshed by the page's script."""
        return self._service.pages.response("overview.html", self._context())

    async def control(self, request: web.Request) -> web.Response:
        """GET /control/: what can be switched, ordered and read back."""
        controls = {
            "targets": TARGETS,
            "endpoint_faults": ENDPOINT_FAULTS,
            "delivery_faults": DELIVERY_FAULTS,
            "faults": self._service.faults.as_json(),
            "tokens": TOKENS,
            "switches": changes.described(self._service.dialect),
            "odd_messages": list(ODD_MESSAGES),
            "refresh_modes": REFRESH_MODES,
            "refresh_mode": self._service.dialect.refresh_tokens,
            "load": self._service.floor.load,
            "ahead_seconds": int(self._service.clock.ahead_seconds),
        }
        return self._service.pages.response("control.html", self._context() | controls)

    def _context(self) -> JSON:
        service, floor = self._service, self._service.floor
        service.pacer.catch_up()
        people = service.company.people
        return {
            "company": COMPANY,
            "domain": DOMAIN,
            "options": service.options,
            "floor_time": floor.day.time_text(floor.now),
            "calls": floor.truth.calls,
            "answered": floor.truth.total("answered"),
            "abandoned": floor.truth.total("abandoned"),
            "queues": self._queues(),
            "people": [_person(person, floor.now, floor.speed) for person in people[:MOST_PEOPLE]],
            "people_count": len(people),
            "queue_count": len(service.company.queues),
            "subscriptions": [self._subscription(each) for each in service.subscriptions.live()],
            "deliveries": [_row(delivery) for delivery in service.delivery_log.newest(MOST_DELIVERIES)],
            "requests": service.request_log.newest(MOST_REQUESTS),
            "undocumented": UNDOCUMENTED,
        }

    def _queues(self) -> list[JSON]:
        names = {queue.number: queue for queue in self._service.company.queues[:MOST_QUEUES]}
        entries = self._service.statistics.entries()
        return [
            {**entry, "name": names[entry["queue"]].name, "strategy": names[entry["queue"]].strategy}
            | {"longest_wait": duration_text(entry["max_wait"]) if entry["calls_waiting"] else "–"}
            for entry in entries[:MOST_QUEUES]
        ]

    def _subscription(self, subscription: Subscription) -> JSON:
        left = subscription.expires - self._service.clock.time()
        return {
            "id": subscription.id,
            "to": masked(subscription.request.post_uri),
            "kinds": ", ".join(subscription.request.kinds),
            "users": ", ".join(sorted(subscription.request.users)) or "whole domain",
            "state": "ready" if subscription.is_ready else "preparing",
            "time_left": duration_text(int(left)),
        }


def masked(uri: str) -> str:
    """The host and the first signs of the path: a subscriber's path is usually its secret."""
    parts = urlsplit(uri)
    path = parts.path if len(parts.path) <= 14 else f"{parts.path[:12]}…"
    return f"{parts.scheme}://{parts.netloc}{path}"


def duration_text(seconds: int) -> str:
    """4:08, or 1:04:08 from an hour on."""
    minutes, rest = divmod(max(seconds, 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _person(person: Person, now: float, speed: float) -> JSON:
    return {
        "extension": person.extension,
        "name": person.name,
        "activity": person.activity,
        "since": duration_text(int((now - person.since) / speed)),
        "queues": ", ".join(queue.name for queue in person.queues),
    }


def _row(delivery: Delivery) -> DeliveryRow:
    took = f"{delivery.answered_at - delivery.sent_at} ms" if delivery.answered_at and delivery.sent_at else ""
    at = datetime.fromtimestamp(delivery.due_at / 1000, UTC).strftime("%H:%M:%S")
    status = f"{delivery.outcome} ({delivery.status})" if delivery.status else delivery.outcome
    outcome = f"{status}, {delivery.fault}" if delivery.fault else status
    return DeliveryRow(at, delivery.kind, _summary(delivery), masked(delivery.post_uri), outcome, took)


def _summary(delivery: Delivery) -> str:
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
