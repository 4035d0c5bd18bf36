"""Everybody at the company and what their phones do, live; one's own favourites and status."""

from typing import Any

import msgspec
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import audit, payloads
from accounts.access import Viewer, for_role, person_of
from accounts.languages.plurals import counted
from accounts.models import Domain, Person
from accounts.sheets import answers
from wallboard.calls.presence import favourites, sheet, statuses
from wallboard.calls.presence.status_form import StatusForm, choices_for
from wallboard.calls.presence.statuses import InvalidStatus
from wallboard.calls.texts import live_texts


class FavouriteInput(msgspec.Struct):
    """Whether somebody is to be a favourite."""

    extension: str
    is_favourite: bool


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def people(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The page is a shell; presences and the calls that the viewer may see come over the socket."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    if kind := answers.kind_of(request.GET):
        return as_sheet(kind, viewer, domain)
    context = {
        **choices_for(viewer.person_id or 0, domain),
        "page": {
            "own": viewer.extension,
            "socket": "people=1",
            "calls": "calls" if viewer.may(Person.Role.SUPERVISOR) else "wall",
            "favourites": [each for each in favourites.of(viewer.person_id or 0) if viewer.limit.shows_person(each)],
            "zone": domain.time_zone,
            "csrf": get_token(request),
            "keep": reverse("calls:set_favourite"),
            "texts": {**live_texts(), **people_texts()},
        },
    }
    return render(request, "calls/people.html", context)


def as_sheet(kind: str, viewer: Viewer, domain: Domain) -> HttpResponseBase:
    """Everybody as a table, for supervisors."""
    if not viewer.may(Person.Role.SUPERVISOR):
        raise PermissionDenied
    audit.log(domain.pk, "people exported", "")
    return answers.download(kind, sheet.of_people(domain, viewer.limit), "people", domain.clock)


def people_texts() -> dict[str, Any]:
    """What the scripts of this page say beside the words that they share with boards."""
    return {
        "call": _("Call {name}, extension {extension}"),
        "favourite": _("{name} is a favourite"),
        "with": _("with {name}"),
        "since_time": _("since {time}"),
        "says": _("status: {what}"),
        "found": _("{n} of {of} people"),
        "everybody": counted(lambda n: ngettext("{n} person", "{n} people", n)),
        "more": _("Show {n} more"),
        "no_events": _("Call events do not arrive: what phones do is not known. {note}"),
        "not_kept": _("The favourite could not be kept. Try again."),
    }


@require_POST
@for_role(Person.Role.AGENT)
def set_status(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Set your status, or clear it; boards and desks show it at once."""
    person = person_of(viewer)
    if request.POST.get("act") == "clear":
        statuses.clear_status(person)
        return redirect("calls:people")
    form = StatusForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect("calls:people")
    try:
        until = form.moment(person.domain.time_zone, timezone.now())
        statuses.set_status(person, form.cleaned_data["status"], form.cleaned_data["note"], until)
    except InvalidStatus as refusal:
        messages.error(request, str(refusal))
    return redirect("calls:people")


@require_POST
@for_role(Person.Role.AGENT)
def set_favourite(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Put a colleague among the viewer's favourites, or take them off."""
    wanted = payloads.parse(request, FavouriteInput)
    owner = person_of(viewer)
    # PostgreSQL refuses a NUL, even to compare with.
    extension = wanted.extension.replace("\0", "")
    person = get_object_or_404(Person, domain_id=viewer.domain_id, extension=extension, is_hidden=False)
    # As if nobody had this extension: the answer must not tell who is outside the limit.
    if not viewer.limit.shows_person(extension):
        raise Http404
    try:
        favourites.set_favourite(owner, person, wanted.is_favourite)
    except favourites.TooManyFavourites:
        return HttpResponse(status=409)
    return HttpResponse(status=204)
