"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from wallboard.calibration import alerting, findings

EXPIRES_SECONDS = 60  # the next call takes in what this one did not


@shared_task
def calibrate() -> None:
    """Take in what is new of every company, each in a task of its own."""
    for domain_id in Domain.objects.filter(is_active=True).values_list("pk", flat=True):
        calibrate_domain.apply_async((domain_id,), expires=EXPIRES_SECONDS)


@shared_task
def calibrate_domain(domain_id: int) -> None:
    """Take in what is new of one company."""
    domain = Domain.objects.get(pk=domain_id)
    findings.update(domain)
    alerting.report(domain)
