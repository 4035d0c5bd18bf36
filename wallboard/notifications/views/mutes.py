"""Muting and unmuting, from the alerts page."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.models import Person
from wallboard.notifications import mutes
from wallboard.notifications.forms.muting import MuteForm


@require_POST
@for_role(Person.Role.SUPERVISOR)
def begin(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Mute a queue, or everything for those who see everything."""
    person = person_of(viewer)
    form = MuteForm(person.domain, viewer.limit, request.POST)
    if form.is_valid():
        mutes.begin(person, form.queue_muted(), form.ends_at(), form.cleaned_data["reason"])
        messages.success(request, _("Muted. It ends by itself."))
    else:
        messages.error(request, _("Say what to mute and why, and until when as a time of day."))
    return redirect("alerts:alerts")


@require_POST
@for_role(Person.Role.SUPERVISOR)
def end(request: HttpRequest, viewer: Viewer, mute_id: int) -> HttpResponseBase:
    """End a mute at once."""
    mute = get_object_or_404(mutes.open_now(viewer.domain_id), pk=mute_id)
    if viewer.limit.is_set and (mute.queue is None or not viewer.limit.shows_queue(mute.queue.number)):
        raise Http404
    mutes.end(mute)
    return redirect("alerts:alerts")
