"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.tokens import grants


@shared_task(ignore_result=True)
def maintain_grants() -> None:
    """Ask the provider whether it still stands behind those who are signed in, and tidy up after the others."""
    grants.maintain()
