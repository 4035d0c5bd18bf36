"""Whether alerts reach people: what was given up, what fails, and whether anything is set up at all."""

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard.notifications.models import Delivery, Destination
from wallboard.setup.status_checks import GOOD, LATE, WATCH, Check, Detail

LATELY = timedelta(days=1)
MOST_SHOWN = 5


def checks(domain: Domain) -> list[Check]:
    """One check of the messages."""
    title = _("Messages about alerts")
    failing = Destination.objects.filter(domain=domain, is_enabled=True).exclude(failing_since=None)
    lately = Delivery.objects.filter(domain=domain, is_test=False, created_at__gt=timezone.now() - LATELY)
    given_up = lately.filter(state=Delivery.State.GIVEN_UP).count()
    details = [
        Detail(_("Sent in the last day"), str(lately.filter(state=Delivery.State.SENT).count())),
        *(
            Detail(_("Failing"), f"{each}: {each.last_outcome}", is_code=True)
            for each in failing.order_by("failing_since")[:MOST_SHOWN]
        ),
    ]
    advice = _("Open Alert routes and press Test; what the other side says stands beside it.")
    if given_up:
        summary = _("%(count)d messages of the last day were given up after an hour of tries.") % {"count": given_up}
        return [Check(title, LATE, _("given up"), summary, advice, details)]
    if failing.exists():
        summary = _("A destination takes no messages; they are tried again for an hour.")
        return [Check(title, WATCH, _("failing"), summary, advice, details)]
    if not Destination.objects.filter(domain=domain).exists():
        summary = _("Alerts reach nobody who is not looking at a page.")
        advice = _("Open Alert routes, or let people choose for themselves under My notifications.")
        return [Check(title, GOOD, _("not used"), summary, advice)]
    return [Check(title, GOOD, _("working"), details=details)]
