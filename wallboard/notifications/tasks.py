"""Celery tasks: thin edges. They decide and wake the threads that send; none of them waits for a channel."""

from celery import shared_task
from django.utils import timezone

from accounts.models import Domain
from wallboard.notifications import history
from wallboard.notifications.deciding import planning
from wallboard.notifications.sending.pool import pool


@shared_task
def plan(domain_id: int) -> None:
    """Decide for one company, right after its alerts changed."""
    if planning.is_behind(domain_id):
        planning.run(Domain.objects.get(pk=domain_id))
        pool.wake()


@shared_task
def catch_up() -> None:
    """Decide and send what is due by now, and what a worker that died has left."""
    planning.run_all(timezone.now())
    pool.wake()


@shared_task
def delete_old() -> None:
    history.delete_old()
