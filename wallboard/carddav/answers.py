"""What stands in a multistatus (RFC 4918, 6578): entries by their addresses, and which are gone."""

import hashlib
from dataclasses import dataclass
from typing import Self
from urllib.parse import unquote, urljoin, urlsplit

from wallboard.carddav.markup import Element

DAV = "DAV:"
CARD = "urn:ietf:params:xml:ns:carddav"
LONGEST_ETAG = 200
CUT = 507  # of the collection itself: there is more


@dataclass(frozen=True)
class Place:
    """An entry on the server: its reference as the server wrote it, its path, and its version."""

    href: str
    path: str
    etag: str = ""

    @property
    def digest(self) -> str:
        """By what it is known here, however the server writes it."""
        return hashlib.sha256(unquote(self.path).encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True)
class Listing:
    """Entries that are new or changed, and the digests of those that are gone; all that is there where `is_whole`."""

    places: dict[str, Place]
    gone: frozenset[str]
    token: str
    is_whole: bool


@dataclass(frozen=True)
class Page:
    """One answer of a listing; `is_cut` where the server has more to tell, `is_elsewhere` where an entry has an address
    at another host, so that nobody knows which of ours it is.
    """

    places: dict[str, Place]
    gone: frozenset[str]
    token: str
    is_cut: bool
    is_unknown: bool = False
    is_elsewhere: bool = False

    @classmethod
    def of(cls, url: str, base: str, root: Element) -> Self:
        """What a multistatus lists of the collection at `base`; its sub-collections are left out."""
        places: dict[str, Place] = {}
        gone, is_cut, is_elsewhere, own = set(), False, False, unquote(base).rstrip("/")
        for response in root.all(f"{{{DAV}}}response"):
            place, status = place_of(url, base, response), status_of(response)
            if place is None:
                is_elsewhere = True
                continue
            if unquote(place.path).rstrip("/") == own:
                is_cut = is_cut or status == CUT
                continue
            about = properties_of(response)
            is_folder = about.first(f"{{{DAV}}}resourcetype", f"{{{DAV}}}collection") is not None
            if status == 404:
                gone.add(place.digest)
            elif status in (0, 200) and not is_folder and not place.path.endswith("/"):
                etag = about.text_at(f"{{{DAV}}}getetag")[:LONGEST_ETAG]
                places[place.digest] = Place(place.href, place.path, etag)
        token = root.text_at(f"{{{DAV}}}sync-token")
        return cls(places, frozenset(gone), token, is_cut, is_elsewhere=is_elsewhere)


def place_of(url: str, base: str, response: Element) -> Place | None:
    """Where the entry of a response is; None for one at another host than `url`.

    Behind a proxy servers write another scheme or port than they are asked at: nothing is ever asked there.
    """
    href = response.text_at(f"{{{DAV}}}href")
    try:
        asked = urlsplit(url)
        found = urlsplit(urljoin(f"{asked.scheme}://{asked.netloc}{base}", href))
    except ValueError:
        return None
    is_ours = found.hostname == asked.hostname and found.scheme in ("http", "https")
    return Place(href, found.path) if href and is_ours else None


def status_of(response: Element) -> int:
    """The status of a response as a whole; 0 where it has one for each property."""
    return _code(response.text_at(f"{{{DAV}}}status"))


def properties_of(response: Element) -> Element:
    """The properties that were found."""
    for each in response.all(f"{{{DAV}}}propstat"):
        if _code(each.text_at(f"{{{DAV}}}status")) in (0, 200):
            return each.first(f"{{{DAV}}}prop") or Element("")
    return Element("")


def _code(line: str) -> int:
    """The number of a status line, such as that of HTTP/1.1 404 Not Found."""
    words = line.split()
    return int(words[1]) if len(words) > 1 and words[1].isdecimal() and len(words[1]) == 3 else 0
