"""Whether anybody works now: outside business hours nobody is called."""

from datetime import datetime

from accounts.models import Domain
from wallboard.queues.hours import calendar
from wallboard.queues.models import Queue


def is_any_open(domain: Domain, moment: datetime) -> bool:
    """Whether any shown queue takes calls then; a company without queues goes by its own hours."""
    schedule = calendar.schedule(domain)
    numbers = list(Queue.objects.filter(domain=domain, is_hidden=False).values_list("number", flat=True))
    return any(schedule.is_open(number, moment) for number in numbers or [""])
