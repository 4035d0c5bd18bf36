"""Calls of queues as far as they can be counted here: what that rests on, and the calls."""

from accounts.models import Domain
from wallboard.calibration import locks
from wallboard.calibration.locks import Ground
from wallboard.figures import phrases
from wallboard.queues.hours import calendar
from wallboard.reports import queue_calls
from wallboard.reports.queue_calls import QueueCall, Span

NEEDS: locks.Needs = phrases.CALLERS_OF_QUEUES


def ground(domain_id: int) -> Ground:
    """Whether calls of queues can be counted here, and if not what is missing."""
    return locks.ground(domain_id, NEEDS)


def calls(domain: Domain, span: Span, firm: Ground) -> list[QueueCall]:
    """The calls that came to any queue in that time and are over; `firm` ground only. Raises TooMany.

    Those of times in which something of that ground did not hold are left out.
    """
    schedule = calendar.schedule(domain)
    from_music = firm.answers["queue_leg_answered"] == "answered"
    found = queue_calls.queue_calls(domain, span, schedule.is_open, from_music=from_music)
    return [call for call in found if not any(since <= call.entered_at < until for since, until in firm.gaps)]
