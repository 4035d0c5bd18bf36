"""Calls of queues as far as they can be counted here: what that rests on, and the calls."""

from collections.abc import Collection

from accounts.models import Domain
from wallboard.calibration import locks
from wallboard.calibration.locks import Ground
from wallboard.figures import phrases
from wallboard.queues.hours import calendar
from wallboard.reports.period_parts import Period
from wallboard.reports.queue_calls import QueueCall, Span
from wallboard.reports.rollups import queue_sums, queued

NEEDS: locks.Needs = phrases.CALLERS_OF_QUEUES


def ground(domain_id: int) -> Ground:
    """Whether calls of queues can be counted here, and if not what is missing."""
    return locks.ground(domain_id, NEEDS)


def grounds(domain_ids: Collection[int]) -> dict[int, Ground]:
    """The same of many companies, in one query."""
    return locks.grounds(domain_ids, NEEDS)


def calls(domain: Domain, span: Span, firm: Ground) -> list[QueueCall]:
    """The calls that came to any queue in that time and are over; `firm` ground only. Raises TooMany.

    Those of times in which something of that ground did not hold are left out.
    """
    schedule = calendar.schedule(domain)
    found = queued.calls(domain, span, schedule, from_music=is_from_music(firm))
    return [call for call in found if not any(since <= call.entered_at < until for since, until in firm.gaps)]


def sums(domain: Domain, period: Period, firm: Ground) -> queue_sums.OfQueues:
    """The same calls of whole days as sums, where the worker has added them up. Raises TooMany."""
    schedule = calendar.schedule(domain)
    return queued.sums(domain, period, schedule, firm.gaps, from_music=is_from_music(firm))


def is_from_music(firm: Ground) -> bool:
    """Whether a wait begins where the queue's leg is answered, after the greeting."""
    return firm.answers["queue_leg_answered"] == "answered"
