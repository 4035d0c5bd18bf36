"""Celery tasks: thin edges."""

from celery import shared_task
from django.utils import timezone

from accounts.models import Domain
from wallboard.queues import keeping, pacing, polling, samples

ROLL_EXPIRES_SECONDS = 60  # the next call rolls what this one did not


@shared_task
def poll_queues() -> None:
    """Start a reading of every domain that is due, each as a task of its own: a slow one delays nobody else."""
    for domain in pacing.due_domains(timezone.now()):
        poll_domain.apply_async((domain.pk,), expires=pacing.interval_seconds(domain))


@shared_task
def poll_domain(domain_id: int) -> None:
    polling.poll(Domain.objects.get(pk=domain_id))


@shared_task
def roll_samples() -> None:
    """Bring the samples of every domain up to the last whole minute, each domain in a task of its own."""
    for domain_id in Domain.objects.filter(is_active=True).values_list("pk", flat=True):
        roll_domain.apply_async((domain_id,), expires=ROLL_EXPIRES_SECONDS)


@shared_task
def roll_domain(domain_id: int) -> None:
    samples.roll(Domain.objects.get(pk=domain_id))


@shared_task
def forget_old() -> None:
    keeping.forget_old()
