"""A small CardDAV server as RFC 6352 and RFC 6578 want it, with the habits of real ones as switches."""

import hashlib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import quote, unquote
from xml.sax.saxutils import escape

from tests.harness import http_server
from tests.harness.http_server import Quiet
from wallboard.carddav import markup
from wallboard.carddav.answers import CARD, DAV
from wallboard.carddav.markup import Element

BOOK = "/dav/addressbooks/mia/Büro/"
HOME = "/dav/addressbooks/mia/"
PRINCIPAL = "/dav/principals/mia/"
SYNC = f"{{{DAV}}}sync-collection"
HREF = f"{{{DAV}}}href"


def vcard(name: str, *numbers: str, more: str = "") -> str:
    """A card as most programs write it."""
    lines = "".join(f"TEL;TYPE=work,voice:{number}\r\n" for number in numbers)
    return f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{name}\r\nFN:{name}\r\nN:{name};;;;\r\n{lines}{more}END:VCARD\r\n"


@dataclass
class CardServer:
    """What it holds and how it behaves; `asked` has method, path and depth of each request, and the report's name."""

    url: str = ""
    cards: dict[str, str] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)  # paths in the order of their changes
    oldest_token: int = 0
    password: str = "pass wörd"
    can_sync: bool = True
    expired_status: int = 403
    page_size: int = 0
    second_book: bool = False
    answers: list[tuple[int, bytes, dict[str, str]]] = field(default_factory=list)  # instead, one for each request
    asked: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def book_url(self) -> str:
        return self.url + quote(BOOK)

    def put(self, name: str, text: str) -> None:
        self.cards[f"{BOOK}{name}.vcf"] = text
        self.log.append(f"{BOOK}{name}.vcf")

    def delete(self, name: str) -> None:
        del self.cards[f"{BOOK}{name}.vcf"]
        self.log.append(f"{BOOK}{name}.vcf")

    def fetched(self) -> int:
        """How many cards were handed out since the last time."""
        count = sum(int(each[3]) for each in self.asked if each[0] == "multiget")
        self.asked.clear()
        return count

    def etag(self, path: str) -> str:
        return f'"{hashlib.sha256(self.cards[path].encode()).hexdigest()[:12]}"'

    def answer(self, method: str, path: str, depth: str, root: Element) -> tuple[int, str]:
        """Status and body of what is asked."""
        if method == "PROPFIND":
            return 207, self.properties(path, depth)
        if root.tag == SYNC and self.can_sync:
            return self.changes(root.text_at(f"{{{DAV}}}sync-token"))
        if root.tag == f"{{{CARD}}}addressbook-multiget":
            wanted = [each.text for each in root.all(HREF)]
            self.asked.append(("multiget", path, depth, str(len(wanted))))
            return 207, "".join(self.card(href) for href in wanted)
        return 403, "<d:error xmlns:d='DAV:'><d:supported-report/></d:error>"

    def properties(self, path: str, depth: str) -> str:
        """A PROPFIND, of the book with the ETags of its cards."""
        reports = "<d:supported-report><d:report><d:sync-collection/></d:report></d:supported-report>"
        token = f"<d:sync-token>{self.token()}</d:sync-token>" if self.can_sync else ""
        about = "<d:resourcetype><d:collection/><c:addressbook/></d:resourcetype><d:displayname>Büro</d:displayname>"
        about += token
        about += f"<d:supported-report-set>{reports if self.can_sync else ''}</d:supported-report-set>"
        book = ok(BOOK, about)
        if path == BOOK:
            cards = "".join(ok(each, f"<d:getetag>{self.etag(each)}</d:getetag>") for each in self.cards)
            return book + (cards + ok(BOOK + "sub/", FOLDER) if depth == "1" else "")
        if path == HOME:
            other = ok(HOME + "other/", about) if self.second_book else ""
            return ok(HOME, FOLDER) + (book + other if depth == "1" else "")
        home = f"<c:addressbook-home-set><d:href>{HOME}</d:href></c:addressbook-home-set>" if path == PRINCIPAL else ""
        return ok(
            path, FOLDER + f"<d:current-user-principal><d:href>{PRINCIPAL}</d:href></d:current-user-principal>" + home
        )

    def token(self) -> str:
        return f"{self.url}/sync/{len(self.log)}"

    def changes(self, token: str) -> tuple[int, str]:
        """A sync-collection report; a token that is too old is refused with the precondition of RFC 6578, 3.2."""
        since = int(token.rsplit("/", 1)[1]) if token else 0
        if token and since < self.oldest_token:
            return self.expired_status, "<d:error xmlns:d='DAV:'><d:valid-sync-token/></d:error>"
        until = min(len(self.log), since + self.page_size) if self.page_size else len(self.log)
        body = ""
        for path in dict.fromkeys(self.log[since:until]):
            if path in self.cards:
                body += ok(path, f"<d:getetag>{self.etag(path)}</d:getetag>")
            elif token:
                body += status(path, "404 Not Found")
        if until < len(self.log):
            body += status(BOOK, "507 Insufficient Storage")
        return 207, body + f"<d:sync-token>{self.url}/sync/{until}</d:sync-token>"

    def card(self, href: str) -> str:
        path = next((each for each in self.cards if quote(each) == href), "")
        if not path:
            return status(unquote(href), "404 Not Found")
        text = escape(self.cards[path], {"\r": "&#13;"})
        return ok(path, f"<d:getetag>{self.etag(path)}</d:getetag><c:address-data>{text}</c:address-data>")


FOLDER = "<d:resourcetype><d:collection/></d:resourcetype>"


def ok(path: str, properties: str) -> str:
    """A response with these properties, and one that is not there."""
    found = f"<d:propstat><d:prop>{properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
    missing = "<d:propstat><d:prop><d:quota/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"
    return f"<d:response><d:href>{quote(path)}</d:href>{missing}{found}</d:response>"


def status(path: str, line: str) -> str:
    """A response about something as a whole."""
    return f"<d:response><d:href>{quote(path)}</d:href><d:status>HTTP/1.1 {line}</d:status></d:response>"


def wrapped(body: str) -> bytes:
    """A multistatus with its prefixes."""
    spaces = f'xmlns:d="{DAV}" xmlns:c="{CARD}"'
    return f'<?xml version="1.0" encoding="utf-8"?><d:multistatus {spaces}>{body}</d:multistatus>'.encode()


@contextmanager
def serving() -> Iterator[CardServer]:
    """The server on a free port of this machine."""
    cards = CardServer()

    class Handler(Quiet):
        protocol_version = "HTTP/1.1"

        def do_PROPFIND(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path, depth, root = unquote(self.path), self.headers.get("Depth", ""), markup.parsed(body)
            cards.asked.append((self.command, path, depth, root.tag))
            given = b64decode(self.headers.get("Authorization", "").removeprefix("Basic ")).decode()
            more: dict[str, str] = {}
            if cards.answers:
                status, content, more = cards.answers.pop(0)
            elif given != f"mia:{cards.password}":
                status, content = 401, b"who are you"
            else:
                status, text = cards.answer(self.command, path, depth, root)
                content = wrapped(text) if status == 207 else text.encode()
            self.send_response(status)
            for name, value in {**more, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.close_connection = True
            with suppress(OSError):  # who asked may have read enough
                self.wfile.write(content)

        do_REPORT = do_PROPFIND

    with http_server.serving(Handler) as port:
        cards.url = f"http://127.0.0.1:{port}"
        yield cards
