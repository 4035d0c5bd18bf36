"""Real server processes for the socket tests: Daphne as the Procfile starts it, and uvicorn."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from websockets.sync.client import ClientConnection, connect

from accounts.models import Domain, Person, User
from tests.harness.redis import RedisServer
from wallboard.boards.models import Board
from wallboard.demo.processes import Child, free_port, procfile, wait_until

KINDS = ("daphne", "uvicorn")
APPLICATION = "wallboard.asgi:application"


def command(kind: str, port: int, application: str = APPLICATION) -> list[str]:
    """How to start that server on a loopback port."""
    if kind == "daphne":
        return [*procfile(port)["web"][:-1], application]
    options = ["--host", "127.0.0.1", "--port", str(port), "--log-level", "warning", "--ws-max-size", "65536"]
    return [sys.executable, "-m", "uvicorn", *options, application]


@dataclass
class Server:
    """A web process on the test's database and Redis."""

    child: Child
    port: int
    redis: RedisServer
    sockets: ExitStack = field(default_factory=ExitStack)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.child.start()
        assert wait_until(self.answers, 60, 0.05), self.child.tail()

    def answers(self) -> bool:
        import requests

        try:
            return requests.get(f"{self.origin}/healthz", timeout=2).ok
        except requests.RequestException:
            return False

    def open(self, query: str, cookie: str = "", **options: Any) -> "Page":
        """Connect as a browser on a page of this site would."""
        headers = {"Cookie": cookie} if cookie else {}
        options = {"origin": self.origin, "max_size": None, "compression": None} | options
        address = f"ws://127.0.0.1:{self.port}/live/?{query}"
        opening = connect(address, additional_headers=headers, open_timeout=10, close_timeout=0.2, **options)
        return Page(self.sockets.enter_context(opening))


class Page:
    """An open socket: applies frames as they come, for as long as somebody waits for something."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []
        self.documents: dict[str, dict[str, Any]] = {}
        self.held: dict[str, str] = {}

    def until(self, is_so: Callable[[], bool], seconds: float = 10) -> float:
        """Take frames until the claim is true; gives the seconds it took."""
        began = time.monotonic()
        while not is_so():
            left = began + seconds - time.monotonic()
            assert left > 0, f"not so within {seconds} s; holds {self.documents}"
            try:
                self._take(json.loads(self.socket.recv(timeout=min(left, 0.2))))
            except TimeoutError:
                continue
        return time.monotonic() - began

    def _take(self, frame: dict[str, Any]) -> None:
        self.frames.append(frame)
        if "snapshot" in frame:
            self.documents[frame["feed"]] = frame["snapshot"]
            self.held[frame["feed"]] = frame["id"]
        elif "feed" in frame:
            assert frame["prev"] == self.held[frame["feed"]]
            self.documents[frame["feed"]].update(frame["set"])
            for key in frame["del"]:
                self.documents[frame["feed"]].pop(key, None)
            self.held[frame["feed"]] = frame["id"]

    def shows(self, feed: str, key: str) -> Any:
        """The document as this page holds it; None where it holds none."""
        return self.documents.get(feed, {}).get(key)

    def close_code(self, seconds: float = 10) -> int:
        """Take frames until the server closes; gives the close code."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self._take(json.loads(self.socket.recv(timeout=0.2)))
            except TimeoutError:
                continue
            except Exception:
                return self.socket.close_code or 1006
        raise AssertionError(f"not closed within {seconds} s")


@contextmanager
def serving(
    kind: str, redis: RedisServer, folder: Path, application: str = APPLICATION, **environment: str
) -> Iterator[Server]:
    """A server of that kind, ended afterwards with all sockets to it."""
    from tests.harness.site import bare_environment

    port = free_port()
    env = bare_environment(
        SECRET_KEY=settings.SECRET_KEY,
        TOKEN_KEYS=",".join(settings.TOKEN_KEYS),
        PUBLIC_URL=f"http://127.0.0.1:{port}",
        REDIS_URL=redis.url,
        DATABASE_URL=database_url(),
        STATIC_ROOT=str(folder / "static"),
        **environment,
    )
    server = Server(Child(kind, command(kind, port, application), folder / f"{kind}.log", env), port, redis)
    try:
        server.start()
        yield server
    finally:
        server.sockets.close()
        server.child.stop()


def database_url() -> str:
    """The address of this test's database, for processes of its own."""
    held = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{held['NAME']}"
    return f"postgres://{held['USER']}:{held['PASSWORD']}@{held['HOST']}:{held['PORT']}/{held['NAME']}"


def company(name: str = "acme") -> Domain:
    """A company with one board, called main."""
    address = "http://127.0.0.1:1"
    domain = Domain.objects.create(slug=name, name=name, base_url=address, client_id="x", client_secret="y")
    Board.objects.create(domain=domain, name="Main", slug="main")
    return domain


def signed_in(domain: Domain, role: str = Person.Role.SUPERVISOR, extension: str = "101") -> tuple[Person, str]:
    """A person of that company, and the cookie of a browser in which this person is signed in."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    user = User.objects.create(username=f"{domain.slug}-{extension}")
    person = Person.objects.create(domain=domain, extension=extension, name=f"Ext {extension}", role=role, user=user)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return person, f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def opened(server: Server, cookie: str, query: str = "board=main") -> Page:
    """A page that holds everything its feeds hold."""
    page = server.open(query, cookie)
    page.until(lambda: len(page.documents) == (3 if "desk" in query else 5))
    return page
