"""Celery tasks: thin edges."""

from celery import shared_task

from wallboard.calls import subscriptions, sweeping


@shared_task(ignore_result=True)
def check_subscriptions() -> None:
    """Compare the subscriptions that should be with those that are, and repair what differs."""
    subscriptions.check_all()


@shared_task(ignore_result=True)
def sweep() -> None:
    """Apply, end and correct what deliveries left behind."""
    sweeping.sweep()


@shared_task(ignore_result=True)
def forget_old() -> None:
    """Delete what is past its time."""
    sweeping.forget_old()
