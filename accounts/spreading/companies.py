"""Work that is done for every company each so many seconds: shared out between workers, and spread over that time."""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any, Protocol

from accounts.models import Domain
from accounts.spreading import phases
from accounts.spreading.runner import Job, Outcome, Runner

log = logging.getLogger(__name__)
FEW = 8  # so many are looked at at once: what one company sees is not put off
SHARE = 200  # companies that are asked about together; from two shares on they may go to several workers
runner = Runner("looking after companies", 4)
counting = Runner("counting for companies", 4)  # what may take long, so that it keeps nobody from being looked at


class Task(Protocol):
    """A Celery task that takes the ids of companies first: run at once, or sent to whichever worker is free."""

    def __call__(self, domain_ids: list[int], *arguments: Any) -> object: ...

    def apply_async(self, args: tuple[Any, ...], *, expires: float) -> object: ...


def share_out(task: Task, seconds: float, *arguments: Any) -> None:
    """Run this task for all active companies, in shares where they are many; it dies before it is sent again."""
    domain_ids = active()
    if len(domain_ids) <= SHARE:
        task(domain_ids, *arguments)
        return
    for share in shares(domain_ids):
        task.apply_async((share, *arguments), expires=seconds)


def active() -> list[int]:
    """The ids of all active companies."""
    return list(Domain.objects.filter(is_active=True).order_by("pk").values_list("pk", flat=True))


def shares(domain_ids: list[int]) -> Iterator[list[int]]:
    """The companies in as many shares as are needed, all of about the same size."""
    count = -(-len(domain_ids) // SHARE)
    return (domain_ids[first::count] for first in range(count))


def each(
    name: str,
    seconds: float,
    work: Callable[[int], object],
    domain_ids: Collection[int] | None = None,
    *,
    is_slow: bool = False,
) -> None:
    """Do this work for these companies, else for every active one, once until these seconds are over, each at its own
    moment of them."""
    found, places = active() if domain_ids is None else domain_ids, counting if is_slow else runner
    for domain_id in found:
        job = Job((name, domain_id), partial(_work, work, domain_id))
        places.plan(job, delay(places, domain_id, len(found), seconds))


def together(
    name: str, seconds: float, work: Callable[[list[int]], object], domain_ids: Sequence[int], at_once: int
) -> None:
    """Do this work for these companies, so many at once as share statements, each crowd at a moment of its own."""
    for begin in range(0, len(domain_ids), at_once):
        crowd = list(domain_ids[begin : begin + at_once])
        job = Job((name, crowd[0]), partial(_work_together, name, work, crowd))
        runner.plan(job, delay(runner, crowd[0], len(domain_ids), seconds))


def delay(places: Runner, domain_id: int, count: int, seconds: float) -> float:
    """How long this one of so many companies waits for its turn."""
    return phases.phase(domain_id) * seconds if places.is_worker and count > FEW else 0.0


def _work(work: Callable[[int], object], domain_id: int) -> Outcome:
    found = work(domain_id)
    # Who has more to do than one turn may take says so.
    return found if isinstance(found, Outcome) else Outcome()


def _work_together(name: str, work: Callable[[list[int]], object], crowd: list[int]) -> Outcome:
    """Where it fails, each goes on by itself: one of them may be the cause, and the others need not wait for it."""
    try:
        work(crowd)
        return Outcome()
    except Exception as error:
        if len(crowd) == 1:
            raise
        log.warning("%s: %d together failed (%s); each goes on by itself", name, len(crowd), type(error).__name__)
    is_failure = False
    for domain_id in crowd:
        try:
            work([domain_id])
        except Exception:
            log.exception("%s failed for %d", name, domain_id)
            is_failure = True
    return Outcome(is_failure=is_failure)
