"""Everybody at the company and what they are at, live; one's own favourites, and what one says of oneself."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import audit
from accounts.access import Viewer, for_role, person_of
from accounts.models import Domain, Person
from wallboard.boards import reach, set_sheets
from wallboard.boards.words import board_words
from wallboard.calls import exports, favourites, statuses
from wallboard.calls.models import Presence
from wallboard.calls.statuses import BadStatus

MINUTES = (15, 30, 60)
BACK_AT, OPEN_END = "at", ""


class StatusForm(forms.Form):
    """What one says of oneself, and when it ends: in so many minutes, at a time of the clock, or when taken back."""

    word = forms.ChoiceField(choices=[each for each in Presence.Said.choices if each[0]])
    note = forms.CharField(max_length=statuses.LONGEST_NOTE, required=False)
    back = forms.ChoiceField(
        choices=[(OPEN_END, ""), *((str(each), "") for each in MINUTES), (BACK_AT, "")], required=False
    )
    until = forms.TimeField(required=False, error_messages={"invalid": gettext_lazy("Write the time like 13:30.")})

    def clean(self) -> dict[str, Any]:
        """Somebody who says that they are back at a time says at which."""
        cleaned = super().clean() or {}
        if cleaned.get("back") == BACK_AT and "until" not in self.errors and cleaned.get("until") is None:
            raise forms.ValidationError(_("Write when you will be back, like 13:30."))
        return cleaned

    def moment(self, zone: str, now: datetime) -> datetime | None:
        """When it ends; None for an open end. Raises BadStatus."""
        back, until = self.cleaned_data["back"], self.cleaned_data["until"]
        if back == BACK_AT:
            return statuses.moment_of(until, zone, now)
        return now + timedelta(minutes=int(back)) if back else None


class Wish(msgspec.Struct):
    """A favourite to be kept or dropped."""

    extension: str
    is_favourite: bool


@never_cache
@require_GET
@for_role(Person.Role.AGENT)
def people(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page is a shell; presences and the calls that the viewer may see come over the socket of any board."""
    board = next(iter(reach.boards(viewer)), None)
    domain = Domain.objects.get(pk=viewer.domain_id)
    if request.GET.get("as") == "csv":
        return sheet(viewer, domain)
    own = Presence.objects.filter(person_id=viewer.person_id or 0).first() or Presence()
    context = {
        "own": own,
        "choices": [each for each in Presence.Said.choices if each[0]],
        "minutes": MINUTES,
        "longest_note": statuses.LONGEST_NOTE,
        "zone": domain.time_zone,
        "page": {
            "own": viewer.extension,
            "socket": f"board={board.slug}" if board else "desk=1",
            "calls": "calls" if viewer.may(Person.Role.SUPERVISOR) else "wall",
            "favourites": [each for each in favourites.of(viewer.person_id or 0) if viewer.limit.shows_person(each)],
            "zone": domain.time_zone,
            "csrf": get_token(request),
            "keep": reverse("boards:keep_favourite"),
            "words": {**board_words(), **people_words()},
        },
    }
    return render(request, "boards/people.html", context)


def sheet(viewer: Viewer, domain: Domain) -> HttpResponse:
    """Everybody as a table, for supervisors."""
    if not viewer.may(Person.Role.SUPERVISOR):
        raise PermissionDenied
    audit.note(domain.pk, "people exported", "")
    return exports.download(set_sheets.of_people(domain, viewer.limit), "people.csv")


def people_words() -> dict[str, Any]:
    """What the scripts of this page say beside the words that they share with boards."""
    return {
        "call": _("Call {name}, extension {extension}"),
        "favourite": _("{name} is a favourite"),
        "with": _("with {name}"),
        "since_time": _("since {time}"),
        "says": _("says: {what}"),
        "found": _("{n} of {of} people"),
        "everybody": _("{n} people"),
        "more": _("Show {n} more"),
        "no_events": _("Call events do not arrive: what phones do is not known. {note}"),
        "not_kept": _("The favourite could not be kept. Try again."),
    }


@require_POST
@for_role(Person.Role.AGENT)
def say(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Say what one is at, or take it back; boards and desks show it at once."""
    person = person_of(viewer)
    if request.POST.get("act") == "retract":
        statuses.retract(person)
        return redirect("boards:people")
    form = StatusForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect("boards:people")
    try:
        until = form.moment(person.domain.time_zone, timezone.now())
        statuses.say(person, form.cleaned_data["word"], form.cleaned_data["note"], until)
    except BadStatus as refusal:
        messages.error(request, str(refusal))
    return redirect("boards:people")


@require_POST
@for_role(Person.Role.AGENT)
def keep_favourite(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Put a colleague among the viewer's favourites, or take them off."""
    try:
        wish = msgspec.json.decode(request.body, type=Wish)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest("The body is not what this address takes.") from error
    owner = person_of(viewer)
    extension = wish.extension.replace("\0", "")
    person = get_object_or_404(Person, domain_id=viewer.domain_id, extension=extension, is_hidden=False)
    if not viewer.limit.shows_person(extension):
        raise Http404
    try:
        favourites.keep(owner, person, wish.is_favourite)
    except favourites.TooMany:
        return HttpResponse(status=409)
    return HttpResponse(status=204)
