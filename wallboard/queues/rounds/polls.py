"""The readings of all companies: who is due until beat comes round again, and when each has its turn.

Where there are many, the workers share them: of each share one worker starts every reading at its own moment.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from accounts.spreading.runner import Job, Outcome, Runner
from accounts.statements import planned
from wallboard.live import clocks
from wallboard.queues import pacing

PLACES = 32  # readings at once in one worker: most of the time they wait for the provider
SHARE = 50  # companies; from two shares on they may go to several workers
TOGETHER, LONGEST_WAIT_SECONDS = 16, 0.2  # companies that are read at the same moment, and what that may put one off
CROWD = 8  # so many companies of a worker are read each at its own moment, by itself
runner = Runner("reading the queues", PLACES)
Read = Callable[[int], float | None]  # domain id -> in how many seconds it is to be tried again


class Due(NamedTuple):
    """A company that is read in so many seconds."""

    domain_id: int
    seconds: float
    provider: str
    is_failing: bool


def due(now: datetime) -> list[Due]:
    """Whoever is to be read before beat comes round again, the earliest first; in one query."""
    found = []
    for domain in pacing.connected():
        seconds = pacing.seconds_until_due(domain, now)
        if seconds < settings.POLL_SECONDS:
            state = pacing.state_of(domain)
            is_failing = state is not None and state.failures > 0
            found.append(Due(domain.pk, round(seconds, 3), urlsplit(domain.base_url).netloc, is_failing))
    return [each for group in groups(sorted(found, key=lambda each: each.seconds)) for each in group]


def groups(found: Sequence[Due]) -> Iterator[list[Due]]:
    """The same, those that lie close together at one moment: what is done together costs each of them less."""
    group: list[Due] = []
    for each in found:
        if group and (len(group) == TOGETHER or each.seconds - group[0].seconds > LONGEST_WAIT_SECONDS):
            yield _at_once(group)
            group = []
        group.append(each)
    if group:
        yield _at_once(group)


def _at_once(group: list[Due]) -> list[Due]:
    return [each._replace(seconds=group[-1].seconds) for each in group]


def is_crowded() -> bool:
    """Whether this worker reads so many companies that some are read at the same time."""
    return planned.is_possible() and runner.count > CROWD


def shares(found: Sequence[Due]) -> Iterator[list[Due]]:
    """The companies in as many shares as are needed, each with some of every moment; a moment stays in one piece."""
    moments = [list(group) for _, group in groupby(found, key=lambda each: each.seconds)]
    count = -(-len(found) // SHARE)
    for first in range(count):
        if share := [each for group in moments[first::count] for each in group]:
            yield share


def plan(share: Sequence[Due], read: Read, *, ago: float = 0.0) -> None:
    """Have each of them read at its moment; the share was made so many seconds ago."""
    for each in share:
        job = Job(each.domain_id, partial(_work, each.domain_id, read), each.provider, each.is_failing)
        # Another Redis may tell an earlier time than the one before: that puts nobody off.
        runner.plan(job, max(0.0, each.seconds - max(0.0, ago)))


def moment() -> float:
    """Now, by the clock that all workers share."""
    return clocks.redis_time()


def _work(domain_id: int, read: Read) -> Outcome:
    seconds = read(domain_id)
    # What is later than the next tick of beat is planned by that.
    is_soon = seconds is not None and seconds < settings.POLL_SECONDS
    return Outcome(is_failure=seconds is not None, again_seconds=seconds if is_soon else None)
