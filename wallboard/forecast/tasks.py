"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from accounts.spreading import companies
from wallboard.forecast import forecasting

EVERY_SECONDS = 60  # between two of these (wallboard/settings.py)


@shared_task
def forecast() -> None:
    """Look ahead for every company."""
    companies.share_out(forecast_share, EVERY_SECONDS)


@shared_task
def forecast_share(domain_ids: list[int]) -> None:
    """Do so for those of these companies whose calls can be counted."""
    companies.each("forecast", EVERY_SECONDS, forecast_domain, forecasting.countable(domain_ids), is_slow=True)


def forecast_domain(domain_id: int) -> None:
    """Count what is missing of one company, and forecast its next hour."""
    forecasting.update(Domain.objects.get(pk=domain_id))
