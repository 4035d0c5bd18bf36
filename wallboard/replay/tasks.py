"""Celery tasks: thin edges."""

from celery import shared_task

from accounts import leases
from wallboard.replay import departures, retention

LEASE_SECONDS = 600


@shared_task(ignore_result=True)
def forget_old() -> None:
    """Delete what is past its time."""
    retention.forget_old()


@shared_task(ignore_result=True)
def forget_departed() -> None:
    """Take people who were deleted out of what was recorded; one worker at a time."""
    if lease := leases.acquire("forget departed", LEASE_SECONDS):
        with lease:
            departures.take_out()
