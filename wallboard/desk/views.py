"""The desk page, and what its scripts ask for. Every answer is made from the viewer's own legs; all else is a 404."""

from dataclasses import asdict
from typing import Annotated, TypeVar

import msgspec
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Viewer, for_role
from accounts.models import Domain, Person
from wallboard.calls.news import call_of
from wallboard.desk import claims, contacts, history, notes
from wallboard.desk.caller import address_of
from wallboard.desk.card import card
from wallboard.desk.day import day
from wallboard.desk.models import Outcome
from wallboard.desk.reach import own_legs
from wallboard.desk.words import words

Page = Annotated[str, msgspec.Meta(min_length=8, max_length=64)]
Calls = Annotated[list[Annotated[str, msgspec.Meta(max_length=200)]], msgspec.Meta(max_length=100)]
Id = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]
ADDRESSES = ("pop", "renew", "release", "close", "note", "day", "save_contact")
T = TypeVar("T")


class Ask(msgspec.Struct):
    leg: Id
    page: Page
    take: bool = False


class Held(msgspec.Struct):
    page: Page
    calls: Calls = []


class Draft(msgspec.Struct):
    leg: Id
    text: str
    stamp: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    outcome: Id | None = None
    contact: Id | None = None


class NewContact(msgspec.Struct):
    leg: Id
    name: Annotated[str, msgspec.Meta(max_length=contacts.LONGEST_NAME)]
    company: Annotated[str, msgspec.Meta(max_length=contacts.LONGEST_NAME)] = ""


@never_cache
@require_GET
@for_role("agent")
def desk(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page; everything live comes over the socket, everything private by POST."""
    me, domain = _me(viewer), _domain(viewer)
    settings = {
        "me": {"person": me.pk, "extension": me.extension, "name": me.name},
        "zone": domain.time_zone,
        "csrf": get_token(request),
        "addresses": {name: reverse(f"desk:{name}") for name in ADDRESSES},
        "words": words(),
        "outcomes": list(Outcome.objects.filter(domain=domain, is_offered=True).values("id", "name")),
        "day": day(viewer, domain),
    }
    return render(request, "desk/desk.html", {"me": me, "page": settings})


@require_POST
@for_role("agent")
def pop(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The card of a call for the one page that shows it; for the others only where it is instead."""
    asked = _read(request, Ask)
    leg = get_object_or_404(own_legs(viewer), pk=asked.leg)
    person, call = _person_id(viewer), call_of(leg)
    if asked.take:
        claims.reopen(person, call)
    elif claims.is_closed(person, call, leg.first_seen_at):
        return JsonResponse({"closed": True})
    if not claims.claim(person, call, asked.page, take=asked.take):
        return JsonResponse({"elsewhere": True})
    return JsonResponse({"card": card(viewer, _domain(viewer), leg)})


@require_POST
@for_role("agent")
def renew(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page still shows these calls; the answer names those that another page shows by now."""
    held = _read(request, Held)
    return JsonResponse({"lost": claims.renew(_person_id(viewer), held.calls, held.page)})


@require_POST
@for_role("agent")
def release(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page goes away."""
    claims.release(_person_id(viewer), _read(request, Held).page)
    return HttpResponse(status=204)


@require_POST
@for_role("agent")
def close(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The person put these calls away."""
    held = _read(request, Held)
    claims.close(_person_id(viewer), held.calls, held.page)
    return HttpResponse(status=204)


@require_POST
@for_role("agent")
def note(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Keep what the person typed; the answer is what is kept now."""
    draft = _read(request, Draft)
    leg = get_object_or_404(own_legs(viewer), pk=draft.leg)
    return JsonResponse(asdict(notes.save(_me(viewer), leg, draft.text, draft.stamp, draft.outcome, draft.contact)))


@require_POST
@for_role("agent")
def save_contact(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Save the caller of one's own call as a contact; the answer is the contact."""
    wish = _read(request, NewContact)
    leg, domain = get_object_or_404(own_legs(viewer), pk=wish.leg), _domain(viewer)
    address = address_of(domain, leg, history.names(domain.pk, [leg]))
    try:
        contact = contacts.save_caller(domain, address, wish.name, wish.company)
    except contacts.Unsaid as error:
        raise BadRequest(str(error)) from error
    return JsonResponse(contacts.as_news(contact))


@never_cache
@require_GET
@for_role("agent")
def today(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The viewer's own calls and figures of today."""
    return JsonResponse(day(viewer, _domain(viewer)))


def _read(request: HttpRequest, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(request.body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest("The body is not what this address takes.") from error


def _me(viewer: Viewer) -> Person:
    return Person.objects.get(pk=_person_id(viewer))


def _domain(viewer: Viewer) -> Domain:
    return Domain.objects.get(pk=viewer.domain_id)


def _person_id(viewer: Viewer) -> int:
    assert viewer.person_id is not None  # for_role lets no screen in
    return viewer.person_id
