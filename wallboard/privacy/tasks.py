"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from wallboard.privacy import erasing

EXPIRES_SECONDS = 600


@shared_task(ignore_result=True)
def apply_retention() -> None:
    """Each company in a task of its own: a big one delays nobody else."""
    for domain_id in Domain.objects.values_list("pk", flat=True):
        apply_retention_to.apply_async((domain_id,), expires=EXPIRES_SECONDS)


@shared_task(ignore_result=True)
def apply_retention_to(domain_id: int) -> None:
    erasing.apply_retention(Domain.objects.get(pk=domain_id))
