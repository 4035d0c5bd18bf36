"""Celery tasks: thin edges. `judge` is started after each reading of the queues (wallboard/celery.py)."""

from celery import shared_task

from accounts.models import Domain
from wallboard.alerts import episodes


@shared_task
def judge(domain_id: int) -> None:
    episodes.judge(Domain.objects.get(pk=domain_id))


@shared_task
def forget_old() -> None:
    episodes.forget_old()
