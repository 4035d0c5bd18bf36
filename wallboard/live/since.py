"""What feeds hold that is newer than what somebody knows of them, for followers who look now and then.

One round trip for all of them, with the time by the clock of Redis, which every machine can ask.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wallboard.live import connections
from wallboard.live.feeds import Feed

UNBUILT, SAME, CHANGED, WHOLE = 0, 1, 2, 3
MOST_COMPARED = 500  # feeds in one script: nobody else is answered meanwhile


@dataclass(frozen=True)
class News:
    """What is new of one feed. `documents` are JSON texts by key, "" where removed; all of them where `is_whole`."""

    is_built: bool = True
    is_whole: bool = False
    position: str = ""
    documents: dict[str, str] = field(default_factory=dict)


def read(asked: Iterable[tuple[Feed, str]]) -> tuple[float, list[News]]:
    """Redis' time in seconds, and what is new of each feed since the entry with that id ("" for nothing known).

    Raises redis.RedisError.
    """
    batch = connections.Batch()
    for feed, position in asked:
        batch.run("since", feed.keys, [position])
    # Last, so that nothing told here is newer than this moment.
    batch.run("time", [connections.clock_key()], [])
    *answers, (seconds, microseconds) = batch.execute()
    return int(seconds) + int(microseconds) / 1e6, [_news(*answer) for answer in answers]


def compare(known: Sequence[tuple[Feed, str]]) -> tuple[float, list[bool]]:
    """Redis' time in seconds, and of each feed whether its newest entry still has that id ("" where it is not built).

    Of many feeds in one round trip, and not on a cluster. Raises redis.RedisError.
    """
    batch = connections.Batch()
    for begin in range(0, len(known), MOST_COMPARED):
        part = known[begin : begin + MOST_COMPARED]
        batch.run("heads", [key for feed, _ in part for key in feed.head_keys], [position for _, position in part])
    batch.run("time", [connections.clock_key()], [])
    *answers, (seconds, microseconds) = batch.execute()
    return int(seconds) + int(microseconds) / 1e6, [each == "1" for answer in answers for each in answer]


def _news(kind: int, position: str = "", values: Iterable[str] = ()) -> News:
    pairs = iter(values)
    documents = dict(zip(pairs, pairs, strict=True))
    return News(kind != UNBUILT, kind == WHOLE, position, documents)
