"""One HTTP exchange with the provider: bounded in time and size, never redirected, on connections that are kept open.

The timeout of `requests` counts per read, so a server that sends a byte now and then holds a caller for ever. Here the
exchange runs in a thread of its own; at the deadline its socket is shut down and the caller goes on.
"""

import socket
import ssl
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPException, RemoteDisconnected
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3

from wallboard.telephony import connections
from wallboard.telephony.decoding import http_date
from wallboard.telephony.errors import BadResponse, ProviderError, Unreachable

TOTAL_SECONDS = 10.0
MOST_BYTES = 1_048_576
CHUNK_BYTES = 65_536
CAUSES = (
    ((urllib3.exceptions.NameResolutionError, socket.gaierror), "name"),
    ((requests.exceptions.SSLError, ssl.SSLError, urllib3.exceptions.SSLError), "tls"),
    ((ConnectionRefusedError,), "refused"),
    ((requests.exceptions.Timeout, urllib3.exceptions.TimeoutError, TimeoutError), "time"),
)
BROKEN = (requests.RequestException, urllib3.exceptions.HTTPError, HTTPException, OSError, ValueError)


@dataclass(frozen=True)
class Answer:
    """A whole answer; `body` is unpacked, and empty where a refusal was too large to keep."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    received_at: datetime = field(default_factory=partial(datetime.now, UTC))

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def provider_time(self) -> datetime | None:
        """When the provider answered by its own clock, to the second; None where its Date header tells nothing."""
        return http_date(self.headers.get("Date", ""))


@dataclass(frozen=True)
class Deadline:
    """The moment by which several exchanges have to be over together; `at` is of the monotonic clock, in seconds."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """So many seconds from now."""
        return cls(time.monotonic() + seconds)

    def or_earlier(self, other: "Deadline | None") -> "Deadline":
        """Whichever of the two is first."""
        return self if other is None or self.at <= other.at else other

    @property
    def seconds_left(self) -> float:
        return self.at - time.monotonic()


_common = ContextVar[Deadline | None]("_common", default=None)


@contextmanager
def all_within(seconds: float) -> Iterator[None]:
    """Everything that is sent in the block has to be over so many seconds from now, beside each exchange's own time."""
    deadline = Deadline.after(seconds).or_earlier(_common.get())
    token = _common.set(deadline)
    try:
        yield
    finally:
        _common.reset(token)


def send(
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None = None,
    *,
    deadline: Deadline | None = None,
    may_repeat: bool = True,
) -> Answer:
    """The answer, whatever its status, within TOTAL_SECONDS and before the deadline; else Unreachable or BadResponse.

    After the deadline, or that of `all_within`, nothing is sent at all. A connection that was kept open may have been
    closed by the provider just now: where `may_repeat`, that is tried once more.
    """
    request = requests.Request(method, url, headers, data=body)
    seconds = Deadline.after(TOTAL_SECONDS).or_earlier(deadline).or_earlier(_common.get()).seconds_left
    if seconds <= 0:
        raise Unreachable(f"{named(request)}: no time was left for it")
    exchange = _Exchange(request, seconds, may_repeat)
    # A daemon: an exchange that hangs somewhere must not hold up the end of the process.
    threading.Thread(target=exchange.run, name="provider exchange", daemon=True).start()
    return exchange.outcome()


def named(request: requests.Request) -> str:
    """How an exchange is called in errors: no host, no query, no headers, no body."""
    try:
        return f"{request.method} {urlsplit(request.url).path}"
    except ValueError:
        return f"{request.method} to an address that is none"


class _Exchange:
    """One request on its way; knows the socket it uses, so that the waiting caller can cut it off."""

    def __init__(self, request: requests.Request, seconds: float, may_repeat: bool) -> None:
        self.request = request
        self.until = time.monotonic() + seconds
        self.seconds = seconds
        self.may_repeat = may_repeat
        self.is_reused = self.is_over = False
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._result: Answer | BaseException | None = None

    def outcome(self) -> Answer:
        """Wait for the end or the deadline, whichever is first."""
        if not self._done.wait(max(0.0, self.until - time.monotonic())):
            self._cut()
            raise _unreachable(f"{named(self.request)}: no whole answer within {self.seconds:.0f} s", "time")
        if isinstance(self._result, Answer):
            return self._result
        raise self._result or Unreachable(named(self.request))

    def run(self) -> None:
        connections.watcher.use = self._use
        try:
            self._result = self._attempts()
        except BaseException as error:
            # Whatever it is belongs to the caller that waits; in this thread nobody would see it.
            self._result = error
        finally:
            self._done.set()

    def _use(self, handle: socket.socket, is_reused: bool) -> None:
        """The connection reports the socket that it is about to use."""
        with self._lock:
            self._socket, self.is_reused = handle, is_reused
            # The deadline passed while the connection was being made: nobody is left to cut it off.
            if self.is_over:
                raise TimeoutError

    def _cut(self) -> None:
        with self._lock:
            self.is_over = True
            if self._socket is not None:
                _shut(self._socket)

    def _attempts(self) -> Answer:
        try:
            return self._attempt()
        except _ClosedBeforeAnswer:
            if self.is_over or not (self.may_repeat and self.is_reused):
                raise
        return self._attempt()

    def _attempt(self) -> Answer:
        left = self.until - time.monotonic()
        try:
            # Of a timeout of zero urllib3 makes an error.
            with connections.send(self.request, max(0.01, left)) as response:
                return self._read(response)
        except BROKEN as error:
            # Without its cause, whose text names the host and the query.
            text = f"{named(self.request)}: {type(error).__name__}"
            if _is_closed_early(error):
                raise _ClosedBeforeAnswer(text) from None
            raise _unreachable(text, _cause(error)) from None

    def _read(self, response: requests.Response) -> Answer:
        answer = Answer(response.status_code, response.headers, b"")
        try:
            body = unpacked(_limited(response), response.headers.get("Content-Encoding", ""))
        except _TooMuch as error:
            # A refusal is judged by its status; its body may be left unread.
            if answer.is_success:
                raise BadResponse(f"{named(self.request)}: {error}") from None
            return answer
        return Answer(answer.status, answer.headers, body)


class _ClosedBeforeAnswer(Unreachable):
    """The connection ended before the first byte of an answer."""


class _TooMuch(ProviderError):
    """More than MOST_BYTES, or packed in a way that cannot be unpacked."""


def _limited(response: requests.Response) -> bytes:
    """The body as it came over the wire, read no further than the limit."""
    parts, size = [], 0
    # Packed as it came: a few kilobytes may unpack to gigabytes, which only unpacked() bounds.
    while part := response.raw.read(CHUNK_BYTES, decode_content=False):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise _TooMuch(f"more than {MOST_BYTES} bytes")
    return b"".join(parts)


def unpacked(body: bytes, encoding: str) -> bytes:
    """The body without its gzip or deflate packing, never more than MOST_BYTES of it in memory."""
    packing = encoding.strip().lower()
    if not body or packing in ("", "identity"):
        return body
    if packing not in ("gzip", "x-gzip", "deflate"):
        raise _TooMuch("packed in an unknown way")
    # With 32 zlib tells gzip and deflate apart by itself.
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    try:
        plain = unpacker.decompress(body, MOST_BYTES + 1)
    except zlib.error:
        raise _TooMuch("cannot be unpacked") from None
    if len(plain) > MOST_BYTES or not unpacker.eof:
        raise _TooMuch(f"more than {MOST_BYTES} bytes, or cut off")
    return plain


def _unreachable(text: str, cause: str) -> Unreachable:
    error = Unreachable(text)
    error.cause = cause
    return error


def _cause(error: BaseException) -> str:
    """Why no connection or no answer came, as ProviderError.cause has it."""
    for kinds, name in CAUSES:
        if any(isinstance(each, kinds) for each in _wrapped(error)):
            return name
    return ""


def _wrapped(error: BaseException) -> list[BaseException]:
    """The error and what it wraps: requests' own holds urllib3's, which holds that of http.client or of the socket."""
    found = [error]
    for each in found:  # which grows meanwhile
        inner = [*each.args, getattr(each, "reason", None), each.__cause__]
        found += [one for one in inner if isinstance(one, BaseException) and one not in found]
    return found


def _is_closed_early(error: BaseException) -> bool:
    # requests wraps urllib3's error, which wraps that of http.client: the cause stands two levels down.
    causes: list[Any] = [error, *error.args]
    causes += [cause for each in causes[:] for cause in getattr(each, "args", ())]
    return any(isinstance(cause, RemoteDisconnected | ConnectionResetError | BrokenPipeError) for cause in causes)


def _shut(handle: socket.socket) -> None:
    with suppress(OSError):  # it may have ended meanwhile
        handle.shutdown(socket.SHUT_RDWR)
