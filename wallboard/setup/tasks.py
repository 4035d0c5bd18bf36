"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from wallboard.setup import alerting, removing


@shared_task
def report_mismatch() -> None:
    """Tell the alerts where the provider's figures disagree with each other."""
    for domain in Domain.objects.filter(is_active=True):
        alerting.report(domain)


@shared_task(ignore_result=True)
def remove_companies() -> None:
    """Go on removing the companies whose removal was asked for."""
    removing.go_on()
