"""A server process's copy of one feed: its documents, the id it stands at, and which keys changed at each entry.

Everything that a browser gets is served from here, so a thousand reconnecting browsers cost Redis nothing. No I/O.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wallboard.live.feeds import LOG_LENGTH, FeedFilter

LONGEST_ID = 20  # digits; Redis counts to 64 bits, and Python refuses to read thousands of digits


@dataclass(frozen=True)
class Entry:
    """One entry of a feed's log: the id before it, and the changed documents as JSON text ("" where removed)."""

    id: str
    previous: str
    documents: dict[str, str]


@dataclass(frozen=True)
class Cut:
    """A whole feed as Redis held it at one moment; `log` has (id, changed keys), oldest first."""

    is_built: bool
    documents: dict[str, str]
    log: list[tuple[str, list[str]]]

    @property
    def position(self) -> str:
        """The id of the newest entry; "" where the feed has none."""
        return self.log[-1][0] if self.log else ""


def number(entry_id: str) -> int:
    """The place of an entry in its log; 0 where the text is no id."""
    head = entry_id.partition("-")[0]
    return int(head) if head.isascii() and head.isdigit() and len(head) <= LONGEST_ID else 0


class Mirror:
    """The copy. It starts empty, takes a cut, and then follows entry by entry.

    With a filter it holds and tells only what that lets through: what is held back is not in here at all.
    """

    def __init__(self, feed_filter: FeedFilter | None = None) -> None:
        self.position = ""
        self.documents: dict[str, str] = {}
        self._filter = feed_filter
        self._log: deque[tuple[str, Iterable[str] | None]] = deque(maxlen=LOG_LENGTH)

    def adopt(self, cut: Cut) -> set[str]:
        """Become what the cut says, whatever was held before; gives the keys whose documents differ."""
        before, self.documents = self.documents, self._let_through(cut.documents)
        self.position = cut.position
        # Behind a filter nobody can say any more which of the removed documents had been shown: keys that are None.
        self._log = deque(((each, None if self._filter else keys) for each, keys in cut.log), maxlen=LOG_LENGTH)
        common = before.keys() & self.documents.keys()
        return (before.keys() ^ self.documents.keys()) | {key for key in common if before[key] != self.documents[key]}

    def follows(self, entry: Entry) -> bool:
        """Whether the entry is the very next one."""
        return entry.previous == self.position

    def apply(self, entry: Entry) -> Iterable[str]:
        """Take the next entry; gives the keys that it changed."""
        documents = entry.documents if self._filter is None else self._filtered(entry.documents)
        for key, text in documents.items():
            if text:
                self.documents[key] = text
            else:
                self.documents.pop(key, None)
        self._log.append((entry.id, documents.keys()))
        self.position = entry.id
        return documents.keys()

    def _let_through(self, documents: dict[str, str]) -> dict[str, str]:
        feed_filter = self._filter
        if feed_filter is None:
            return documents
        return {key: text for key, whole in documents.items() if (text := feed_filter.let_through(key, whole))}

    def _filtered(self, changes: Mapping[str, str]) -> dict[str, str]:
        """These changes as one sees them behind the filter: what is hidden from now on is removed, if it was shown."""
        seen = self._let_through({key: text for key, text in changes.items() if text})
        return {key: seen.get(key, "") for key in changes if key in seen or key in self.documents}

    def knows(self, entry_id: str) -> bool:
        """Whether the log still holds this entry."""
        # From the end: nearly always it is one of the newest.
        return any(known == entry_id for known, _ in reversed(self._log))

    def is_behind(self, entry_id: str) -> bool:
        """Whether the id looks newer than anything seen here; it may also be from a history that was lost."""
        return number(entry_id) > number(self.position)

    def changed_since(self, entry_id: str) -> set[str] | None:
        """The keys that changed after that entry; None where the log does not hold it or them (any more)."""
        keys: set[str] = set()
        for known, changed in reversed(self._log):
            if known == entry_id:
                return keys
            if changed is None:
                return None
            keys.update(changed)
        return None
