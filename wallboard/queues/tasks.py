"""Celery tasks: thin edges."""

from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from accounts.spreading import companies, inline
from wallboard.queues import polling, retention, samples
from wallboard.queues.rounds import polls

ROLL_SECONDS = 20  # between two of these (wallboard/settings.py)
ROLLED_TOGETHER = 8  # companies: while their samples are made, none of them can store a poll


@shared_task
def poll_queues() -> None:
    """Have every domain read that is due before the next of these tasks, each at a moment of its own."""
    found = polls.due(timezone.now())
    if len(found) <= polls.SHARE:
        polls.plan(found, _read)
        return
    at = polls.moment()
    for share in polls.shares(found):
        # It dies before the next one comes: a worker that was away does not catch up on polls.
        poll_share.apply_async((share, at), expires=settings.POLL_SECONDS)


@shared_task
def poll_share(share: list[list[Any]], at: float) -> None:
    """Have these domains read, of which it was found out at that moment when each is due."""
    polls.plan([polls.Due(*each) for each in share], _read, ago=polls.moment() - at)


@shared_task
def poll_domain(domain_id: int) -> float | None:
    """Read one domain; gives in how many seconds it is to be tried again, None after a success."""
    return polling.poll_by_id(domain_id)


def _read(domain_id: int) -> float | None:
    """As the task that it is, so that what follows it follows (wallboard/celery.py), but in this thread."""
    seconds = inline.run(poll_domain, domain_id)
    return None if seconds is None else float(seconds)


@shared_task
def roll_samples() -> None:
    """Bring the samples of every domain up to the last whole minute."""
    companies.share_out(roll_share, ROLL_SECONDS)


@shared_task
def roll_share(domain_ids: list[int]) -> None:
    """Do so for those of these domains of which a minute is over."""
    companies.together("roll", ROLL_SECONDS, samples.roll_together, samples.behind(domain_ids), ROLLED_TOGETHER)


@shared_task
def forget_old() -> None:
    retention.forget_old()
