"""A person's own rules, changed on the desk."""

from typing import Annotated, Literal

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.payloads import Id, parse
from wallboard.contacts.address_book import InvalidInput
from wallboard.desk import rules
from wallboard.desk.permissions import own_legs

Lines = Annotated[str, msgspec.Meta(max_length=20_000)]


class RulesRequest(msgspec.Struct):
    pop: Literal["ring", "answer", "never"]
    shows_internal: bool
    ignored: Lines
    hide_after_seconds: Annotated[int, msgspec.Meta(ge=0, le=rules.LONGEST_HIDE)]
    opens: Id | None = None
    known: Lines | None = None  # the ignored numbers that the person changed


class QuietRequest(msgspec.Struct):
    is_quiet: bool
    minutes: Annotated[int, msgspec.Meta(ge=1, le=rules.LONGEST_QUIET)] | None = None


class IgnoreRequest(msgspec.Struct):
    leg: Id
    is_ignored: bool


@require_POST
@for_role("agent")
def save_rules(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Keep the viewer's rules; the answer says what cannot be kept, or else whom they ignore now."""
    payload = parse(request, RulesRequest)
    person = person_of(viewer)
    entry = rules.RuleInput(
        payload.pop,
        payload.shows_internal,
        tuple(payload.ignored.splitlines()),
        payload.hide_after_seconds,
        payload.opens,
        None if payload.known is None else tuple(payload.known.splitlines()),
    )
    try:
        rule = rules.save(person, entry)
    except InvalidInput as error:
        # 200 with a sentence: a refusal is for the person, not a fault of the request.
        return JsonResponse({"problem": str(error)})
    return JsonResponse({"problem": "", "ignored": rules.ignored_text(rule, person.domain)})


@require_POST
@for_role("agent")
def set_quiet(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """No cards for a while, or cards again."""
    payload = parse(request, QuietRequest)
    return JsonResponse(rules.quiet_status(rules.set_quiet(person_of(viewer), payload.is_quiet, payload.minutes)))


@require_POST
@for_role("agent")
def ignore(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """No card for the caller of one's own call any more, or cards again; the answer is the list as it is now."""
    payload, me = parse(request, IgnoreRequest), person_of(viewer)
    leg = get_object_or_404(own_legs(viewer), pk=payload.leg)
    try:
        rule = rules.ignore(me, leg, payload.is_ignored)
    except InvalidInput as error:
        return JsonResponse({"problem": str(error)})
    return JsonResponse({"problem": "", "ignored": rules.ignored_text(rule, me.domain)})
