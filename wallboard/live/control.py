"""Word to every server process: some of its sockets lost a right, a TV has an order, or a feed missed something."""

import json
import logging
from collections.abc import Iterable

import redis
from django.conf import settings

from wallboard.live import connections

log = logging.getLogger(__name__)


def channel(url: str) -> str:
    """The pub/sub channel of these messages."""
    return connections.channel(url, "control")


def close_user(user_id: int) -> bool:
    """End this user's open sockets within seconds (signed out, role changed); False where Redis could not be told.

    Without Redis the sockets' own look at the database ends them within a minute.
    """
    return _send({"user": user_id})


def close_screen(screen_id: int) -> bool:
    """End this TV's open sockets within seconds (revoked, moved to another board); else as `close_user`."""
    return _send({"screen": screen_id})


def close_token(token_id: int) -> bool:
    """End the open streams of this program's token (revoked); else as `close_user`."""
    return _send({"token": token_id})


def close_embed(embed_id: int) -> bool:
    """End the open frames of this embed link (revoked); else as `close_user`."""
    return _send({"embed": embed_id})


def order_screen(screen_id: int, order: str, **more: object) -> bool:
    """Hand an order (`reload`, say) to the open pages of this TV; False where Redis could not be told."""
    return _send({"screen": screen_id, "order": {"order": order, **more}})


def publish_missed(feeds: Iterable[tuple[int, str]]) -> None:
    """Let every process compare these feeds (domain id, name) with the database. Raises redis.RedisError."""
    _publish({"missed": sorted(feeds)})


def _send(message: dict[str, object]) -> bool:
    try:
        _publish(message)
    except redis.RedisError as error:
        log.warning("Redis could not hand a word to the sockets (%s)", type(error).__name__)
        return False
    return True


def _publish(message: dict[str, object]) -> None:
    connections.client().publish(channel(settings.REDIS_URL), json.dumps(message))
