"""Whether a feed still is what it was when it was found equal to the database: a few bytes instead of all documents.

A mark says: this digest of the feed is equal to that of the database. It stays true whatever happens, and lies beside
the feed in Redis, so that a Redis that was emptied has none. Documents that change all the time have no part in it;
they are told one by one, as digests.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha1

from wallboard.live import connections
from wallboard.live.feeds import LIVES_SECONDS, Feed, encoded

AT_ONCE = 100  # feeds in one round trip: a server that is asked for more lets others wait
Told = dict[str, tuple[int, str]]  # key -> version, digest of the value


@dataclass(frozen=True, slots=True)
class Marked:
    """A feed as Redis holds it: `mark` is what was set last, `digest` is of all documents that are not `told`."""

    is_built: bool
    mark: str
    digest: str
    told: Told

    def agrees(self, sources: str, told: Told) -> bool:
        """Whether the feed holds what the database says: these documents, and the others as they were marked."""
        return self.is_built and self.mark == self.mark_for(sources) and self.told == told

    def mark_for(self, sources: str) -> str:
        """The mark of a feed that is as it is now, and equal to a database with that digest."""
        return f"{self.digest}:{sources}"


def digest(text: str) -> str:
    """The SHA-1 of a text, as the script counts it."""
    return sha1(text.encode(), usedforsecurity=False).hexdigest()


def told(documents: Iterable[tuple[str, int, object]]) -> Told:
    """Documents as the script tells them: (key, version, value)."""
    return {key: (version, digest(encoded(value))) for key, version, value in documents}


def read(feeds: Sequence[Feed], beginnings: Mapping[str, Sequence[str]]) -> list[Marked]:
    """How each of these feeds is marked, in their order; `beginnings` are those of the keys that are told, by the
    feed's name. Raises redis.RedisError.
    """
    found: list[Marked] = []
    for start in range(0, len(feeds), AT_ONCE):
        batch = connections.Batch()
        for feed in feeds[start : start + AT_ONCE]:
            batch.run("marks", [*feed.keys, feed.mark_key], [LIVES_SECONDS, *beginnings.get(feed.name, ())])
        found += [_marked(*answer) for answer in batch.execute()]
    return found


def keep(found: Mapping[Feed, str]) -> None:
    """Remember that each of these feeds was found equal to the database when both were so. Raises redis.RedisError."""
    with connections.client().pipeline(transaction=False) as pipeline:
        for feed, mark in found.items():
            pipeline.set(feed.mark_key, mark, ex=LIVES_SECONDS)
        pipeline.execute()


def _marked(is_built: int, mark: str, digest: str, told: list[str]) -> Marked:
    triples = zip(told[::3], told[1::3], told[2::3], strict=True)
    return Marked(bool(is_built), mark, digest, {key: (int(version or -1), each) for key, version, each in triples})
