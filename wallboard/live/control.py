"""Word to every server process about some of its sockets: rights that changed close them, a TV gets an order."""

import json
import logging

import redis
from django.conf import settings

from wallboard.live import connections

log = logging.getLogger(__name__)


def channel(url: str) -> str:
    """The pub/sub channel of these words."""
    return connections.channel(url, "control")


def close_user(user_id: int) -> bool:
    """End this user's open sockets within seconds (signed out, role changed); False where Redis could not be told.

    Without Redis the sockets' own look at the database ends them within a minute.
    """
    return _say({"user": user_id})


def close_screen(screen_id: int) -> bool:
    """End this TV's open sockets within seconds (revoked, moved to another board); else as `close_user`."""
    return _say({"screen": screen_id})


def order_screen(screen_id: int, order: str, **more: object) -> bool:
    """Hand an order (`reload`, say) to the open pages of this TV; False where Redis could not be told."""
    return _say({"screen": screen_id, "order": {"order": order, **more}})


def _say(word: dict[str, object]) -> bool:
    try:
        connections.client().publish(channel(settings.REDIS_URL), json.dumps(word))
    except redis.RedisError as error:
        log.warning("Redis could not hand a word to the sockets (%s)", type(error).__name__)
        return False
    return True
