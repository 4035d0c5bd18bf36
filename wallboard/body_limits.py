"""How large the body of a request may be, held by the server process itself, with or without a proxy before it.

Django looks at a request once its body is there as a whole, in memory or on the disk, even if nobody answers at that
address. Daphne collects it before it asks the application at all, so that the limit has to stand in Daphne's request.
"""

import logging
import sys
from io import BytesIO
from typing import Any

from wallboard.api import problems
from wallboard.api.endpoints import MOST_BYTES as API_BYTES
from wallboard.boards.images import MAX_BYTES as PICTURE_BYTES
from wallboard.configuration.document import LARGEST_BYTES as CONFIGURATION_BYTES
from wallboard.contacts.import_files import LARGEST_BYTES as IMPORT_BYTES
from wallboard.live.asgi import Application, Message, Receive, Scope, Send

log = logging.getLogger(__name__)
USUAL_BYTES = 2_097_152  # forms of thousands of queues, and messages of a hundred detail records
FORM_BYTES = 65_536  # what a form holds beside its file
API = "/api/"
LIMITS = (
    ("/desk/contacts/import/", IMPORT_BYTES + FORM_BYTES),
    ("/boards/images/", PICTURE_BYTES + FORM_BYTES),
    ("/brand/", PICTURE_BYTES + FORM_BYTES),
    ("/api/v1/configuration", CONFIGURATION_BYTES),
    (API, API_BYTES),
)
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"


def limit_of(path: str) -> int:
    """The most bytes of a body that is sent to this address."""
    return next((limit for prefix, limit in LIMITS if path.startswith(prefix)), USUAL_BYTES)


def refusal(path: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Headers and body of a 413; programs get a problem that they can read."""
    if not path.startswith(API):
        return [(b"content-length", b"0")], b""
    body = problems.body(413, f"A body may have {limit_of(path)} bytes.")
    kind = problems.CONTENT_TYPE.encode()
    return [(b"content-length", str(len(body)).encode()), (b"content-type", kind)], body


class BodyLimit:
    """An ASGI application around another one: 413 for a body that is announced or turns out too large."""

    def __init__(self, others: Application) -> None:
        self._others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._others(scope, receive, send)
            return
        body = _BoundedBody(limit_of(scope["path"]), receive, send)
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        # Twelve digits are a terabyte; int() of very many takes long, or is refused.
        body.is_over = not announced.isdigit() or len(announced) > 12 or int(announced) > body.limit
        if not body.is_over:
            await self._others(scope, body.receive, body.send)
        # An answer that the application has begun cannot be taken back.
        if body.is_over and not body.is_answered:
            headers, content = refusal(scope["path"])
            await send({"type": "http.response.start", "status": 413, "headers": headers})
            await send({"type": "http.response.body", "body": content})


class _BoundedBody:
    """Counts what comes; past the limit the application hears that the browser has gone."""

    def __init__(self, limit: int, receive: Receive, send: Send) -> None:
        self.limit = limit
        self.is_over = self.is_answered = False
        self._receive, self._send = receive, send
        self._size = 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        self.is_over = self.is_over or self._size > self.limit
        return {"type": "http.disconnect"} if self.is_over else message

    async def send(self, message: Message) -> None:
        self.is_answered = True
        await self._send(message)


def bound_daphne() -> None:
    """Put the limit into Daphne's request, where this process is Daphne: it knows no setting for that."""
    http_protocol: Any = sys.modules.get("daphne.http_protocol")
    if http_protocol is not None:
        http_protocol.WebRequest = bounded(http_protocol.WebRequest)


def bounded(request_class: Any) -> Any:
    """Daphne's request with a limit. Twisted tells it the length, if it is known, and then each piece of the body."""

    class BoundedRequest(request_class):  # type: ignore[misc]
        is_refused = False
        received_bytes = 0

        def gotLength(self, length: int | None) -> None:
            self.limit = limit_of(self.path_so_far())
            # Told of a large body, Twisted would open a file for it.
            super().gotLength(0 if length is not None and length > self.limit else length)
            if length is not None and length > self.limit:
                self._refuse()

        def path_so_far(self) -> str:
            # Twisted gives the request its path only after the body.
            return str(getattr(self.channel, "_path", b"").decode("latin-1"))

        def handleContentChunk(self, data: bytes) -> None:
            self.received_bytes += len(data)
            if not self.is_refused and self.received_bytes > self.limit:
                self._refuse()
            if not self.is_refused:
                super().handleContentChunk(data)

        def process(self) -> Any:
            return None if self.is_refused else super().process()

        def _refuse(self) -> None:
            """Answer at once and hang up; what was collected is let go."""
            self.is_refused = True
            self.content = BytesIO()
            headers, content = refusal(self.path_so_far())
            lines = b"".join(b"%s: %s\r\n" % header for header in headers)
            self.channel.transport.write(TOO_LARGE + lines + b"\r\n" + content)
            self.channel.transport.loseConnection()

    return BoundedRequest
