"""Celery tasks: thin edges."""

import logging

import redis
from celery import shared_task

from accounts import leases
from wallboard.boards import sources

log = logging.getLogger(__name__)
LEASE_SECONDS = 60


@shared_task(ignore_result=True, soft_time_limit=LEASE_SECONDS - 10)
def mend_feeds() -> None:
    """Bring every feed back to what the database says; one process at a time."""
    held = leases.acquire("mend feeds", LEASE_SECONDS)
    if held is None:
        return
    try:
        sources.mend_all()
    except redis.RedisError as error:
        log.warning("Feeds could not be mended (%s)", type(error).__name__)
    finally:
        held.release()
