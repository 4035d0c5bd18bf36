"""Celery tasks: thin edges."""

import logging
from functools import partial

import redis
from celery import shared_task

from accounts import leases
from accounts.spreading import companies
from wallboard.sockets import snapshots
from wallboard.sockets.comparing import ROUND_SECONDS

log = logging.getLogger(__name__)
LEASE, LEASE_SECONDS = "mend feeds", 20  # who is killed while mending keeps all others from it for so long


@shared_task(ignore_result=True)
def mend_feeds() -> None:
    """Bring every feed back to what the database says; many companies are shared out between workers."""
    companies.share_out(mend_share, ROUND_SECONDS)


@shared_task(ignore_result=True)
def mend_share(domain_ids: list[int]) -> None:
    """Mend the feeds of these companies; one process at a time, by the first of them.

    The lease is renewed from feed to feed, and the time is watched there too: Celery's own limits end nothing in a
    worker that runs its tasks in threads.
    """
    held = leases.acquire(f"{LEASE} {min(domain_ids, default=0)}", LEASE_SECONDS)
    if held is None:
        return
    with held:
        try:
            snapshots.mend_all(may_go_on=partial(held.renew, LEASE_SECONDS), domain_ids=domain_ids)
        except redis.RedisError as error:
            log.warning("Feeds could not be mended (%s)", type(error).__name__)
