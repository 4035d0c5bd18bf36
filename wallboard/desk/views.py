"""The desk page, and what its scripts ask for. Every answer is made from the viewer's own legs; all else is a 404."""

from dataclasses import asdict
from typing import Annotated

import msgspec
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import audit
from accounts.access import Viewer, for_role, person_of
from accounts.models import Domain
from wallboard.calls import places
from wallboard.calls.news import call_of
from wallboard.desk import claims, contacts, history, notes, rules
from wallboard.desk.asked import Id, read
from wallboard.desk.caller import address_of, from_there
from wallboard.desk.card import card
from wallboard.desk.day import day
from wallboard.desk.models import Link, Rule
from wallboard.desk.reach import is_dialled, reachable_legs
from wallboard.desk.words import words

Page = Annotated[str, msgspec.Meta(min_length=8, max_length=64)]
Calls = Annotated[list[Annotated[str, msgspec.Meta(max_length=200)]], msgspec.Meta(max_length=100)]
ADDRESSES = (
    "pop",
    "renew",
    "release",
    "close",
    "note",
    "day",
    "save_contact",
    "save_rules",
    "be_quiet",
    "ignore",
    "call_backs",
    "change_call_back",
)


class Ask(msgspec.Struct):
    leg: Id
    page: Page
    take: bool = False
    contact: Id | None = None


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
    places.warm()
    me = person_of(viewer)
    domain = me.domain
    rule = rules.of(me.pk)
    settings = {
        "me": {"person": me.pk, "extension": me.extension, "name": me.name},
        "zone": domain.time_zone,
        "csrf": get_token(request),
        "addresses": {name: reverse(f"desk:{name}") for name in ADDRESSES},
        "words": words(),
        "day": day(viewer, domain),
        "rules": {"hide_after_seconds": rule.hide_after_seconds, "opens": rule.opens_id},
        "quiet": rules.quiet_news(rule),
    }
    context = {
        "me": me,
        "page": settings,
        "rule": rule,
        "pops": Rule.Pop.choices,
        "ignored": rules.ignored_text(rule, domain),
        "links": Link.objects.filter(domain=domain),
    }
    return render(request, "desk/desk.html", context)


@require_POST
@for_role("agent")
def pop(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The card of a call for the one page that shows it; for the others only where it is instead."""
    asked = read(request, Ask)
    leg = get_object_or_404(reachable_legs(viewer), pk=asked.leg)
    person, call = _person_id(viewer), call_of(leg)
    domain = _domain(viewer)
    is_wanted = asked.take or is_dialled(viewer, leg)
    verdict = "pop" if is_wanted else rules.verdict(rules.of(person), domain, leg)
    if verdict != "pop":
        return JsonResponse({verdict: True})
    if asked.take:
        claims.reopen(person, call)
    elif claims.is_closed(person, call, leg.first_seen_at):
        return JsonResponse({"closed": True})
    if not claims.claim(person, call, asked.page, take=asked.take):
        return JsonResponse({"elsewhere": True})
    audit.note(viewer.domain_id, "caller looked at", leg.caller_e164, once=f"{viewer.domain_id}:{call}")
    return JsonResponse({"card": card(viewer, domain, leg, asked.contact)})


@require_POST
@for_role("agent")
def renew(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page still shows these calls; the answer names those that another page shows by now."""
    held = read(request, Held)
    return JsonResponse({"lost": claims.renew(_person_id(viewer), held.calls, held.page)})


@require_POST
@for_role("agent")
def release(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page goes away."""
    claims.release(_person_id(viewer), read(request, Held).page)
    return HttpResponse(status=204)


@require_POST
@for_role("agent")
def close(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The person put these calls away."""
    held = read(request, Held)
    claims.close(_person_id(viewer), held.calls, held.page)
    return HttpResponse(status=204)


@require_POST
@for_role("agent")
def note(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Keep what the person typed; the answer is what is kept now."""
    draft = read(request, Draft)
    leg = get_object_or_404(reachable_legs(viewer), pk=draft.leg)
    me = person_of(viewer)
    return JsonResponse(asdict(notes.save(me, leg, draft.text, draft.stamp, draft.outcome, draft.contact)))


@require_POST
@for_role("agent")
def save_contact(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Save whoever is at the other end of one's own call as a contact; the answer is the contact."""
    wish = read(request, NewContact)
    leg, domain = get_object_or_404(reachable_legs(viewer), pk=wish.leg), _domain(viewer)
    seen = from_there(leg) if is_dialled(viewer, leg) else leg
    address = address_of(domain, seen, history.names(domain.pk, [leg]))
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
    told = day(viewer, _domain(viewer), request.GET.get("q", "")[:100])
    return JsonResponse(told | {"quiet": rules.quiet_news(rules.of(_person_id(viewer)))})


def _domain(viewer: Viewer) -> Domain:
    return Domain.objects.get(pk=viewer.domain_id)


def _person_id(viewer: Viewer) -> int:
    assert viewer.person_id is not None  # for_role lets no screen in
    return viewer.person_id
