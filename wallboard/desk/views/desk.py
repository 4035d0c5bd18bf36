"""The desk page, and what its scripts ask for. Every answer is made from the viewer's own legs; all else is a 404."""

from dataclasses import asdict
from typing import Annotated, Any

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
from accounts.payloads import Id, parse
from accounts.signin import joining
from wallboard.calls import places
from wallboard.calls.documents import call_of
from wallboard.calls.models import Leg
from wallboard.calls.presence.status_form import choices_for
from wallboard.contacts import address_book
from wallboard.contacts.models import Link
from wallboard.desk import claims, notes, rules
from wallboard.desk.agent_day import day
from wallboard.desk.card import call_history
from wallboard.desk.card.caller import caller_id_of, swap_ends
from wallboard.desk.card.card import card
from wallboard.desk.models import Rule
from wallboard.desk.permissions import is_dialled, reachable_legs
from wallboard.desk.texts import texts
from wallboard.desk.views.status import current_status

NO_NUL = r"^[^\x00]*$"  # which PostgreSQL takes in no text
Page = Annotated[str, msgspec.Meta(min_length=8, max_length=64, pattern=NO_NUL)]
LAST_STAMP = 2**53  # as far as JavaScript counts
Calls = Annotated[list[Annotated[str, msgspec.Meta(max_length=200, pattern=NO_NUL)]], msgspec.Meta(max_length=100)]
URLS = (
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
    "set_status",
)


class PopRequest(msgspec.Struct):
    leg: Id
    page: Page
    take: bool = False
    contact: Id | None = None


class HeldCalls(msgspec.Struct):
    page: Page
    calls: Calls = []


class NoteRequest(msgspec.Struct):
    leg: Id
    text: str
    stamp: Annotated[int, msgspec.Meta(ge=1, le=LAST_STAMP)]
    outcome: Id | None = None
    contact: Id | None = None
    known: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=LAST_STAMP)]], msgspec.Meta(max_length=100)] | None = (
        None
    )


class ContactRequest(msgspec.Struct):
    leg: Id
    name: Annotated[str, msgspec.Meta(max_length=address_book.LONGEST_NAME)]
    company: Annotated[str, msgspec.Meta(max_length=address_book.LONGEST_NAME)] = ""


@never_cache
@require_GET
@for_role("agent")
def desk(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page; everything live comes over the socket, everything private by POST."""
    # While the page loads: the first card then need not wait for the table of countries.
    places.warm()
    me = person_of(viewer)
    domain = me.domain
    rule = rules.rule_of(me.pk)
    settings: dict[str, Any] = {
        "me": {"person": me.pk, "extension": me.extension, "name": me.name},
        "zone": domain.time_zone,
        "csrf": get_token(request),
        "urls": {name: reverse(f"desk:{name}") for name in URLS},
        "texts": texts(),
        "day": day(viewer, domain),
        "rules": {"hide_after_seconds": rule.hide_after_seconds, "opens": rule.opens_id},
        "quiet": rules.quiet_status(rule),
        "status": current_status(me.pk),
    }
    if Domain.objects.filter(pk=domain.pk, caller_source__is_on=True).exists():  # set up in a later room
        settings["urls"] |= {"record": reverse("setup:caller_record")}
    context = {
        **choices_for(me.pk, domain),
        "me": me,
        "has_phone": me.extension != joining.LOCAL_EXTENSION,
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
    payload = parse(request, PopRequest)
    leg = get_object_or_404(reachable_legs(viewer), pk=payload.leg)
    person, call = _person_id(viewer), call_of(leg)
    domain = _domain(viewer)
    verdict = "pop" if payload.take else _verdict(viewer, rules.rule_of(person), domain, leg)
    if verdict != "pop":
        return JsonResponse({verdict: True})
    # Asked for by hand: neither rules nor a card that was put away stand against it.
    if payload.take:
        claims.reopen(person, call)
    elif claims.is_closed(person, call, leg.first_seen_at):
        return JsonResponse({"closed": True})
    if not claims.claim(person, call, payload.page, take=payload.take):
        return JsonResponse({"elsewhere": True})
    # Once per call, however often its pages ask for the card.
    audit.log(viewer.domain_id, "caller looked at", leg.caller_e164, once=f"{viewer.domain_id}:{call}")
    return JsonResponse({"card": card(viewer, domain, leg, payload.contact)})


def _verdict(viewer: Viewer, rule: Rule, domain: Domain, leg: Leg) -> str:
    return rules.decide_dialled(rule, leg) if is_dialled(viewer, leg) else rules.decide(rule, domain, leg)


@require_POST
@for_role("agent")
def renew(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page still shows these calls; the answer names those that another page shows by now."""
    held = parse(request, HeldCalls)
    return JsonResponse({"lost": claims.renew(_person_id(viewer), held.calls, held.page)})


@require_POST
@for_role("agent")
def release(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The page goes away."""
    claims.release(_person_id(viewer), parse(request, HeldCalls).page)
    return HttpResponse(status=204)


@require_POST
@for_role("agent")
def close(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The person put these calls away."""
    held = parse(request, HeldCalls)
    claims.close(_person_id(viewer), held.calls, held.page)
    return HttpResponse(status=204)


@require_POST
@for_role("agent")
def note(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Keep what the person typed; the answer is what is kept now."""
    draft = parse(request, NoteRequest)
    leg = get_object_or_404(reachable_legs(viewer), pk=draft.leg)
    me = person_of(viewer)
    kept = notes.save(me, leg, draft.text, draft.stamp, draft.outcome, draft.contact, draft.known)
    return JsonResponse(asdict(kept))


@require_POST
@for_role("agent")
def save_contact(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Save whoever is at the other end of one's own call as a contact; the answer is the contact."""
    payload = parse(request, ContactRequest)
    leg, domain = get_object_or_404(reachable_legs(viewer), pk=payload.leg), _domain(viewer)
    # The other end is the contact, whoever of both dialled.
    seen = swap_ends(leg) if is_dialled(viewer, leg) else leg
    address = caller_id_of(domain, seen, call_history.names_of(domain.pk, [leg]))
    try:
        contact = address_book.save_caller(domain, address, payload.name, payload.company)
    except address_book.InvalidInput as error:
        raise BadRequest(str(error)) from error
    return JsonResponse(address_book.as_document(contact))


@never_cache
@require_GET
@for_role("agent")
def today(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The viewer's own calls and figures of today."""
    document = day(viewer, _domain(viewer), request.GET.get("q", "")[:100])
    return JsonResponse(document | {"quiet": rules.quiet_status(rules.rule_of(_person_id(viewer)))})


def _domain(viewer: Viewer) -> Domain:
    return Domain.objects.get(pk=viewer.domain_id)


def _person_id(viewer: Viewer) -> int:
    assert viewer.person_id is not None  # for_role lets no screen in
    return viewer.person_id
