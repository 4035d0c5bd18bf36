"""Celery tasks: thin edges. `evaluate_reading` follows each reading of the queues (wallboard/celery.py)."""

from celery import shared_task

from accounts.models import Domain
from wallboard.alerts import lifecycle


@shared_task
def evaluate_reading(domain_id: int) -> None:
    lifecycle.apply_reading(Domain.objects.get(pk=domain_id))


@shared_task
def delete_old() -> None:
    lifecycle.delete_old()
