"""Celery tasks: thin edges."""

from celery import shared_task
from django.utils import timezone

from accounts.models import Domain
from wallboard.notifications.sending.pool import pool
from wallboard.reports.mails import making
from wallboard.reports.rollups import rolling
from wallboard.reports.service import alerting, today

EXPIRES_SECONDS = 60  # the next call counts what this one did not


@shared_task
def count_service_levels() -> None:
    """Count the calls of queues of every company, each in a task of its own."""
    for domain_id in Domain.objects.filter(is_active=True).values_list("pk", flat=True):
        count_service_level.apply_async((domain_id,), expires=EXPIRES_SECONDS)


@shared_task
def count_service_level(domain_id: int) -> None:
    """Count the calls of queues of one company, and hold them against their targets."""
    domain, now = Domain.objects.get(pk=domain_id), timezone.now()
    today.update(domain, now)
    alerting.report(domain, now)


@shared_task
def mail_reports() -> None:
    """Make the reports that are due by now, and send them."""
    if making.make_due(timezone.now()):
        pool.wake()


@shared_task
def roll_up_days() -> None:
    """Add up the days of every company that are over, each in a task of its own."""
    for domain_id in Domain.objects.filter(is_active=True).values_list("pk", flat=True):
        roll_up_days_of.apply_async((domain_id,), expires=EXPIRES_SECONDS)


@shared_task
def roll_up_days_of(domain_id: int) -> None:
    """Add up the days of one company."""
    rolling.roll(Domain.objects.get(pk=domain_id), timezone.now())
