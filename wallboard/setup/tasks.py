"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from accounts.spreading import companies
from wallboard.setup import alerting, removing

EVERY_SECONDS = 60  # between two looks at the figures (wallboard/settings.py)


@shared_task
def report_mismatch() -> None:
    """Tell the alerts where the provider's figures disagree with each other."""
    companies.share_out(report_share, EVERY_SECONDS)


@shared_task
def report_share(domain_ids: list[int]) -> None:
    """Of those of these companies where they may, each at its own moment."""
    due = alerting.worth(domain_ids)
    companies.each("mismatch", EVERY_SECONDS, lambda pk: alerting.report(Domain.objects.get(pk=pk)), due)


@shared_task(ignore_result=True)
def remove_companies() -> None:
    """Go on removing the companies whose removal was asked for."""
    removing.go_on()
