"""The page behind the link of a message: what it was about, and a button that takes it on.

Opening the page changes nothing, for mail scanners open every link. Who may press the button: whoever is signed in and
sees the alert, or the person whom the message went to where it can only have reached them.
"""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import audit, limits
from accounts.access import viewer_of
from accounts.companies import hosts
from accounts.models import Person
from wallboard.alerts import lifecycle, wording
from wallboard.alerts.models import Alert
from wallboard.notifications import links
from wallboard.notifications.deciding.receivers import may_hear
from wallboard.notifications.models import Channel, Delivery

PROVES_PERSON = (Channel.EMAIL, Channel.PUSH)  # a mailbox and a browser are one person's, a chat room is not


class SignInNeeded(Exception):
    """Nobody knows yet who is looking."""


@never_cache
@require_http_methods(["GET", "POST"])
def acknowledge(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show what the message was about; a POST acknowledges the chosen alerts, as far as they are open."""
    delivery = links.delivery_of(token)
    if delivery is None or hosts.is_elsewhere(request, delivery.domain_id):
        raise Http404
    try:
        person = person_for(request, delivery)
    except SignInNeeded:
        return redirect_to_login(request.get_full_path())
    limit = limits.of(person)
    alerts = [each for each in links.alerts_of(delivery) if may_hear(person, limit, each)]
    if request.method == "POST":
        _take(request, person, alerts)
        return redirect("notifications:acknowledge", token)
    return _page(request, person, alerts)


def person_for(request: HttpRequest, delivery: Delivery) -> Person:
    """Who acknowledges. Raises SignInNeeded, Http404 for another company's, PermissionDenied for an agent."""
    viewer = viewer_of(request.user)
    person = delivery.person
    if viewer is not None:
        if viewer.domain_id != delivery.domain_id:
            raise Http404
        person = Person.objects.get(pk=viewer.person_id or 0)
    elif person is None or delivery.channel not in PROVES_PERSON or not _is_theirs(delivery, person):
        raise SignInNeeded
    if person.role == Person.Role.AGENT:
        raise PermissionDenied(_("Supervisors acknowledge alerts."))
    return person


def _is_theirs(delivery: Delivery, person: Person) -> bool:
    """Whether it went to somebody who has this person's sign-in still: that is what the link stands for."""
    destination, user = delivery.destination, person.user
    if destination is None or user is None or destination.user_id != user.pk:
        return False
    return user.is_active and delivery.domain.is_active


def _take(request: HttpRequest, person: Person, alerts: list[Alert]) -> None:
    chosen = {each for each in request.POST.getlist("alert") if each.isdecimal()}
    with audit.acting_as(lambda: audit.Actor(audit.person_label(person), person.user_id)):
        taken = [
            lifecycle.acknowledge(person.domain_id, each.pk, person)
            for each in alerts
            if str(each.pk) in chosen and each.ended_at is None
        ]
    if not any(taken):
        messages.info(request, _("Nothing was left to acknowledge."))


def _page(request: HttpRequest, person: Person, alerts: list[Alert]) -> HttpResponse:
    rows = [(each, wording.title(each), wording.why(each), wording.advice(each)) for each in alerts]
    context = {
        "person": person,
        "rows": rows,
        "waiting": [each for each in alerts if each.ended_at is None and each.acknowledged_at is None],
        "zone": person.domain.time_zone,
        "clock": person.domain.clock,
    }
    return render(request, "notifications/acknowledge.html", context)
