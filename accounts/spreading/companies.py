"""Work that is done for every company each so many seconds: spread over that time where there are many."""

from collections.abc import Callable
from functools import partial

from accounts.models import Domain
from accounts.spreading import phases
from accounts.spreading.runner import Job, Outcome, Runner

FEW = 8  # so many are looked at at once: what one company sees is not put off
runner = Runner("looking after companies", 4)


def each(name: str, seconds: float, work: Callable[[int], object]) -> None:
    """Do this work for every active company once until these seconds are over, each at its own moment of them."""
    domain_ids = list(Domain.objects.filter(is_active=True).order_by("pk").values_list("pk", flat=True))
    for domain_id in domain_ids:
        job = Job((name, domain_id), partial(_work, work, domain_id))
        runner.plan(job, delay(runner, domain_id, len(domain_ids), seconds))


def delay(places: Runner, domain_id: int, count: int, seconds: float) -> float:
    """How long this one of so many companies waits for its turn."""
    return phases.phase(domain_id) * seconds if places.is_worker and count > FEW else 0.0


def _work(work: Callable[[int], object], domain_id: int) -> Outcome:
    work(domain_id)
    return Outcome()
