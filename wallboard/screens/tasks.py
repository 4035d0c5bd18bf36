"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from accounts.spreading import companies
from wallboard.screens import alerting

EVERY_SECONDS = 60  # between two of these (wallboard/settings.py)


@shared_task
def report_offline() -> None:
    """Tell the alerts which TVs are offline."""
    companies.share_out(report_share, EVERY_SECONDS)


@shared_task
def report_share(domain_ids: list[int]) -> None:
    """Of these companies, where any is."""
    for domain in Domain.objects.filter(pk__in=alerting.worth(domain_ids)).order_by("pk"):
        alerting.report(domain)
