"""A quiet simulator of its own for these tests, spoken to over HTTP, and an endpoint that receives what it posts."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from tests.harness.simulator import Simulator
from tests.harness.site import bare_environment

STATS = "application/vnd.service.v1.4.0+json"
SUBSCRIPTIONS = "application/vnd.service.v1.2.0+json"
REDIRECT = "http://testserver/accounts/callback/"


@dataclass
class Provider:
    """The running service as a client application sees it."""

    simulator: Simulator

    @property
    def url(self) -> str:
        return self.simulator.base_url

    def token_answer(self, **fields: str) -> requests.Response:
        return requests.post(f"{self.url}/api/oauth/token/", data=fields, timeout=10)

    def company(self, **changes: str) -> requests.Response:
        fields = {"client_id": self.simulator.client_id, "client_secret": self.simulator.client_secret}
        return self.token_answer(**({"grant_type": "client_credentials"} | fields | changes))

    def login(self, **fields: str) -> requests.Response:
        secret = {"client_id": self.simulator.login_client_id, "client_secret": self.simulator.login_client_secret}
        return self.token_answer(**(secret | fields))

    def exchange(self, code: str, **changes: str) -> requests.Response:
        fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT}
        return self.login(**(fields | changes))

    def refresh(self, refresh_token: str) -> requests.Response:
        return self.login(grant_type="refresh_token", refresh_token=refresh_token)

    def authorize_query(self, **changes: str) -> dict[str, str]:
        """The query of an ordinary authorize request; an empty value leaves the parameter out."""
        query = {"response_type": "code", "client_id": self.simulator.login_client_id, "redirect_uri": REDIRECT}
        return {name: value for name, value in (query | changes).items() if value}

    def authorize(self, extension: str = "101", **changes: str) -> dict[str, str]:
        """Sign a person in by the page's form; the arguments that come back to the redirect URL."""
        answer = requests.post(
            f"{self.url}/api/oauth/authorize/",
            params=self.authorize_query(**changes),
            data={"extension": extension},
            allow_redirects=False,
            timeout=10,
        )
        assert answer.status_code == 303
        return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["Location"]).query).items()}

    def code(self, extension: str = "101", **changes: str) -> str:
        return self.authorize(extension, **changes)["code"]

    def company_token(self) -> str:
        return str(self.company().json()["access_token"])

    def user_token(self, extension: str = "101") -> str:
        return str(self.exchange(self.code(extension)).json()["access_token"])

    def call(
        self, method: str, path: str, token: str | None = None, accept: str = "", **more: Any
    ) -> requests.Response:
        headers: dict[str, str] = {"Accept": accept, **more.pop("headers", {})}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return requests.request(method, f"{self.url}{path}", headers=headers, timeout=15, **more)

    def stats(self, token: str | None) -> requests.Response:
        return self.call("GET", "/api/call_queues/stats/live/", token, STATS)

    def subscribe(self, token: str | None, post_uri: str, **fields: object) -> requests.Response:
        body = {"post_uri": post_uri, "expires_in": 3600, "calls": True, **fields}
        body = {name: value for name, value in body.items() if value is not None}
        return self.call("POST", "/api/subscriptions/", token, SUBSCRIPTIONS, json=body)

    def read(self, token: str | None, subscription_id: object) -> requests.Response:
        return self.call("GET", f"/api/subscriptions/{subscription_id}/", token, SUBSCRIPTIONS)

    def delete(self, token: str | None, subscription_id: object) -> requests.Response:
        return self.call("DELETE", f"/api/subscriptions/{subscription_id}/", token, SUBSCRIPTIONS)

    def control(self, path: str, **fields: object) -> Any:
        return self.simulator.control(path, fields)

    def dialect(self, **switches: object) -> None:
        self.control("dialect", **switches)

    def place_call(self, to_user: str, from_number: str = "+442079460012", **more: object) -> dict[str, Any]:
        placed: dict[str, Any] = self.control(
            "call", from_number=from_number, to_user=to_user, **({"ring_seconds": 0.2, "talk_seconds": 0.3} | more)
        )
        return placed

    def deliveries(self, **query: object) -> list[dict[str, Any]]:
        deliveries: list[dict[str, Any]] = requests.get(
            f"{self.url}/control/deliveries", params={name: str(value) for name, value in query.items()}, timeout=10
        ).json()["deliveries"]
        return deliveries


@dataclass
class Receiver:
    """A subscribed endpoint: stores what it gets, answers with this status after this delay."""

    status: int = 204
    delay_seconds: float = 0.0
    bodies: list[Any] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    url: str = ""

    def messages(self, call_id: str = "") -> list[dict[str, Any]]:
        """Call messages, of one caller where an id is given, in the order of their coming."""
        calls = [body["calls"] for body in list(self.bodies) if isinstance(body, dict) and "calls" in body]
        return [call for call in calls if not call_id or call["from"]["call_id"] == call_id]

    def records(self, call_id: str = "") -> list[dict[str, Any]]:
        found = [record for body in list(self.bodies) if isinstance(body, list) for record in body]
        return [record for record in found if not call_id or record["from"]["call_id"] == call_id]

    def states(self) -> list[str]:
        """Initialization states so far."""
        return [body["state"] for body in list(self.bodies) if isinstance(body, dict) and "msg" in body]

    def wait(self, is_so: Callable[[], bool], seconds: float = 8.0) -> None:
        end = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < end, f"Not in time; received {self.bodies}"
            time.sleep(0.02)

    def wait_ready(self) -> None:
        self.wait(lambda: self.states()[-1:] == ["ready"])
        time.sleep(0.05)  # its answer to ready has to reach the service

    def wait_ended(self, call_id: str) -> list[dict[str, Any]]:
        """All messages of a call whose caller has gone."""
        self.wait(lambda: any(call["from"]["state"] == "ended" for call in self.messages(call_id)))
        return self.messages(call_id)


@pytest.fixture(scope="session")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    simulator = Simulator(
        tmp_path_factory.mktemp("provider"),
        bare_environment(),
        REDIRECT,
        {"scenario": "quiet", "agents": 14, "queues": 3},
    )
    try:
        simulator.start()
        yield simulator
    finally:
        simulator.child.stop()


@pytest.fixture
def provider(quiet: Simulator) -> Iterator[Provider]:
    """The quiet service, without faults, switches and subscriptions of earlier tests."""
    yield Provider(quiet)
    for path in ("faults/clear", "dialect/reset", "subscriptions/delete"):
        quiet.control(path)


@pytest.fixture
def make_receiver() -> Iterator[Callable[..., Receiver]]:
    servers: list[ThreadingHTTPServer] = []

    def make(**settings: Any) -> Receiver:
        receiver = Receiver(**settings)

        class Webhook(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                receiver.headers.append(dict(self.headers))
                receiver.times.append(time.time())
                receiver.bodies.append(body)
                time.sleep(receiver.delay_seconds)
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                return

        server = ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
        server.daemon_threads = True
        server.block_on_close = False
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hooks/a-long-secret-path/"
        return receiver

    yield make
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def receiver(make_receiver: Callable[..., Receiver]) -> Receiver:
    return make_receiver()
