"""A company whose feeds are recorded look by look, at seconds that the test says."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from accounts import leases
from wallboard.live import connections, since
from wallboard.live.feeds import Feed
from wallboard.replay.patches import text_of
from wallboard.replay.reading import Passage
from wallboard.replay.recorder import LEASE_SECONDS, Recorder
from wallboard.replay.tracks import feeds_of

NOON = 1_795_000_000
Texts = dict[str, str]


@dataclass
class Recorded:
    """`looks` is what the feeds held at each look, as JSON texts."""

    domain_id: int
    feeds: list[Feed]
    recorder: Recorder
    looks: dict[int, dict[str, Texts]] = field(default_factory=dict)

    def look(self, second: int) -> None:
        """Look at all feeds as if it were that second."""
        _, news = since.read(self.recorder.asked(self.feeds))
        self.recorder.take(second + 0.4, {feed.name: each for feed, each in zip(self.feeds, news, strict=True)})
        self.looks[second] = {feed.name: texts_in_redis(feed) for feed in self.feeds}


def recorded(domain_id: int, boards: tuple[int, ...] = ()) -> Recorded:
    """A recorder that holds the company's lease and has not looked yet; all feeds are built."""
    feeds = feeds_of(domain_id, boards)
    for feed in feeds:
        feed.change([], is_whole=True)
    return Recorded(domain_id, feeds, new_recorder(domain_id))


def new_recorder(domain_id: int) -> Recorder:
    lease = leases.acquire(f"record:{domain_id}", LEASE_SECONDS)
    assert lease is not None
    return Recorder(domain_id, lease)


def texts_in_redis(feed: Feed) -> Texts:
    found: Texts = connections.client().hgetall(feed.keys[1])  # type: ignore[assignment]
    return found


def replayed(domain_id: int, name: str, second: int, end: int | None = None) -> list[Texts | None]:
    """What a feed held at the second, and after each change until the end, as JSON texts."""
    held: Texts | None = None
    found: dict[int, Texts | None] = {}
    for change in Passage(domain_id, [name], second, end or second + 1).changes():
        if change.documents is None:
            held = None
        else:
            old = {} if change.is_whole or held is None else held
            told = {key: None if each is None else text_of(each) for key, each in change.documents.items()}
            held = {key: text for key, text in {**old, **told}.items() if text is not None}
        found[change.second] = held
    return list(found.values())


def told(answer: Any) -> dict[str, Any]:
    """A JSON answer of the site."""
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = json.loads(answer.content)
    return found


def queue(waiting: int, longest: int | None = None, **other: Any) -> Mapping[str, Any]:
    """A document of the feed `queues`."""
    return {"waiting": waiting, "longest_wait": longest, "average_wait": 1.5, "agents": 3, "level": "normal", **other}
