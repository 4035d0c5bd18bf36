"""E-mail over SMTP, bounded in time whatever the server does; what it said is the outcome."""

import re
import smtplib
import socket
import ssl
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.message import EmailMessage
from email.utils import formatdate
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.companies import public_address
from accounts.languages.choosing import speaking
from wallboard.notifications import mail_servers, outbound
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.mail_servers import Security, ServerSettings
from wallboard.notifications.messages import Message
from wallboard.notifications.permitted_addresses import is_permitted

STEP_SECONDS, TOTAL_SECONDS = 10.0, 25.0
MOST_WORDS = 200


def send(address: Mapping[str, Any], message: Message) -> str:
    """Send to `address["to"]` by the mail server of the company `address["domain_id"]`. Raises NotSent."""
    server = mail_servers.of_company(address["domain_id"])
    if server is None:
        raise NotSent(_("No mail server is set up."))
    return send_through(server, str(address["to"]), message)


def send_through(server: ServerSettings, to: str, message: Message) -> str:
    """Hand the message to this server: its last word. Raises NotSent."""
    return _talk(server, lambda client: client.deliver(letter(server.sender, to, message), server.sender, to))


def try_server(server: ServerSettings) -> str:
    """Connect and sign in without sending anything: what the server said. Raises NotSent."""
    return _talk(server, lambda client: client.enter())


def _talk(server: ServerSettings, conversation: "Callable[[_Client], str]") -> str:
    client = _Client(server)
    watch = threading.Timer(TOTAL_SECONDS, client.cut)
    watch.daemon = True
    watch.start()
    try:
        return conversation(client)
    except NotSent:
        raise
    except (smtplib.SMTPException, OSError, ValueError) as error:
        raise NotSent(_words(error, server, is_cut=client.is_cut)) from error
    finally:
        watch.cancel()
        client.close()


def letter(sender: str, to: str, message: Message) -> EmailMessage:
    """The message as a mail; its Message-ID stays the same over all tries."""
    mail = EmailMessage()
    mail["Subject"] = " ".join(message.title.split())
    mail["From"], mail["To"] = sender, to
    mail["Date"] = formatdate()
    mail["Message-ID"] = f"<{message.id}@{public_address.parts().hostname}>"
    # No out-of-office answers, please.
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    with speaking(message.language):
        parts = _paragraphs(message)
    mail.set_content("\n\n".join(parts) + "\n", cte="quoted-printable")
    if message.html:
        _show(mail, message)
    return mail


def _paragraphs(message: Message) -> list[str]:
    parts = [message.text]
    if message.acknowledge_url:
        parts.append(_("Acknowledge: %(url)s") % {"url": message.acknowledge_url})
    parts.append(_("Open: %(url)s") % {"url": message.url})
    parts.append(_("What reaches you: %(url)s") % {"url": urljoin(message.url, "/notifications/")})
    return parts


def _show(mail: EmailMessage, message: Message) -> None:
    """Add the page beside the text, the pictures that it shows, and what is attached."""
    mail.add_alternative(message.html, subtype="html", cte="quoted-printable")
    pages: Any = mail.get_payload()
    page = pages[-1]
    for file in sorted(message.files, key=lambda each: "cid" not in each):  # the pictures belong to the page
        kind, _slash, subkind = file["kind"].partition("/")
        content = b64decode(file["data"])
        if "cid" in file:
            page.add_related(
                content, kind, subkind, cid=f"<{file['cid']}>", filename=file["name"], disposition="inline"
            )
        else:
            mail.add_attachment(content, kind, subkind, filename=file["name"])


class _Client(smtplib.SMTP):
    """A connection to one server; another thread may cut it off at any moment."""

    def __init__(self, server: ServerSettings) -> None:
        self._server, self.is_cut = server, False
        self._until, self._lock = time.monotonic() + TOTAL_SECONDS, threading.Lock()
        self._raw: socket.socket | None = None
        super().__init__(timeout=STEP_SECONDS, local_hostname=public_address.parts().hostname)
        self._host = server.host  # what STARTTLS checks the certificate for

    def enter(self) -> str:
        """Connect, with TLS and a sign-in where they are set: the server's greeting."""
        server = self._server
        code, words = self.connect(server.host, server.port)
        if code != 220:
            raise smtplib.SMTPConnectError(code, words)
        if server.security == Security.STARTTLS:
            self.starttls(context=_context())
        if server.username:
            self.login(server.username, server.password)
        return words.decode(errors="replace")

    def deliver(self, mail: EmailMessage, sender: str, to: str) -> str:
        """The whole conversation: what the server said last."""
        self.enter()
        self.send_message(mail, sender, [to])
        with suppress(smtplib.SMTPException, OSError):
            self.quit()  # the mail is theirs already
        return self._last_words or _("taken by the mail server")

    _last_words = ""

    def data(self, msg: Any) -> tuple[int, bytes]:
        """As the base's; the answer often has the number under which the server keeps the mail."""
        code, words = super().data(msg)
        if code == 250:
            self._last_words = _shown(f"{code} {words.decode(errors='replace')}", self._server)
        return code, words

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        """A connection to an address that was judged; kept, so that it can be cut off from the first byte on."""
        failure: OSError | None = None
        addresses = _addresses(self._server, self._left())
        for place, (family, address) in enumerate(addresses):
            opened = socket.socket(family, socket.SOCK_STREAM)
            try:
                self._keep(opened)
                # What is left is shared by the addresses that are left.
                opened.settimeout(min(timeout, self._left() / (len(addresses) - place)))
                opened.connect((address, port))
            except OSError as error:
                failure = error
                opened.close()
                continue
            opened.settimeout(timeout)
            if self._server.security == Security.TLS:
                return _context().wrap_socket(opened, server_hostname=self._server.host)
            return opened
        raise failure or OSError

    def cut(self) -> None:
        """End whatever it waits for, and keep it from beginning anew."""
        with self._lock:
            self.is_cut = True
            if self._raw is not None:
                with suppress(OSError):
                    self._raw.shutdown(socket.SHUT_RDWR)

    def _keep(self, opened: socket.socket) -> None:
        """A second hold on the connection, with which another thread cuts it off."""
        with self._lock:
            if self.is_cut:
                raise TimeoutError
            if self._raw is not None:
                self._raw.close()
            self._raw = opened.dup()

    def _left(self) -> float:
        return max(0.01, self._until - time.monotonic())

    def close(self) -> None:
        """Close the connection and the second hold on it."""
        super().close()
        if self._raw is not None:
            self._raw.close()


def _context() -> ssl.SSLContext:
    return outbound.tls_context(outbound.trusted_authorities())


def _resolved(server: ServerSettings, seconds: float) -> list[tuple[int, str]]:
    """What the server's name stands for. Raises OSError: TimeoutError where the resolver does not answer in time."""
    found: list[list[tuple[int, str]] | OSError] = []

    def look() -> None:
        try:
            answer = socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)
            found.append([(int(family), str(address[0])) for family, _type, _proto, _name, address in answer])
        except OSError as error:
            found.append(error)

    # Nothing ends a resolver that hangs; a daemon does not hold up the end of the process.
    thread = threading.Thread(target=look, name="mail resolver", daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        raise TimeoutError
    if isinstance(found[0], OSError):
        raise found[0]
    return found[0]


def _addresses(server: ServerSettings, seconds: float) -> list[tuple[int, str]]:
    """Where the server's name leads; a company may not name a host inside the operator's network."""
    addresses = _resolved(server, seconds)
    allowed = settings.OUTBOUND_ALLOWED_NETWORKS
    if not server.is_operators and not all(is_permitted(address, allowed) for _family, address in addresses):
        raise NotSent(
            _("%(host)s leads to this machine or into a private network, which your operator has not allowed.")
            % {"host": server.host}
        )
    return addresses


def _words(error: Exception, server: ServerSettings, *, is_cut: bool) -> str:
    """What went wrong, in the server's own words where it said any."""
    if is_cut:
        return _("The mail server did not finish within %(seconds)d seconds.") % {"seconds": TOTAL_SECONDS}
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, words = next(iter(error.recipients.values()))
        return _shown(f"{code} {words.decode(errors='replace')}", server)
    if isinstance(error, smtplib.SMTPResponseException):
        given = error.smtp_error
        text = given.decode(errors="replace") if isinstance(given, bytes) else str(given)
        return _shown(f"{error.smtp_code} {text}", server)
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return _("The mail server does not offer what is asked of it: %(what)s") % {"what": _shown(str(error), server)}
    if isinstance(error, ssl.SSLCertVerificationError):
        return _("The certificate of %(host)s is not valid: ") % {"host": server.host} + error.verify_message
    if isinstance(error, smtplib.SMTPServerDisconnected | ConnectionError) and not isinstance(
        error, ConnectionRefusedError
    ):
        return _("The mail server closed the connection.")
    known = {
        socket.gaierror: _("The name %(host)s is not known."),
        ConnectionRefusedError: _("%(host)s takes no connections there."),
        TimeoutError: _("%(host)s does not answer."),
        ssl.SSLError: _("%(host)s does not speak TLS there."),
    }
    text = next((text for kind, text in known.items() if isinstance(error, kind)), _("%(host)s cannot be reached."))
    return text % {"host": server.host}


def _shown(words: str, server: ServerSettings) -> str:
    """Words of the server on one line, without what nobody may read: a server may repeat what it was given."""
    text = " ".join("".join(each if each.isprintable() else " " for each in words).split())
    for secret in (server.password, server.username):
        if len(secret) > 2:
            text = text.replace(secret, "•••")
    return re.sub(r"[A-Za-z0-9+/]{24,}={0,2}", "•••", text)[:MOST_WORDS]  # sign-ins travel as base64
