"""Celery tasks: thin edges."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from accounts.models import Domain
from wallboard.queues import pacing, polling, retention, samples

ROLL_EXPIRES_SECONDS = 60  # the next call rolls what this one did not


@shared_task
def poll_queues() -> None:
    """Start a reading of every domain that is due, each as a task of its own: a slow one delays nobody else."""
    for domain in pacing.due_domains(timezone.now()):
        # It dies before the next one comes: a worker that was away does not catch up on polls.
        poll_domain.apply_async((domain.pk,), expires=pacing.interval_seconds(domain))


@shared_task
def poll_domain(domain_id: int) -> None:
    """Read one domain; a next try that comes before the next tick of beat is arranged for here."""
    wait_seconds = polling.poll(Domain.objects.get(pk=domain_id))
    if wait_seconds is not None and wait_seconds < settings.POLL_SECONDS:
        # Expiry counts from now, not from the countdown's end.
        late = wait_seconds + settings.POLL_SECONDS
        poll_domain.apply_async((domain_id,), countdown=wait_seconds, expires=late)


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
    retention.forget_old()
