"""Celery tasks: thin edges. `evaluate_reading` follows each reading of the queues (wallboard/celery.py)."""

from celery import shared_task

from accounts.models import Domain
from wallboard.alerts import lifecycle
from wallboard.alerts.detecting import looking

LOOK_SECONDS = 20  # what nobody looked at by then is superseded by the next look


@shared_task
def evaluate_reading(domain_id: int) -> None:
    lifecycle.apply_reading(Domain.objects.get(pk=domain_id))


@shared_task
def delete_old() -> None:
    lifecycle.delete_old()


@shared_task
def look_often() -> None:
    """Look for what is about seconds, every company in a task of its own."""
    for domain_id in Domain.objects.filter(is_active=True).values_list("pk", flat=True):
        look_at.apply_async((domain_id, True), expires=LOOK_SECONDS)


@shared_task
def look_seldom() -> None:
    """Look for what is about minutes."""
    for domain_id in Domain.objects.filter(is_active=True).values_list("pk", flat=True):
        look_at.apply_async((domain_id, False), expires=LOOK_SECONDS)


@shared_task
def look_at(domain_id: int, often: bool) -> None:
    """Look at one company."""
    looking.look(Domain.objects.get(pk=domain_id), looking.OFTEN if often else looking.SELDOM)
