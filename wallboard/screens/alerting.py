"""TVs that are offline while people work, told to the alerts."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Domain
from wallboard.alerts import conditions
from wallboard.alerts.conditions import State
from wallboard.alerts.detecting.opening import is_any_open
from wallboard.alerts.models import Alert
from wallboard.screens.heartbeats import GONE_AFTER
from wallboard.screens.models import Screen

FORGOTTEN = timedelta(days=7)


def report(domain: Domain) -> None:
    """Report every TV that was on in the last business hours and is not heard any more."""
    now = timezone.now()
    # One that was never opened is not on the wall yet, and one that was away for a week is not missed by anybody.
    known = Screen.objects.filter(domain=domain, revoked_at=None, seen_at__isnull=False)
    gone = [screen for screen in known if screen.seen_at and GONE_AFTER < now - screen.seen_at < FORGOTTEN]
    if is_any_open(domain, now):
        conditions.report(domain, "screen", [_state(screen) for screen in gone])
    else:
        closed = {str(screen.pk): Alert.Ended.CLOSED.value for screen in gone}
        conditions.report(domain, "screen", [], why_ended=closed)


def _state(screen: Screen) -> State:
    return State(str(screen.pk), screen.seen_at, facts={"name": screen.name})
