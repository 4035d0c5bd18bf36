"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from wallboard.setup import alerting


@shared_task
def report_mismatch() -> None:
    """Tell the alerts where the provider's figures disagree with each other."""
    for domain in Domain.objects.filter(is_active=True):
        alerting.report(domain)
