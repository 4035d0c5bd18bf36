"""Which feeds may differ from the database: asked in a few queries for many companies, by marks, not by documents."""

import logging
from collections.abc import Sequence
from zlib import crc32

import redis
from django.utils import timezone

from wallboard.live.feeds import Feed
from wallboard.sockets import marks
from wallboard.sockets.sources import PARTS, TOLD, Sources

log = logging.getLogger(__name__)
WHOLE_ROUNDS = 240  # an hour of rounds: so often every feed is compared whatever its mark says
ROUND_SECONDS = 15


def doubtful(feeds: Sequence[Feed]) -> dict[Feed, str]:
    """The feeds to compare document by document, each with the mark to keep where nothing differs, "" for none.

    Raises redis.RedisError.
    """
    try:
        return _doubtful(feeds)
    except redis.RedisError:
        raise
    except Exception:  # whatever it is: then all of them are compared
        log.exception("The marks of feeds could not be compared")
        return dict.fromkeys(feeds, "")


def _doubtful(feeds: Sequence[Feed]) -> dict[Feed, str]:
    found = {feed: "" for feed in feeds if not _is_marked(feed)}
    asked = [feed for feed in feeds if feed not in found]
    # The feeds first: what the database says then is not older.
    held = marks.read(asked, TOLD)
    sources = Sources({feed.domain_id for feed in asked})
    for feed, marked in zip(asked, held, strict=True):
        digest = sources.digest(feed)
        is_equal = sources.is_steady(feed) and marked.agrees(digest, sources.told(feed))
        if not is_equal or _is_its_turn(feed):
            found[feed] = marked.mark_for(digest)
    return found


def _is_marked(feed: Feed) -> bool:
    """Whether the feed has marks at all: a desk is small, and what it holds depends on the time."""
    return feed.name.partition(":")[0] in PARTS


def _is_its_turn(feed: Feed) -> bool:
    """Once an hour, each at another time."""
    turn = int(timezone.now().timestamp() // ROUND_SECONDS)
    return crc32(f"{feed.domain_id}:{feed.name}".encode()) % WHOLE_ROUNDS == turn % WHOLE_ROUNDS
