"""Who has a board open in the editor right now, so that two people know of each other. Stored in Redis only."""

import time

import redis

from wallboard.boards.models import Board
from wallboard.live import connections, publish

ONLINE_SECONDS = 12  # four times as long as an editor waits before it says again that it is there
MAX_EDITORS = 20
SEPARATOR = "\x1f"  # after the tab's id, which has letters and digits only


def key_of(board: Board) -> str:
    return f"wallboard:editors:{{{board.domain_id}:{board.pk}}}"


def other_editors(board: Board, tab: str, name: str) -> list[str]:
    """Register this tab, and list the names behind the other tabs; nobody while Redis is away."""
    # Redis did not answer just now: the editor asks every few seconds and must not hang each time.
    if publish.breaker.is_pausing():
        return []
    now, key, own = time.time(), key_of(board), f"{tab}{SEPARATOR}{name}"
    try:
        with connections.client().pipeline() as pipe:
            pipe.zadd(key, {own: now})
            pipe.zremrangebyscore(key, "-inf", now - ONLINE_SECONDS)
            pipe.expire(key, ONLINE_SECONDS)  # a board that nobody edits leaves no key behind
            pipe.zrange(key, 0, MAX_EDITORS)
            present = pipe.execute()[-1]
    except redis.RedisError:
        return []
    return sorted({each.partition(SEPARATOR)[2] for each in present if each.partition(SEPARATOR)[0] != tab})


def leave(board: Board, tab: str, name: str) -> None:
    """This tab was closed."""
    try:
        connections.client().zrem(key_of(board), f"{tab}{SEPARATOR}{name}")
    except redis.RedisError:
        return
