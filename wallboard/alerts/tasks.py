"""Celery tasks: thin edges. `evaluate_reading` follows each reading of the queues (wallboard/celery.py)."""

from celery import shared_task

from accounts.models import Domain
from accounts.spreading import companies
from wallboard.alerts import lifecycle
from wallboard.alerts.detecting import looking

OFTEN_SECONDS, SELDOM_SECONDS = 10, 60  # between two looks (wallboard/settings.py)


@shared_task
def evaluate_reading(domain_id: int) -> None:
    lifecycle.apply_reading(Domain.objects.get(pk=domain_id))


@shared_task
def delete_old() -> None:
    lifecycle.delete_old()


@shared_task
def look_often() -> None:
    """Look for what is about seconds, at every company."""
    companies.each("look often", OFTEN_SECONDS, lambda domain_id: look_at.apply((domain_id, True), throw=True))


@shared_task
def look_seldom() -> None:
    """Look for what is about minutes."""
    companies.each("look seldom", SELDOM_SECONDS, lambda domain_id: look_at.apply((domain_id, False), throw=True))


@shared_task
def look_at(domain_id: int, often: bool) -> None:
    """Look at one company. Called as a task, so that messages are planned when it is over (wallboard/celery.py)."""
    looking.look(Domain.objects.get(pk=domain_id), looking.OFTEN if often else looking.SELDOM)
