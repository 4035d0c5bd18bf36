"""Celery tasks: thin edges."""

from celery import shared_task
from django.utils import timezone

from accounts.models import Domain
from accounts.spreading import companies
from wallboard.calibration import alerting, feeding, findings

EVERY_SECONDS = 15  # between two of these (wallboard/settings.py)


@shared_task
def calibrate() -> None:
    """Take in what is new of every company."""
    companies.share_out(calibrate_share, EVERY_SECONDS)


@shared_task
def calibrate_share(domain_ids: list[int]) -> None:
    """Do so for those of these companies of which there is something to take in."""
    due = feeding.behind(domain_ids, timezone.now()) | alerting.under_way(domain_ids)
    companies.each("calibrate", EVERY_SECONDS, calibrate_domain, due, is_slow=True)


def calibrate_domain(domain_id: int) -> None:
    """Take in what is new of one company."""
    domain = Domain.objects.get(pk=domain_id)
    findings.update(domain)
    alerting.report(domain)
