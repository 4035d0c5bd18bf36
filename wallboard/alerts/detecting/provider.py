"""What comes from the provider, or does not: figures, call events, subscriptions.

One cause is one alert: while the provider cannot be reached or is in trouble the figures say so, and events say
nothing.
"""

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Domain
from wallboard.alerts.conditions import State
from wallboard.alerts.detecting.findings import Finding
from wallboard.alerts.detecting.opening import is_any_open
from wallboard.alerts.models import Alert
from wallboard.calls.models import EventGap, Subscription
from wallboard.calls.subscriptions import health
from wallboard.queues import pacing
from wallboard.queues.models import PollState
from wallboard.telephony.errors import InTrouble, Unreachable

AWAY = (Unreachable.kind, InTrouble.kind)
CLOSED = {"": Alert.Ended.CLOSED.value}
ENDS_SOON = timedelta(days=1)  # earlier there is time for it to be renewed after all
FEWEST_FAILURES = 3


def figures(domain: Domain) -> Finding:
    """No figures of the queues come any more; before the first reading there is nothing to miss."""
    state = PollState.objects.filter(domain=domain).first()
    if state is None or state.read_at is None:
        return Finding()
    if not is_any_open(domain, timezone.now()):
        return Finding(why_ended=CLOSED)
    is_old = timezone.now() - state.read_at > pacing.live_for(domain)
    return Finding([State(since=state.read_at, reason=state.failure)] if is_old else [])


def events(domain: Domain) -> Finding:
    """Calls are no longer reported: as the gaps say, which know silence from quiet."""
    now = timezone.now()
    if not is_any_open(domain, now):
        return Finding(why_ended=CLOSED)
    gap = EventGap.objects.filter(domain=domain, until=None).first()
    if gap is None or health.of(domain.pk).state == "live":
        return Finding()
    if _is_unreachable(domain):
        return Finding(judged=())  # nothing new is said of them; what was said before is no better for it
    return Finding([State(since=gap.since, reason=gap.reason)])


def subscriptions(domain: Domain) -> Finding:
    """A subscription that fails to be renewed and will end, or has ended."""
    if _is_unreachable(domain):
        return Finding(judged=())
    found = failing(timezone.now()).filter(domain=domain)
    states = {row.kind: State(row.kind, row.failing_since, reason=row.kind) for row in found}
    return Finding(list(states.values()))


def failing(now: datetime) -> QuerySet[Subscription]:
    """The subscriptions of all companies that fail to be renewed and will end soon, or have ended."""
    rows = Subscription.objects.filter(failing_since__isnull=False, failures__gte=FEWEST_FAILURES)
    of_use = rows.exclude(state=Subscription.State.RETIRED).exclude(failure=health.NOT_READY)
    return of_use.filter(expires_at__lt=now + ENDS_SOON)


def _is_unreachable(domain: Domain) -> bool:
    return PollState.objects.filter(domain=domain, failing_since__isnull=False, failure__in=AWAY).exists()
