"""Which alerts somebody with a limit may see.

An alert of a queue goes to whoever sees the queue, one of a person to whoever has this person in their team, and one of
the company as a whole to nobody with a limit.
"""

from django.db.models import Q, QuerySet

from accounts.limits import Limit
from wallboard.alerts.kinds import OF_PERSONS
from wallboard.alerts.models import Alert


def shows(limit: Limit, queue: str, person: str) -> bool:
    """Whether an alert about this queue (a number) or this person (an extension) may be seen; "" for none."""
    if not limit.is_set:
        return True
    if queue:
        return limit.shows_queue(queue)
    return bool(person) and limit.people is not None and person in limit.people


def shows_alert(limit: Limit, alert: Alert) -> bool:
    """Whether this alert may be seen."""
    return shows(limit, alert.queue.number if alert.queue else "", person_of(alert))


def restrict(alerts: QuerySet[Alert], limit: Limit) -> QuerySet[Alert]:
    """Those of the alerts that may be seen."""
    if not limit.is_set:
        return alerts
    shown = Q(queue__isnull=False) if limit.queues is None else Q(queue__number__in=limit.queues)
    if limit.people is not None:
        shown |= Q(queue=None, kind__in=OF_PERSONS, subject__in=limit.people)
    return alerts.filter(shown)


def person_of(alert: Alert) -> str:
    """The extension of the person that it is about; "" where it is about none."""
    return alert.subject if alert.queue is None and alert.kind in OF_PERSONS else ""
