"""When a task is too late to be worth running, by one clock: that of Redis, which carries the tasks.

Celery writes the sender's time into a message and compares it with the worker's: a worker whose clock is some seconds
ahead would discard every poll, and say nothing. So the time of expiry is taken out of the message and put in by Redis'.
"""

import logging
from datetime import UTC, datetime
from typing import Any

import redis
from celery import Task
from celery.signals import before_task_publish

from wallboard.live import clocks

log = logging.getLogger(__name__)
STALE_AT = "stale_at"  # a header of ours: seconds since 1970 by Redis' clock


@before_task_publish.connect
def by_redis(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Let the message expire by Redis' clock instead of the worker's; as it was where Redis cannot be asked."""
    if not headers or not headers.get("expires"):
        return
    # The same clock wrote it a moment ago, so the difference is right, however wrong the clock.
    left = (datetime.fromisoformat(headers["expires"]) - datetime.now(UTC)).total_seconds()
    try:
        headers[STALE_AT] = clocks.redis_time() + left
    except redis.RedisError:
        return
    headers["expires"] = None


class ExpiringTask(Task):  # type: ignore[type-arg]
    """The base of all tasks: one that comes too late is not run, the next one does its work."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.is_stale():
            log.info("%s came too late", self.name)
            return None
        if self.request.called_directly:
            return super().__call__(*args, **kwargs)
        # Inside the request of the message, which the base's own __call__ would cover with an empty one.
        return self.run(*args, **kwargs)

    def is_stale(self) -> bool:
        """Whether the message that is being worked on is too old; where Redis cannot be asked, it is not."""
        stale_at = self.request.get(STALE_AT)
        if stale_at is None:
            return False
        try:
            return clocks.redis_time() > float(stale_at)
        except redis.RedisError:
            return False
