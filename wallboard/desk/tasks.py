"""Celery tasks: thin edges."""

from celery import shared_task

from accounts.models import Domain
from wallboard.desk import forgetting, importing

FORGET_EXPIRES_SECONDS = 600


@shared_task
def import_contacts(import_id: int) -> None:
    importing.run(import_id)


@shared_task(ignore_result=True)
def forget_due() -> None:
    """Each company in a task of its own: a big one delays nobody else."""
    for domain_id in Domain.objects.values_list("pk", flat=True):
        forget_due_of.apply_async((domain_id,), expires=FORGET_EXPIRES_SECONDS)


@shared_task(ignore_result=True)
def forget_due_of(domain_id: int) -> None:
    forgetting.forget_due(Domain.objects.get(pk=domain_id))
