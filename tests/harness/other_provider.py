"""A second server that speaks the provider's API, written apart from the simulator and with other habits.

Ids are integers, figures are numeric strings, every success is a 201, `events` is a lone object, `expires` ends in Z
without a fraction, and the two set-up messages come before the answer to the create. It knows no browser sign-in.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import requests

CLIENT = {"grant_type": "client_credentials", "client_id": "other-id", "client_secret": "other-secret"}
QUEUES, SUBSCRIPTIONS = "/api/call_queues/stats/live/", "/api/subscriptions/"
ACCEPT = {QUEUES: "application/vnd.service.v1.4.0+json", SUBSCRIPTIONS: "application/vnd.service.v1.2.0+json"}


class OtherProvider:
    """What it holds: figures of its one queue, subscriptions by id, and what was wrong with requests."""

    def __init__(self) -> None:
        self.waiting = 3
        self.subscriptions: dict[int, dict[str, Any]] = {}
        self.complaints: list[str] = []
        self.post_answers: list[int] = []
        self.base_url = ""

    def token(self, form: dict[str, str]) -> tuple[int, Any]:
        """An hour's access for the one client; 400 for anybody else."""
        if form != CLIENT:
            self.complaints.append(f"token request with {sorted(form)}")
            return 400, {"error": "invalid_client"}
        expires = in_an_hour()
        return 201, {"access_token": "other-token", "token_type": "bearer", "expires_in": "3599", "expires": expires}

    def figures(self) -> tuple[int, Any]:
        """The one queue, as text."""
        times = {"avg_wait": "12", "max_wait": "41", "num_agents": "6", "available_agents": "2"}
        return 201, [{"queue": 700, "calls_waiting": str(self.waiting), "unavailable_agents": "4", **times, "more": {}}]

    def subscribe(self, wanted: dict[str, Any]) -> tuple[int, Any]:
        """A new subscription, or the same one renewed; its address hears both set-up messages first."""
        known = [number for number, held in self.subscriptions.items() if held["post_uri"] == wanted["post_uri"]]
        number = known[0] if known else len(self.subscriptions) + 41
        kind = "cdrs" if wanted.get("cdrs") else "calls"
        self.subscriptions[number] = {"id": number, "post_uri": wanted["post_uri"], "events": {"type": kind}}
        for state in () if known else ("preparing", "ready"):
            self.post(wanted["post_uri"], {"msg": "subscription", "state": state})
        return self.read(number)

    def read(self, number: int) -> tuple[int, Any]:
        """The subscription; 404 where there is none."""
        if number not in self.subscriptions:
            return 404, None
        return 201, {**self.subscriptions[number], "expires": in_an_hour()}

    def post(self, uri: str, message: Any) -> None:
        """Deliver a message and keep the status of the answer."""
        self.post_answers.append(requests.post(uri, json=message, timeout=10).status_code)

    def ring(self, extension: str, caller: str) -> None:
        """Tell everyone who subscribed to calls that this extension rings."""
        ends = {
            "from": {"id": caller, "call_id": "a-1", "user": None, "domain": None, "state": "progressing", "name": "X"},
            "to": {"id": extension, "call_id": "b-1", "user": extension, "domain": "other.example", "state": "ringing"},
        }
        times = {"time_start": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"), "time_answer": None}
        for held in list(self.subscriptions.values()):
            if held["events"]["type"] == "calls":
                self.post(held["post_uri"], {"calls": {"on_net": False, **ends, **times, "by_call_id": None}})


def in_an_hour() -> str:
    """UTC with a Z and without a fraction."""
    return (datetime.now(UTC) + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


class Handler(BaseHTTPRequestHandler):
    """The HTTP side of that provider."""

    provider: OtherProvider

    def do_GET(self) -> None:
        if self.is_allowed():
            self.answer(*(self.provider.figures() if self.path == QUEUES else self.provider.read(self.number())))

    def do_DELETE(self) -> None:
        if self.is_allowed():
            self.answer(204 if self.provider.subscriptions.pop(self.number(), None) else 404, None)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/api/oauth/token/":
            self.answer(*self.provider.token({name: values[0] for name, values in parse_qs(body).items()}))
        elif self.is_allowed():
            self.answer(*self.provider.subscribe(json.loads(body)))

    def number(self) -> int:
        return int(self.path.removeprefix(SUBSCRIPTIONS).strip("/"))

    def is_allowed(self) -> bool:
        accept = ACCEPT[QUEUES if self.path == QUEUES else SUBSCRIPTIONS]
        if self.headers["Accept"] != accept:
            self.provider.complaints.append(f"{self.path} with Accept {self.headers['Accept']}")
        if self.headers["Authorization"] == "Bearer other-token":
            return True
        self.answer(401, None)
        return False

    def answer(self, status: int, content: Any) -> None:
        body = b"" if content is None else json.dumps(content, indent=1).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def running_other_provider() -> Iterator[OtherProvider]:
    """That provider on a free loopback port."""
    provider = OtherProvider()
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"provider": provider})) as server:
        provider.base_url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield provider
        server.shutdown()
