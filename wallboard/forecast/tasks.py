"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from wallboard.forecast import forecasting

EXPIRES_SECONDS = 100  # the next call does what this one did not


@shared_task
def forecast() -> None:
    """Look ahead for every company, each in a task of its own."""
    for domain_id in Domain.objects.filter(is_active=True).values_list("pk", flat=True):
        forecast_domain.apply_async((domain_id,), expires=EXPIRES_SECONDS)


@shared_task
def forecast_domain(domain_id: int) -> None:
    """Count what is missing of one company, and forecast its next hour."""
    forecasting.update(Domain.objects.get(pk=domain_id))
