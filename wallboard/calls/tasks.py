"""Celery tasks: thin edges."""

from celery import shared_task

from wallboard.calls import sweeping
from wallboard.calls.subscriptions import rounds


@shared_task(ignore_result=True)
def check_subscriptions() -> None:
    """Compare the subscriptions that should be with those that are, and repair what differs."""
    rounds.check_all()


@shared_task(ignore_result=True)
def watch_for_silence() -> None:
    """Find call events that stopped while the polled figures go on."""
    rounds.watch_all()


@shared_task(ignore_result=True)
def sweep() -> None:
    """Apply, end and correct what deliveries left behind."""
    sweeping.sweep()


@shared_task(ignore_result=True)
def delete_expired() -> None:
    """Delete what is past its time."""
    sweeping.delete_expired()
