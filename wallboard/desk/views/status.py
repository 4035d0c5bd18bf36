"""A person's own status, set and cleared on the desk."""

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.models import Person
from accounts.payloads import parse
from wallboard.calls.models import Presence
from wallboard.calls.presence import statuses
from wallboard.calls.presence.documents import status_document
from wallboard.calls.presence.status_form import StatusForm
from wallboard.calls.presence.statuses import InvalidStatus


class StatusRequest(msgspec.Struct):
    """The fields of StatusForm as they stand in the page; an empty `status` clears it."""

    status: str = ""
    note: str = ""
    back: str = ""
    until: str = ""


@require_POST
@for_role("agent")
def set_status(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Set the viewer's status, or clear it; the answer is the status now, and why it could not be set, or nothing."""
    payload, person = parse(request, StatusRequest), person_of(viewer)
    try:
        _store(person, payload)
        problem = ""
    except InvalidStatus as error:
        problem = str(error)
    return JsonResponse({"problem": problem, "status": current_status(person.pk)})


def current_status(person_id: int) -> dict[str, Any] | None:
    """What the person says of themself now, as the feed `people` tells it."""
    presence = Presence.objects.filter(person_id=person_id).first()
    document = status_document(presence) if presence else None
    return msgspec.to_builtins(document) if document else None


def _store(person: Person, payload: StatusRequest) -> None:
    if not payload.status:
        return statuses.clear_status(person)
    # The form of the page of the people, so that both refuse the same.
    form = StatusForm(msgspec.to_builtins(payload))
    if not form.is_valid():
        raise InvalidStatus(" ".join(str(error) for errors in form.errors.values() for error in errors))
    until = form.moment(person.domain.time_zone, timezone.now())
    return statuses.set_status(person, form.cleaned_data["status"], form.cleaned_data["note"], until)
