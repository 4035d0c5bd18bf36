"""Celery tasks: thin edges."""

import logging
from functools import partial

import redis
from celery import shared_task

from accounts import leases
from wallboard.sockets import snapshots

log = logging.getLogger(__name__)
LEASE_SECONDS = 60


@shared_task(ignore_result=True)
def mend_feeds() -> None:
    """Bring every feed back to what the database says; one process at a time.

    The lease is renewed from feed to feed, and the time is watched there too: Celery's own limits end nothing in a
    worker that runs its tasks in threads.
    """
    held = leases.acquire("mend feeds", LEASE_SECONDS)
    if held is None:
        return
    with held:
        try:
            snapshots.mend_all(may_go_on=partial(held.renew, LEASE_SECONDS))
        except redis.RedisError as error:
            log.warning("Feeds could not be mended (%s)", type(error).__name__)
