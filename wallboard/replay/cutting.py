"""What somebody may see of a recording: what they may see of the same feeds live, without people who are gone since.

It is the live filters that cut it, in a mirror as a server process has one for browsers with the same limit.
"""

import json
from dataclasses import dataclass

from accounts.access import Viewer
from accounts.models import Person
from wallboard.live.feeds import Feed, FeedFilter, encoded
from wallboard.live.mirror import Cut, Entry, Mirror
from wallboard.queues.models import Queue
from wallboard.replay.models import Departure
from wallboard.replay.patches import text_of
from wallboard.replay.stream import Change
from wallboard.sockets import socket_access
from wallboard.sockets.visibility import limited_feed

Texts = dict[str, str]  # JSON texts by key


@dataclass(frozen=True)
class Directory:
    """Who is at the company now: `shown` are the extensions of people whom boards show, `named` these and what else
    stands in calls by its name. `unnamed` are the names of people whom boards do not show, or who are deleted.
    """

    shown: frozenset[str]
    named: frozenset[str]
    unnamed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PastFilter:
    """What a viewer may see of a feed of the past."""

    kind: str
    live: FeedFilter | None
    directory: Directory

    def let_through(self, key: str, text: str) -> str:
        """The document as it may be seen; "" where it may not."""
        if self.live is not None:
            text = self.live.let_through(key, text)
        if not text or key == "events":
            return text
        if self.kind == "people":
            return self._without_colleague(text) if key in self.directory.shown else ""
        return self._without_hidden(text) if self.kind in ("calls", "wall") else text

    def _without_hidden(self, text: str) -> str:
        leg = json.loads(text)
        hidden = [leg[end] for end in ("from", "to") if leg[end]["extension"] not in self.directory.named]
        for end in hidden:
            end["name"] = ""
        return encoded(leg) if hidden else text

    def _without_colleague(self, text: str) -> str:
        person = json.loads(text) if self.directory.unnamed else {}
        return encoded(person | {"with": ""}) if person.get("with") in self.directory.unnamed else text


def feeds_for(viewer: Viewer, slug: str) -> list[Feed]:
    """The feeds of a board as this viewer may see them of the past. Raises socket_access.Refused."""
    found = directory(viewer.domain_id)
    return [
        Feed(feed.domain_id, feed.name, PastFilter(feed.name, limited_feed(viewer, feed).filter, found))
        for feed in socket_access.board_feeds(viewer, slug)
    ]


def mark(viewer: Viewer, feeds: list[Feed]) -> list[object]:
    """What decides how these feeds are cut: with the same mark a viewer sees the same."""
    found = next(each.filter.directory for each in feeds if isinstance(each.filter, PastFilter))
    limit = [None if each is None else sorted(each) for each in (viewer.limit.queues, viewer.limit.people)]
    people = [sorted(each) for each in (found.shown, found.named, found.unnamed)]
    return [viewer.role, limit, [feed.name for feed in feeds], *people]


def directory(domain_id: int) -> Directory:
    """The people of the company, and the numbers of its queues, which stand where people do in calls."""
    people = list(Person.objects.filter(domain_id=domain_id).values_list("extension", "name", "is_hidden"))
    queues = Queue.objects.filter(domain_id=domain_id).values_list("number", flat=True)
    shown = {extension: name for extension, name, is_hidden in people if not is_hidden}
    deleted = Departure.objects.filter(domain_id=domain_id).values_list("name", flat=True)
    hidden = {name for _extension, name, is_hidden in people if is_hidden}
    unnamed = {*deleted, *hidden} - {"", *shown.values()}
    return Directory(frozenset(shown), frozenset({"", *shown, *queues}), frozenset(unnamed))


class Cutter:
    """Follows changes of a feed and tells what a viewer sees of each."""

    def __init__(self, feed: Feed) -> None:
        self._mirror = Mirror(feed.filter)

    def whole(self, change: Change) -> Texts:
        """All that they see after a change that tells the feed anew."""
        assert change.documents is not None
        documents = {key: text_of(document) for key, document in change.documents.items()}
        self._mirror.adopt(Cut(True, documents, []))
        return dict(self._mirror.documents)

    def changed(self, change: Change) -> tuple[Texts, list[str]]:
        """What they see anew, and what no more."""
        assert change.documents is not None
        documents = {key: "" if each is None else text_of(each) for key, each in change.documents.items()}
        keys = list(self._mirror.apply(Entry("", "", documents)))
        held = self._mirror.documents
        return {key: held[key] for key in keys if key in held}, [key for key in keys if key not in held]
