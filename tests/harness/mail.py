"""A real mail server, and some that behave as servers should not."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword

from wallboard.demo.processes import free_port, wait_until


@dataclass
class Mail:
    """A mail as the server took it."""

    to: list[str]
    letter: EmailMessage
    at: float

    @property
    def text(self) -> str:
        return str(self.letter.get_content())


@dataclass
class MailServer:
    """What it took, and what it answers to the recipients that it refuses."""

    port: int
    taken: list[Mail] = field(default_factory=list)
    refuses: dict[str, str] = field(default_factory=dict)
    logins: list[tuple[str, str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def wait_for(self, count: int, seconds: float = 10) -> list[Mail]:
        """The mails, once there are so many."""
        assert wait_until(lambda: len(self.taken) >= count, seconds, 0.02), f"{len(self.taken)} of {count} mails"
        return self.taken

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Envelope, to: str, _options: Any) -> str:
        if to in self.refuses:
            return self.refuses[to]
        envelope.rcpt_tos.append(to)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:
        letter = message_from_bytes(envelope.content or b"", policy=default)  # type: ignore[arg-type]
        assert isinstance(letter, EmailMessage)
        self.taken.append(Mail(list(envelope.rcpt_tos), letter, time.time()))
        return f"250 2.0.0 queued as {len(self.taken)}"

    def authenticate(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
        assert isinstance(given, LoginPassword)
        self.logins.append((given.login.decode(), given.password.decode()))
        return AuthResult(success=given.password == b"right", handled=False)


@contextmanager
def running_mail_server(**options: Any) -> Iterator[MailServer]:
    """A mail server on a loopback port; `options` as aiosmtpd's SMTP takes them."""
    server = MailServer(free_port())
    more: dict[str, Any] = {}
    if options.pop("asks_login", False):
        more = {"authenticator": server.authenticate, "auth_require_tls": False}
    controller = Controller(server, hostname="127.0.0.1", port=server.port, **more, **options)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()


@contextmanager
def odd_server(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port where each connection is answered by `answer`, in a thread of its own."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def one(connection: socket.socket) -> None:
            with suppress(OSError), closing(connection):
                answer(connection)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    threading.Thread(target=one, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listening.getsockname()[1]


def drip(connection: socket.socket) -> None:
    """Never silent for long, and never done."""
    while True:
        connection.sendall(b"220-wait a little\r\n")
        time.sleep(0.2)
