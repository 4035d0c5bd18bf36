"""The business hours of the company and of single queues."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from accounts.saving import stamps
from wallboard.queues.forms import HoursForm
from wallboard.queues.hours import calendar
from wallboard.queues.models import Hours, Queue


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.SUPERVISOR, sees_all=True)
def business_hours(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The hours of the queue in the address, or without one those of every queue."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    # PostgreSQL refuses a NUL in a text, even to compare with.
    number = (request.POST if request.method == "POST" else request.GET).get("queue", "").replace("\0", "")
    queue = get_object_or_404(Queue, domain=domain, number=number) if number else None
    form = HoursForm(domain, queue, request.POST if request.method == "POST" else None)
    stamp, status = stamps.shown(request, form.initial), 400 if form.is_bound else 200
    try:
        if form.is_valid():
            with stamps.saving(request, domain, lambda locked: HoursForm(locked, queue).initial):
                form.save()
            messages.success(request, _("Saved. Boards follow with the next reading of the queues."))
            return redirect(reverse("queues:hours") + ("?" + urlencode({"queue": number}) if number else ""))
        if form.is_bound:
            messages.error(request, _("Nothing is saved: look at the fields that are marked."))
    except stamps.Changed as changed:
        messages.error(request, str(changed))
        stamp, status = changed.stamp, 409
    own = set(Hours.objects.filter(domain=domain, queue__isnull=False).values_list("queue_id", flat=True))
    context = {
        "queue": queue,
        "form": form,
        "stamp": stamp,
        "queues": [(each, each.pk in own) for each in Queue.objects.filter(domain=domain, is_hidden=False)],
        "zone": domain.time_zone,
        "is_open": calendar.schedule(domain).is_open(number, timezone.now()),
    }
    return render(request, "queues/hours.html", context, status=status)
