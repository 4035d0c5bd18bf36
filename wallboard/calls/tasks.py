"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.spreading import companies
from wallboard.calls import sweeping
from wallboard.calls.subscriptions import rounds

SWEEP_SECONDS = 15  # between two of these (wallboard/settings.py)


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
    sweeping.take_over()
    companies.share_out(sweep_share, SWEEP_SECONDS)


@shared_task(ignore_result=True)
def sweep_share(domain_ids: list[int]) -> None:
    """End and correct what time left behind at these companies."""
    sweeping.sweep(domain_ids)


@shared_task(ignore_result=True)
def delete_expired() -> None:
    """Delete what is past its time."""
    sweeping.delete_expired()
