"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from wallboard.privacy import erasing, erasures

EXPIRES_SECONDS = 600


@shared_task(ignore_result=True)
def apply_retention() -> None:
    """Each company in a task of its own: a big one delays nobody else."""
    for domain_id in Domain.objects.values_list("pk", flat=True):
        apply_retention_to.apply_async((domain_id,), expires=EXPIRES_SECONDS)


@shared_task(ignore_result=True)
def apply_retention_to(domain_id: int) -> None:
    domain = Domain.objects.get(pk=domain_id)
    erasures.delete_old(domain)
    erasing.apply_retention(domain)


@shared_task(ignore_result=True)
def erase_number(erasure_id: int) -> None:
    """Erase a number that somebody asked for a moment ago."""
    erasures.run(erasure_id)


@shared_task(ignore_result=True)
def run_due_erasures() -> None:
    """Begin what no worker has begun, and go on with what one that died has left."""
    erasures.run_due()
