"""Celery tasks: thin edges. `evaluate_reading` follows each reading of the queues (wallboard/celery.py)."""

from celery import shared_task

from accounts.models import Domain
from accounts.spreading import companies, inline
from wallboard.alerts import lifecycle
from wallboard.alerts.detecting import looking

OFTEN_SECONDS, SELDOM_SECONDS = 10, 60  # between two looks (wallboard/settings.py)


@shared_task
def evaluate_reading(domain_id: int) -> bool:
    """Gives whether there was anything to do."""
    return lifecycle.apply_newest(domain_id)


@shared_task
def delete_old() -> None:
    lifecycle.delete_old()


@shared_task
def look_often() -> None:
    """Look for what is about seconds, at every company where there may be any."""
    companies.share_out(look_at_share, OFTEN_SECONDS, True)


@shared_task
def look_seldom() -> None:
    """Look for what is about minutes."""
    companies.share_out(look_at_share, SELDOM_SECONDS, False)


@shared_task
def look_at_share(domain_ids: list[int], often: bool) -> None:
    """Ask which of these companies are worth a look, and look at those."""
    kinds = looking.worth(domain_ids, often=often)

    def look(domain_id: int) -> None:
        inline.run(look_at, domain_id, often, kinds[domain_id])

    name, seconds = ("look often", OFTEN_SECONDS) if often else ("look seldom", SELDOM_SECONDS)
    companies.each(name, seconds, look, kinds)


@shared_task
def look_at(domain_id: int, often: bool, kinds: list[str]) -> None:
    """Look at one company. Called as a task, so that messages are planned when it is over (wallboard/celery.py)."""
    detectors = looking.OFTEN if often else looking.SELDOM
    looking.look(Domain.objects.get(pk=domain_id), {kind: detectors[kind] for kind in kinds})
