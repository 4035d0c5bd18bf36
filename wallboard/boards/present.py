"""Who has a board open in the editor right now, so that two people know of each other. Only Redis knows."""

import time

import redis

from wallboard.boards.models import Board
from wallboard.live import connections, publish

STAYS_SECONDS = 12  # four times as long as an editor waits before it says again that it is there
MOST = 20
BETWEEN = "\x1f"


def key_of(board: Board) -> str:
    return f"wallboard:editors:{{{board.domain_id}:{board.pk}}}"


def others(board: Board, tab: str, name: str) -> list[str]:
    """Say that this tab is here, and hear whose other tabs are; nobody while Redis is away."""
    if publish.breaker.is_pausing():
        return []
    now, key, own = time.time(), key_of(board), f"{tab}{BETWEEN}{name}"
    try:
        with connections.client().pipeline() as pipe:
            pipe.zadd(key, {own: now})
            pipe.zremrangebyscore(key, "-inf", now - STAYS_SECONDS)
            pipe.expire(key, STAYS_SECONDS)
            pipe.zrange(key, 0, MOST)
            present = pipe.execute()[-1]
    except redis.RedisError:
        return []
    return sorted({each.partition(BETWEEN)[2] for each in present if each.partition(BETWEEN)[0] != tab})


def leave(board: Board, tab: str, name: str) -> None:
    """This tab was closed."""
    try:
        connections.client().zrem(key_of(board), f"{tab}{BETWEEN}{name}")
    except redis.RedisError:
        return
