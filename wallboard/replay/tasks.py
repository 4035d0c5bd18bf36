"""Celery tasks: thin edges."""

from celery import shared_task


@shared_task(ignore_result=True)
def forget_old() -> None:
    """Delete what is past its time."""


@shared_task(ignore_result=True)
def forget_departed() -> None:
    """Take people who were deleted out of what was recorded."""
