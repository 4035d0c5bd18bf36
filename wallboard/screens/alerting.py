"""TVs that are offline while people work, told to the alerts."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Domain
from wallboard.alerts import conditions
from wallboard.alerts.conditions import State
from wallboard.alerts.detecting.opening import is_any_open
from wallboard.alerts.models import Alert
from wallboard.screens.heartbeats import GONE_AFTER
from wallboard.screens.models import Screen

KIND = "screen"
FORGOTTEN = timedelta(days=7)


def worth(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those with a TV that is offline or an alert about one; in three queries."""
    offline = _gone(timezone.now()).filter(domain__in=domain_ids).values_list("domain_id", flat=True)
    return {*offline, *(pk for pk, kind in conditions.under_way(domain_ids) if kind == KIND)}


def report(domain: Domain) -> None:
    """Report every TV that was on in the last business hours and is not heard any more."""
    now = timezone.now()
    gone = _gone(now).filter(domain=domain)
    if is_any_open(domain, now):
        conditions.report(domain, KIND, [_state(screen) for screen in gone])
    else:
        closed = {str(screen.pk): Alert.Ended.CLOSED.value for screen in gone}
        conditions.report(domain, KIND, [], why_ended=closed)


def _gone(now: datetime) -> QuerySet[Screen]:
    # One that was never opened is not on the wall yet, and one that was away for a week is not missed by anybody.
    return Screen.objects.filter(revoked_at=None, seen_at__lt=now - GONE_AFTER, seen_at__gt=now - FORGOTTEN)


def _state(screen: Screen) -> State:
    return State(str(screen.pk), screen.seen_at, facts={"name": screen.name})
