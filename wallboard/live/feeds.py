"""Feeds: a named audience in a domain, as a map of versioned documents plus an ordered log of what changed.

An entry's id is `<number>-<nonce>`: the number grows by one, the nonce is random. An id is therefore known again only
by a log that really holds it, and a log that was lost, restored or written anew refuses it. Followers behind a filter
get it as `<number>-<nonce>.<digest of the filter>`.
"""

import json
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from hashlib import sha1
from typing import Any, Protocol, overload

import msgspec
from django.conf import settings
from msgspec import inspect

from wallboard.live import connections

Documents = Mapping[str, tuple[int, Any]]

# How many entries a browser may have missed and still get just what changed; beyond that it gets all.
LOG_LENGTH = 1000
# A document that arrives late must not bring back what was removed meanwhile.
REMEMBER_REMOVALS_SECONDS = 3600
# Feeds of deleted boards and companies end by themselves; each look at a feed keeps it alive.
LIVES_SECONDS = 7 * 86_400
NEWER = "newer"


@overload
def milliseconds(moment: None) -> None: ...
@overload
def milliseconds(moment: datetime) -> int: ...
def milliseconds(moment: datetime | None) -> int | None:
    """A moment as documents write it: whole milliseconds since 1970 UTC, the nearest; none as none."""
    return None if moment is None else round(moment.timestamp() * 1000)


class FeedFilter(Protocol):
    """What some may see of a feed.

    A frozen dataclass: browsers with equal filters share one copy of the feed, and its fields say which filter it is.
    """

    def let_through(self, key: str, text: str) -> str:
        """The document (JSON text) as they may see it; "" where they may not."""


@dataclass(frozen=True, slots=True)  # there are four for each open browser
class Feed:
    """One audience of one domain, such as `queues` or `desk:101`; all of it, or what a filter lets through."""

    domain_id: int
    name: str
    filter: FeedFilter | None = None

    @property
    def keys(self) -> list[str]:
        """The Redis keys of this feed, in the order that the scripts expect."""
        return [f"{self._stem}:{part}" for part in ("versions", "values", "log", "removed", "built")]

    @property
    def head_keys(self) -> list[str]:
        """The keys that heads.lua looks at."""
        stem = self._stem
        return [f"{stem}:built", f"{stem}:log"]

    @property
    def mark_key(self) -> str:
        """The key of the mark beside it (marks.py)."""
        return f"{self._stem}:mark"

    @property
    def _stem(self) -> str:
        # The braces keep the keys of a feed on one node of a Redis Cluster: a script may touch no other.
        return f"wallboard:feed:{{{self.domain_id}:{self.name}}}"

    @property
    def filter_digest(self) -> str:
        """Which filter this is, in eight characters, alike in all processes; "" for the whole feed."""
        if self.filter is None:
            return ""
        # Sets have another order in each process.
        fields = msgspec.json.encode(self.filter, order="deterministic")
        return sha1(fields, usedforsecurity=False).hexdigest()[:8]

    @property
    def is_urgent(self) -> bool:
        """Whether its news is never held back to be merged."""
        # A phone rings for somebody: a tenth of a second counts here, and only one person gets it.
        return self.name.startswith("desk:")

    def channel(self, url: str) -> str:
        """The pub/sub channel that carries this feed's entries."""
        return connections.news_channel(url, f"{self.domain_id}:{self.name}")

    def publish(self, documents: Documents) -> str | None:
        """Store and publish what is newer than the feed holds; `None` as a value removes.

        Gives the new entry's id, or None where nothing changed. Raises redis.RedisError.
        """
        return self.change(newer(documents))

    def change(
        self,
        changes: Iterable[tuple[str, int, Any, str]],
        *,
        is_whole: bool = False,
        through: connections.Batch | None = None,
    ) -> str | None:
        """Publish (key, version, value, expected), as publish.lua says; `is_whole` marks the feed as built.

        Where it goes `through` a batch, nothing is known or published before that is executed.
        """
        fields: list[str] = []
        for key, version, value, expected in changes:
            fields += [key, str(version), encoded(value), expected]
        if not fields and not is_whole:
            return None
        # Keep this order in step with publish.lua.
        url = settings.REDIS_URL
        fixed = [LOG_LENGTH, REMEMBER_REMOVALS_SECONDS, LIVES_SECONDS, int(is_whole), connections.announcement(url)]
        # As one piece: redis-py takes longer for each argument than all else here does.
        arguments = [self.channel(url), secrets.randbits(32), *fixed, msgspec.msgpack.encode(fields)]
        entry_id: str | None = (through.run if through else connections.run)("publish", self.keys, arguments)
        return entry_id

    def versions(self) -> "Held":
        """What the feed holds now, without the values. Raises redis.RedisError."""
        return versions([self])[self]


@dataclass(frozen=True)
class Held:
    """The versions a feed holds, removals still remembered included, and the digests of the values it has."""

    is_built: bool
    versions: dict[str, int]
    digests: dict[str, str]

    def holds(self, key: str, version: int, value: Any) -> bool:
        """Whether the feed has this very document; a value of None is one that it should not have."""
        if value is None:
            return key not in self.digests
        # Each process calculates it by itself, a moment earlier or later: what was told first holds.
        if getattr(value, "is_first_kept", False) and self.versions.get(key) == version and key in self.digests:
            return True
        # By value too: a database that was restored counts the same versions up again with other values.
        digest = sha1(encoded(value).encode(), usedforsecurity=False).hexdigest()
        return self.versions.get(key) == version and self.digests.get(key) == digest


def versions(feeds: Iterable[Feed]) -> dict[Feed, Held]:
    """What these feeds hold now, without the values, in one round trip. Raises redis.RedisError."""
    asked, batch = list(feeds), connections.Batch()
    for feed in asked:
        batch.run("versions", feed.keys, [LIVES_SECONDS])
    return {feed: _held(*answer) for feed, answer in zip(asked, batch.execute(), strict=True)}


def _held(built: int, versions: list[str], digests: list[str]) -> Held:
    pairs = zip(versions[::2], versions[1::2], strict=True)
    held = dict(zip(digests[::2], digests[1::2], strict=True))
    return Held(bool(built), {key: int(version) for key, version in pairs}, held)


def newer(documents: Documents) -> list[tuple[str, int, Any, str]]:
    """These documents as changes that count only where they are newer."""
    return [(key, version, value, NEWER) for key, (version, value) in documents.items()]


def encoded(value: Any) -> str:
    """A document as JSON text; empty for a removal. Raises ValueError for NaN and infinities."""
    if value is None:
        return ""
    # Several times as quick, but it would make null of NaN.
    if isinstance(value, msgspec.Struct) and is_without_fractions(type(value)):
        return msgspec.json.encode(value).decode()
    # No NaN: browsers cannot parse it, and would lose the whole frame. Letters as msgspec writes them: a recording
    # knows a document by its text.
    text = _dumps(value, ensure_ascii=False)
    return text if text.isascii() or not SURROGATE.search(text) else _dumps(value)


_dumps = partial(json.dumps, separators=(",", ":"), allow_nan=False, default=msgspec.to_builtins)
SURROGATE = re.compile("[\ud800-\udfff]")  # half a letter, which is none in UTF-8


@cache
def is_without_fractions(kind: type[msgspec.Struct]) -> bool:
    """Whether no part of such a document can be a float."""
    return all(_is_whole(field.type) for field in _struct_of(kind).fields)


def _struct_of(kind: type[msgspec.Struct]) -> inspect.StructType:
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return found


def _is_whole(part: inspect.Type) -> bool:
    """The same of one of its parts; of a kind that is not known here nobody can tell."""
    if isinstance(part, inspect.UnionType):
        return all(map(_is_whole, part.types))
    if isinstance(part, inspect.ListType):
        return _is_whole(part.item_type)
    if isinstance(part, inspect.StructType):
        return is_without_fractions(part.cls)
    return isinstance(part, inspect.StrType | inspect.IntType | inspect.BoolType | inspect.NoneType)


def queues(domain_id: int) -> Feed:
    """Figures of the queues."""
    return Feed(domain_id, "queues")


def people(domain_id: int) -> Feed:
    """What each person's phone is doing."""
    return Feed(domain_id, "people")


def calls(domain_id: int) -> Feed:
    """Live calls with their numbers, for supervisors."""
    return Feed(domain_id, "calls")


def wall(domain_id: int) -> Feed:
    """Live calls without numbers, for TVs and agents."""
    return Feed(domain_id, "wall")


def of_calls(domain_id: int) -> tuple[Feed, Feed, Feed]:
    """The feeds that show everybody's calls."""
    return people(domain_id), calls(domain_id), wall(domain_id)


def desk(domain_id: int, extension: str) -> Feed:
    """What rings for one person."""
    return Feed(domain_id, f"desk:{extension}")


def alerts(domain_id: int) -> Feed:
    """What needs a person now."""
    return Feed(domain_id, "alerts")


def board(domain_id: int, board_id: int) -> Feed:
    """How one board is laid out."""
    return Feed(domain_id, f"board:{board_id}")
