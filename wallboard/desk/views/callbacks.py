"""The list of callers to be rung back, on the desk."""

from typing import Annotated, Literal

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import audit
from accounts.access import Viewer, for_role, person_of
from accounts.models import Domain, Person
from accounts.payloads import parse
from accounts.sheets import answers
from wallboard.desk import callback_sheet, callbacks
from wallboard.figures import words


class ChangeRequest(msgspec.Struct):
    number: Annotated[str, msgspec.Meta(min_length=2, max_length=64)]
    act: Literal["take", "leave", "done", "snooze"]


@never_cache
@require_GET
@for_role("agent")
def call_backs(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The open call-backs of the company; for supervisors as a sheet too."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    if not (kind := answers.kind_of(request.GET)):
        return JsonResponse(callbacks.callback_list(viewer, domain))
    if not viewer.may(Person.Role.SUPERVISOR):
        raise PermissionDenied
    audit.log(domain.pk, "call-backs exported", "")
    told = words.head_cells(callback_sheet.FIGURES) if words.wants_words(request.GET) else ()
    return answers.download(kind, callback_sheet.lines(viewer, domain), "call-backs", domain.clock, told)


@require_POST
@for_role("agent")
def change_call_back(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Take, leave, finish or put off one of them; the answer is the list as it is now."""
    payload = parse(request, ChangeRequest)
    person = person_of(viewer)
    is_done = callbacks.change(person.domain, person, payload.number, payload.act)
    return JsonResponse(callbacks.callback_list(viewer, person.domain) | {"is_done": is_done})
