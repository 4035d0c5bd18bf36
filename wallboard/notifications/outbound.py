"""One request to an address that somebody else chose: checked, pinned, never redirected, bounded in time and size.

The name is resolved here, every address of it is judged, and the connection goes to one of those that were judged: a
name that answers differently a moment later leads nowhere else. No proxy, netrc or cookie of the
machine has a part in it.
"""

import os
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from requests.utils import DEFAULT_CA_BUNDLE_PATH

from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.permitted_addresses import is_listed, is_permitted

TOTAL_SECONDS = 10.0
MOST_BYTES = 65_536
MOST_URL_LENGTH = 2_000
MOST_WORDS = 200
SHORTEST_SECRET = 6  # shorter parts of an address are words
AGENT = "Wallboard"
PORTS = {"https": 443, "http": 80}
SAFE_IN_PATHS = "/:@!$&'()*+,;=-._~%?"


class Refused(NotSent):
    """Nothing was sent, because it may not be sent there."""


@dataclass(frozen=True)
class Target:
    """Where a request goes; `path` has its query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port, the port only where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == PORTS[self.scheme] else f":{self.port}")


@dataclass(frozen=True)
class Request:
    """What is sent; address and headers may hold secrets."""

    method: str
    url: str = field(repr=False)
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True)
class Answer:
    """What came back; of the body no more than was asked for, and `is_cut` where there was more."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    is_cut: bool = False

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    def in_words(self, *secret: str) -> str:
        """Status and the beginning of the body on one line, for people; without what is secret, and parts of it."""
        shown = "".join(each if each.isprintable() else " " for each in self.body[:2_000].decode(errors="replace"))
        return f"{self.status} {without(' '.join(shown.split()), *secret)[:MOST_WORDS]}".strip()


def without(text: str, *secret: str) -> str:
    """The text with dots in place of what is secret: each part of an address that could be a token."""
    parts = {
        part for each in secret for part in re.split(r"[/?&=:@,;#\s]+", unquote(each)) if len(part) >= SHORTEST_SECRET
    }
    for part in sorted({*secret, *parts} - {""}, key=len, reverse=True):
        text = text.replace(part, "•••")
    return text


def checked(url: str) -> Target:
    """The parts of an address that may be used as far as it shows itself; Refused with what to change about it.

    Whose address the name stands for is judged again at each request.
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:  # UnicodeError is one
        raise Refused(_("This is no web address.")) from None
    if len(url) > MOST_URL_LENGTH or not host or not url.isprintable() or " " in url:
        raise Refused(_("This is no web address."))
    if parts.scheme not in PORTS or (parts.scheme == "http" and not settings.OUTBOUND_ALLOWED_NETWORKS):
        raise Refused(_("The address must start with https://."))
    if parts.username is not None or parts.password is not None:
        raise Refused(_("The address must not hold a user name or password."))
    path = quote(parts.path or "/", SAFE_IN_PATHS) + (f"?{quote(parts.query, SAFE_IN_PATHS)}" if parts.query else "")
    return Target(parts.scheme, host, port or PORTS[parts.scheme], path)


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float = TOTAL_SECONDS) -> Answer:
    """The answer, whatever its status, or NotSent; after that many seconds the connection is cut."""
    return send(Request("POST", url, body, headers), seconds=seconds)


def send(request: Request, *, seconds: float = TOTAL_SECONDS, most_bytes: int = MOST_BYTES) -> Answer:
    """As post(), for any method and for answers up to a size of one's own."""
    exchange = _Exchange(request, seconds, most_bytes)
    # A daemon: neither a resolver that hangs nor a server may hold up the end of the process.
    threading.Thread(target=exchange.run, name="outbound exchange", daemon=True).start()
    return exchange.outcome()


def resolved(target: Target) -> list[tuple[int, str]]:
    """Every family and address that the name stands for; Refused where one of them is not permitted."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotSent(_("The name %(host)s is not known.") % {"host": target.host}) from None
    addresses = list(dict.fromkeys((int(family), str(address[0])) for family, _type, _proto, _name, address in found))
    allowed = settings.OUTBOUND_ALLOWED_NETWORKS
    if not addresses or not all(is_permitted(address, allowed) for _family, address in addresses):
        raise Refused(
            _("%(host)s leads to this machine or into a private network, which your operator has not allowed.")
            % {"host": target.host}
        )
    if target.scheme == "http" and not all(is_listed(address, allowed) for _family, address in addresses):
        raise Refused(_("The address must start with https://."))
    return addresses


class _Exchange:
    """One request on its way; the waiting caller can cut off its connection."""

    def __init__(self, request: Request, seconds: float, most_bytes: int) -> None:
        self.target, self.seconds, self.most_bytes = checked(request.url), seconds, most_bytes
        self.method, self.body = request.method, request.body
        self.headers = {"User-Agent": AGENT, "Accept-Encoding": "identity", **request.headers}
        self.until = time.monotonic() + seconds
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._handle: socket.socket | None = None
        self._is_over = False
        self._result: Answer | BaseException | None = None

    def outcome(self) -> Answer:
        """Wait for the end or the deadline, whichever is first."""
        if not self._done.wait(max(0.0, self.until - time.monotonic())):
            self._cut()
            raise NotSent(_("No whole answer within %(seconds)d seconds.") % {"seconds": self.seconds})
        if isinstance(self._result, Answer):
            return self._result
        raise self._result or NotSent(self.target.origin)

    def run(self) -> None:
        try:
            self._result = self._answer()
        except BaseException as error:
            # Whatever it is belongs to the caller that waits; in this thread nobody would see it.
            self._result = self._explained(error)
        finally:
            if self._handle is not None:
                self._handle.close()
            self._done.set()

    def _answer(self) -> Answer:
        kind = HTTPSConnection if self.target.scheme == "https" else HTTPConnection
        with closing(kind(self.target.host, self.target.port)) as connection:
            connection.sock = self._connected()
            connection.request(self.method, self.target.path, self.body, self.headers)
            with closing(connection.getresponse()) as response:
                body = response.read(self.most_bytes + 1)
                is_cut = len(body) > self.most_bytes
                return Answer(response.status, dict(response.getheaders()), body[: self.most_bytes], is_cut)

    def _connected(self) -> socket.socket:
        addresses = resolved(self.target)
        for place, (family, address) in enumerate(addresses, 1):
            opened = socket.socket(family, socket.SOCK_STREAM)
            self._keep(opened)
            try:
                # What is left is shared by the addresses that are left.
                opened.settimeout(max(0.01, self.until - time.monotonic()) / (len(addresses) - place + 1))
                opened.connect((address, self.target.port))
                opened.settimeout(self.seconds)
                return self._secured(opened)
            except OSError:
                opened.close()
                if place == len(addresses):
                    raise
        raise AssertionError("resolved() answers one address or more")

    def _secured(self, opened: socket.socket) -> socket.socket:
        if self.target.scheme == "http":
            return opened
        return tls_context(trusted_authorities()).wrap_socket(opened, server_hostname=self.target.host)

    def _keep(self, opened: socket.socket) -> None:
        """A second handle on the socket, with which the caller ends any wait, a TLS handshake too."""
        with self._lock:
            if self._is_over:
                opened.close()
                raise TimeoutError
            if self._handle is not None:
                self._handle.close()
            self._handle = opened.dup()

    def _cut(self) -> None:
        with self._lock:
            self._is_over = True
            if self._handle is not None:
                with suppress(OSError):  # it may have ended meanwhile
                    self._handle.shutdown(socket.SHUT_RDWR)

    def _explained(self, error: BaseException) -> BaseException:
        name = {"host": self.target.host}
        if isinstance(error, ssl.SSLCertVerificationError):
            return NotSent(_("The certificate of %(host)s is not valid: ") % name + str(error.verify_message))
        if isinstance(error, ConnectionRefusedError):
            return NotSent(_("%(host)s takes no connections there.") % name)
        if isinstance(error, TimeoutError):
            return NotSent(_("%(host)s cannot be reached.") % name)
        if isinstance(error, OSError | HTTPException):
            return NotSent(_("The connection to %(host)s broke off: ") % name + type(error).__name__)
        return error


def trusted_authorities() -> str:
    """The file of certificate authorities: the operator's own where one is named, as for the provider."""
    return os.environ.get("REQUESTS_CA_BUNDLE") or DEFAULT_CA_BUNDLE_PATH


@cache
def tls_context(authorities: str) -> ssl.SSLContext:
    """What is demanded of servers: a valid certificate for the name, by one of these authorities."""
    return ssl.create_default_context(cafile=authorities)
