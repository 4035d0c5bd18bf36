"""Celery tasks: thin edges."""

import time

from celery import shared_task
from django.utils import timezone

from accounts.models import Domain
from accounts.spreading import companies, inline
from accounts.spreading.runner import Outcome
from wallboard.notifications.sending.pool import pool
from wallboard.reports.mails import making
from wallboard.reports.rollups import rolling
from wallboard.reports.service import alerting, today

COUNT_SECONDS, ROLL_SECONDS = 30, 60  # between two of these (wallboard/settings.py)
GO_ON_SECONDS = 30.0  # until the next turn of a company with more days than one turn adds up


@shared_task
def count_service_levels() -> None:
    """Count the calls of queues of every company."""
    companies.share_out(count_share, COUNT_SECONDS)


@shared_task
def count_share(domain_ids: list[int]) -> None:
    """Do so for those of these companies of which they can be counted."""
    due = today.countable(domain_ids) | alerting.under_way(domain_ids)
    # As a task, so that messages are planned when it is over (wallboard/celery.py).
    companies.each("count", COUNT_SECONDS, lambda pk: inline.run(count_service_level, pk), due, is_slow=True)


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
    """Add up the days of every company that are over."""
    companies.share_out(roll_up_share, ROLL_SECONDS)


@shared_task
def roll_up_share(domain_ids: list[int]) -> None:
    """Do so for those of these companies whose turn it is, or of which a day has changed."""
    due = rolling.worth(domain_ids, timezone.now())
    companies.each("add up days", ROLL_SECONDS, roll_up_days_of, due, is_slow=True)


def roll_up_days_of(domain_id: int) -> Outcome:
    """Add up the days of one company, as far as one turn goes."""
    began = time.monotonic()
    rolling.roll(Domain.objects.get(pk=domain_id), timezone.now())
    is_left = time.monotonic() - began >= rolling.LONGEST_RUN_SECONDS
    return Outcome(again_seconds=GO_ON_SECONDS if is_left else None)
