"""A CardDAV server (RFC 6352): where its address book is, what changed in it (RFC 6578, else by ETags), and the cards.

Everything goes through the guard of notifications.outbound. The password is sent to the address that somebody entered
and nowhere else: what lies at another host is named and not asked.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit
from xml.sax.saxutils import escape  # only writes

from django.utils.translation import gettext as _

from wallboard.carddav import markup
from wallboard.carddav.answers import CARD, DAV, Listing, Page, Place, place_of, properties_of
from wallboard.carddav.markup import Element
from wallboard.notifications import outbound
from wallboard.notifications.channels.outcomes import NotSent

SECONDS = 20.0
MOST_BYTES = 12_000_000
AT_ONCE = 50  # cards of one question
MOST_PAGES = 200
MOST_CARDS = 20_000
MOST_BOOKS_NAMED = 5
LONGEST_PAUSE = 86_400
UNSUPPORTED = (400, 403, 404, 405, 415, 422, 501)
COLLECTION_PROPERTIES = (
    "<d:resourcetype/><d:displayname/><d:supported-report-set/><d:sync-token/>"
    "<d:current-user-principal/><c:addressbook-home-set/>"
)
SPACES = f'xmlns:d="{DAV}" xmlns:c="{CARD}"'


class Failed(Exception):
    """It cannot be read now; the text says why. `pause_seconds` is what the server asked for."""

    def __init__(self, text: str, pause_seconds: int = 0) -> None:
        super().__init__(text)
        self.pause_seconds = pause_seconds


class TooLarge(Failed):
    """An answer is larger than is read here."""


class _Declined(Exception):
    """The server does not do what was asked."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(str(status))
        self.status, self.body = status, body


class TokenExpired(Exception):
    """The server no longer knows what we had; all of it is to be listed again."""


@dataclass(frozen=True)
class Access:
    """Where an address book is, and who asks."""

    url: str = field(repr=False)
    username: str
    password: str = field(repr=False)

    def ask(self, method: str, path: str, body: str, depth: str, seconds: float = SECONDS) -> Element:
        """The multistatus that answers. Raises Failed, or _Declined where the server does not do that."""
        target = outbound.checked(self.url)
        if not path.startswith("/"):
            path = "/" + path
        credentials = b64encode(f"{self.username}:{self.password}".encode()).decode()
        headers = {
            "Authorization": f"Basic {credentials}",
            "Content-Type": 'application/xml; charset="utf-8"',
            "Accept": "application/xml, text/xml",
            "Depth": depth,
        }
        request = outbound.Request(method, target.origin + path, f'<?xml version="1.0"?>{body}'.encode(), headers)
        try:
            answer = outbound.send(request, seconds=seconds, most_bytes=MOST_BYTES)
        except NotSent as failure:
            raise Failed(str(failure)) from failure
        return self._read(answer)

    def _read(self, answer: outbound.Answer) -> Element:
        if answer.is_cut:
            raise TooLarge(_("The server's answer is too large."))
        if answer.status == 207:
            try:
                root = markup.parsed(answer.body)
            except markup.BadMarkup:
                raise Failed(_("The server's answer cannot be read.")) from None
            if root.tag != f"{{{DAV}}}multistatus":
                raise Failed(_("The server's answer cannot be read."))
            return root
        if answer.status == 401:
            raise Failed(_("The server does not accept the user name or the password."))
        if answer.status in (301, 302, 303, 307, 308):
            raise Failed(_("The address book has moved to %(url)s. Enter that address.") % {"url": _moved_to(answer)})
        if answer.status in (429, 503):
            raise Failed(_("The server asks for a pause."), _pause(answer))
        if answer.status in (*UNSUPPORTED, 409, 410, 412, 507):
            raise _Declined(answer.status, answer.body)
        raise Failed(_("The server answered %(words)s") % {"words": answer.in_words(self.url, self.password)})


def _moved_to(answer: outbound.Answer) -> str:
    found = next((value for name, value in answer.headers.items() if name.lower() == "location"), "")
    return re.split(r"[?#]", found)[0][:200]


def _pause(answer: outbound.Answer) -> int:
    found = next((value for name, value in answer.headers.items() if name.lower() == "retry-after"), "")
    return min(int(found), LONGEST_PAUSE) if found.isascii() and found.isdigit() and len(found) < 10 else 0


@dataclass(frozen=True)
class Collection:
    """An address book that was found: its path, its own name, and whether it tells what changed."""

    path: str
    name: str
    can_sync: bool


def find(access: Access, seconds: float = SECONDS) -> Collection:
    """The address book at the address, or the only one of the user who is asked for there. Raises Failed."""
    start = outbound.checked(access.url).path
    try:
        root = access.ask("PROPFIND", start, _propfind(COLLECTION_PROPERTIES), "0", seconds)
        about = next((properties_of(each) for each in root.all(f"{{{DAV}}}response")), Element(""))
        if found := _collection(start, about):
            return found
        return _only_one(list(_of_user(access, start, about, seconds)), access)
    except _Declined as declined:
        raise Failed(_("There is no address book at this address (%(status)s).") % {"status": declined}) from None


def _collection(path: str, about: Element) -> Collection | None:
    if about.first(f"{{{DAV}}}resourcetype", f"{{{CARD}}}addressbook") is None:
        return None
    reports = about.first(f"{{{DAV}}}supported-report-set")
    can_sync = (reports is not None and reports.has(f"{{{DAV}}}sync-collection")) or bool(
        about.text_at(f"{{{DAV}}}sync-token")
    )
    return Collection(path, about.text_at(f"{{{DAV}}}displayname"), can_sync)


def _of_user(access: Access, start: str, about: Element, seconds: float) -> Iterator[Collection]:
    """The address books of whoever asks: by the way over the principal and its home (RFC 6352, 7.1.1)."""
    home = about.text_at(f"{{{CARD}}}addressbook-home-set", f"{{{DAV}}}href")
    principal = about.text_at(f"{{{DAV}}}current-user-principal", f"{{{DAV}}}href")
    if not home and principal:
        root = access.ask("PROPFIND", _path(access, start, principal), _propfind(COLLECTION_PROPERTIES), "0", seconds)
        for each in root.all(f"{{{DAV}}}response"):
            home = home or properties_of(each).text_at(f"{{{CARD}}}addressbook-home-set", f"{{{DAV}}}href")
    if not home:
        return
    path = _path(access, start, home)
    root = access.ask("PROPFIND", path, _propfind(COLLECTION_PROPERTIES), "1", seconds)
    for each in root.all(f"{{{DAV}}}response"):
        place = place_of(access.url, path, each)
        found = _collection(place.path, properties_of(each)) if place is not None else None
        if found is not None:
            yield found


def _path(access: Access, start: str, href: str) -> str:
    """The path of a reference of the server. Raises Failed where it leads to another host."""
    origin = outbound.checked(access.url).origin
    try:
        url = urljoin(origin + start, href)
        is_ours = outbound.checked(url).origin == origin
    except (outbound.Refused, ValueError):  # the latter where it is no address at all
        url, is_ours = href, False
    if not is_ours:
        raise Failed(_("The address book has moved to %(url)s. Enter that address.") % {"url": url[:200]})
    return urlsplit(url).path or "/"


def _only_one(found: list[Collection], access: Access) -> Collection:
    if not found:
        raise Failed(_("There is no address book at this address."))
    if len(found) > 1:
        origin = outbound.checked(access.url).origin
        urls = " ".join(origin + each.path for each in found[:MOST_BOOKS_NAMED])
        raise Failed(_("There are several address books. Enter the address of one of them: %(urls)s") % {"urls": urls})
    return found[0]


def changed_since(access: Access, collection: Collection, token: str) -> Listing:
    """What changed since that token, everything for none. Raises Failed or TokenExpired."""
    places: dict[str, Place] = {}
    gone: set[str] = set()
    fresh = token
    for _page in range(MOST_PAGES):
        page = _sync_page(access, collection, fresh)
        places.update(page.places)
        gone = (gone - page.places.keys()) | page.gone
        for digest in page.gone:
            places.pop(digest, None)
        if len(places) > MOST_CARDS:
            raise too_many()
        if not page.is_cut:
            return Listing(places, frozenset(gone), page.token, is_whole=not token)
        if page.token == fresh:
            break
        fresh = page.token
    raise TooLarge(_("The server's answer is too large."))


def too_many() -> Failed:
    """What is said of a book with more cards than are followed."""
    return Failed(_("The address book has more than %(most)d entries.") % {"most": MOST_CARDS})


def _page(access: Access, collection: Collection, root: Element) -> Page:
    page = Page.of(access.url, collection.path, root)
    if page.is_elsewhere:
        raise Failed(_("The server lists entries at another host. Enter the address of that host."))
    return page


def _sync_page(access: Access, collection: Collection, token: str) -> Page:
    body = (
        f"<d:sync-collection {SPACES}><d:sync-token>{escape(token)}</d:sync-token>"
        "<d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>"
    )
    try:
        root = access.ask("REPORT", collection.path, body, "0")
    except _Declined as declined:
        # Servers say it in several ways; from the beginning is right in any case.
        if token:
            raise TokenExpired from None
        if declined.status in UNSUPPORTED:
            return Page({}, frozenset(), "", is_cut=False, is_unknown=True)
        raise Failed(_("The server answered %(words)s") % {"words": declined}) from None
    return _page(access, collection, root)


def everything(access: Access, collection: Collection) -> Listing:
    """All entries with their ETags, for servers that cannot tell what changed. Raises Failed."""
    body = _propfind("<d:resourcetype/><d:getetag/>")
    try:
        root = access.ask("PROPFIND", collection.path, body, "1")
    except _Declined as declined:
        raise Failed(_("There is no address book at this address (%(status)s).") % {"status": declined}) from None
    page = _page(access, collection, root)
    if len(page.places) > MOST_CARDS:
        raise too_many()
    if page.is_cut:  # what is not listed is not gone
        raise Failed(_("The server does not list all of its entries."))
    return Listing(page.places, frozenset(), "", is_whole=True)


def listing(access: Access, collection: Collection, token: str) -> Listing:
    """What changed since the token, or everything where the server does not tell or no longer knows it."""
    if not collection.can_sync:
        return everything(access, collection)
    for each in dict.fromkeys((token, "")):
        try:
            found = changed_since(access, collection, each)
        except TokenExpired:
            continue
        if found.token:
            return found
    return everything(access, collection)


def cards(access: Access, collection: Collection, places: Iterable[Place]) -> dict[str, tuple[str, str]]:
    """ETag and text by digest of those that are handed out; one that is too large has no text. Raises Failed."""
    wanted = list(places)
    hrefs = "".join(f"<d:href>{escape(each.href)}</d:href>" for each in wanted)
    about = "<d:prop><d:getetag/><c:address-data/></d:prop>"
    body = f"<c:addressbook-multiget {SPACES}>{about}{hrefs}</c:addressbook-multiget>"
    try:
        root = access.ask("REPORT", collection.path, body, "0")
    except TooLarge:
        if len(wanted) == 1:
            return {wanted[0].digest: (wanted[0].etag, "")}
        middle = len(wanted) // 2
        return cards(access, collection, wanted[:middle]) | cards(access, collection, wanted[middle:])
    except _Declined as declined:
        raise Failed(_("The server does not hand out its entries (%(status)s).") % {"status": declined}) from None
    asked = {each.digest: each for each in wanted}
    found = {}
    for each in root.all(f"{{{DAV}}}response"):
        place = place_of(access.url, collection.path, each)
        told = properties_of(each)
        if place is not None and place.digest in asked and told.first(f"{{{CARD}}}address-data") is not None:
            etag = told.text_at(f"{{{DAV}}}getetag")[:200] or asked[place.digest].etag
            found[place.digest] = (etag, told.text_at(f"{{{CARD}}}address-data"))
    return found


def _propfind(properties: str) -> str:
    return f"<d:propfind {SPACES}><d:prop>{properties}</d:prop></d:propfind>"
