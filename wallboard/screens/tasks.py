"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from wallboard.screens import alerting


@shared_task
def report_offline() -> None:
    """Tell the alerts which TVs are offline."""
    for domain in Domain.objects.filter(is_active=True):
        alerting.report(domain)
