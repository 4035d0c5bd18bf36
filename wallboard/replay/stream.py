"""The bytes of a span: a key frame and every change after it, as lines of JSON, compressed.

The first line is `[second, {feed: {key: patch from nothing} or null}]`; null is a feed that is not known. Each further
one is `[seconds since the line before, changes]`, where a change is `[feed, patch, key, key, …]` with the keys that
changed alike, `[feed, {key: patch from nothing}]` for a feed that is told anew, or `[feed]` for one that is not known
from then on. A span that still grows is a zlib stream without its end; one that is complete is packed tighter.
"""

import lzma
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from wallboard.replay import patches

Documents = dict[str, Any]
State = dict[str, Documents | None]  # by feed; None where it is not known
GROWING, COMPLETE = b"z", b"x"
# A window of all that a span holds: the same queue comes again after all others.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 4, "dict_size": 1 << 21}]


@dataclass(frozen=True)
class Change:
    """What is new of one feed at a second: documents by key (None: gone), all of them where `is_whole`.

    `documents` is None where the feed is not known from then on.
    """

    second: int
    feed: str
    documents: Mapping[str, Any] | None
    is_whole: bool = False


class Writer:
    """A span that grows. It knows what the feeds hold, so that it writes only what changes.

    `is_written` is set by whoever has committed all of it; more that is added takes it back.
    """

    def __init__(self, second: int, state: State) -> None:
        self.begins = self._second = second
        self.state = {feed: None if held is None else _without_gone(held) for feed, held in state.items()}
        self._lines: list[bytes] = []
        self._packer = zlib.compressobj()
        self._packed = bytearray(GROWING)
        self._is_packed = self.is_written = False
        self._add([second, {feed: None if held is None else _whole(held) for feed, held in self.state.items()}])
        self.key_size, self.size = len(self._lines[0]), 0

    def add(self, second: int, changes: list[Change]) -> None:
        """Write what is new at a second, not before the one written last; what is nothing new is not written."""
        line = [each for change in changes for each in self._taken(change)]
        if line:
            self._add([second - self._second, line])
            self.size += len(self._lines[-1])
            self._second = second

    def growing(self) -> bytes:
        """All of it so far, for a row that is written again soon."""
        if not self._is_packed:
            self._packed += self._packer.flush(zlib.Z_SYNC_FLUSH)
            self._is_packed = True
        return bytes(self._packed)

    def complete(self) -> bytes:
        """All of it, as small as it gets."""
        return COMPLETE + lzma.compress(b"".join(self._lines), lzma.FORMAT_XZ, lzma.CHECK_CRC32, filters=FILTERS)

    def _add(self, line: Any) -> None:
        self._lines.append(msgspec.json.encode(line) + b"\n")
        self._packed += self._packer.compress(self._lines[-1])
        self._is_packed = self.is_written = False

    def _taken(self, change: Change) -> Iterator[list[Any]]:
        held = self.state.get(change.feed)
        if change.documents is None:
            if held is not None or change.feed not in self.state:
                self.state[change.feed] = None
                yield [change.feed]
        elif held is None:
            self.state[change.feed] = new = _without_gone(change.documents)
            yield [change.feed, _whole(new)]
        else:
            gone = dict.fromkeys(held.keys() - change.documents.keys()) if change.is_whole else {}
            yield from _patches(change.feed, held, {**change.documents, **gone})


def _patches(feed: str, held: Documents, documents: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The changes of one feed, those that are alike in one; `held` follows."""
    alike: dict[bytes, list[Any]] = defaultdict(list)
    for key, new in documents.items():
        old = held.get(key)
        if old is new is None:
            continue
        change = patches.patch(old, new)
        if change == {}:  # as it was
            continue
        if new is None:
            del held[key]
        else:
            held[key] = new
        alike[msgspec.json.encode(change)].append(key)
    for text, keys in alike.items():
        yield [feed, msgspec.Raw(text), *keys]


def _without_gone(documents: Mapping[str, Any]) -> Documents:
    return {key: each for key, each in documents.items() if each is not None}


def _whole(documents: Documents) -> dict[str, patches.Patch]:
    return {key: patches.patch(None, document) for key, document in documents.items()}


def lines(data: bytes | memoryview) -> list[bytes]:
    """The lines of a span; of one that still grows all that was written."""
    packed = memoryview(data)[1:]
    whole = lzma.decompress(packed) if data[:1] == COMPLETE else zlib.decompressobj().decompress(packed)
    return whole.splitlines()


class Reader:
    """A span that is read, or some of its feeds: `state` is what they held at its begin, and follows the changes."""

    def __init__(self, data: bytes | memoryview, feeds: Collection[str] | None = None) -> None:
        first, *rest = lines(data)
        self.begins, whole = msgspec.json.decode(first)
        names = whole.keys() if feeds is None else whole.keys() & feeds
        self.state: State = {feed: None if whole[feed] is None else _documents(whole[feed]) for feed in names}
        self._lines = _timed(self.begins, rest, feeds)
        self._next = next(self._lines, None)

    def advance(self, second: int) -> None:
        """Follow all changes up to this second, before any of changes() was taken.

        Nobody is told of them, so the documents are changed where they are, which is cheaper than a copy for each.
        """
        while self._next is not None and self._next[0] <= second:
            for feed, *what in self._next[1]:
                _move_on(self.state, feed, what)
            self._next = next(self._lines, None)

    def changes(self) -> Iterator[Change]:
        """The changes that were not followed yet."""
        while self._next is not None:
            yield from self._follow_next()

    def _follow_next(self) -> Iterator[Change]:
        assert self._next is not None
        second, changes = self._next
        for feed, *what in changes:
            yield _follow(second, self.state, feed, what)
        self._next = next(self._lines, None)


def _timed(second: int, rest: list[bytes], feeds: Collection[str] | None) -> Iterator[tuple[int, list[Any]]]:
    for line in rest:
        since, changes = msgspec.json.decode(line)
        second += since
        yield second, changes if feeds is None else [change for change in changes if change[0] in feeds]


def _follow(second: int, state: State, feed: str, what: list[Any]) -> Change:
    if not what:
        state[feed] = None
        return Change(second, feed, None)
    change, *keys = what
    if not keys:
        state[feed] = new = _documents(change)
        return Change(second, feed, dict(new), is_whole=True)
    held = state[feed]
    assert held is not None  # a feed that is not known is told anew before it changes
    documents = {key: patches.applied(held.get(key), change) for key in keys}
    for key, document in documents.items():
        if document is None:
            held.pop(key, None)
        else:
            held[key] = document
    return Change(second, feed, documents)


def _move_on(state: State, feed: str, what: list[Any]) -> None:
    """As _follow(), for documents that only the state holds."""
    change, *keys = what or [None]
    if not keys:
        state[feed] = None if change is None else _documents(change)
        return
    held = state[feed]
    assert held is not None
    for key in keys:
        if isinstance(change, dict):
            patches.change_in_place(held[key], change)
        elif (document := patches.applied(None, change)) is None:
            held.pop(key, None)
        else:  # the keys that changed alike share it no longer
            held[key] = dict(document) if isinstance(document, dict) else document


def _documents(whole: Mapping[str, patches.Patch]) -> Documents:
    # Spans of earlier releases hold what was taken out of them as nothing.
    return _without_gone({key: patches.applied(None, each) for key, each in whole.items()})
