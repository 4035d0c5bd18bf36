"""A person's own rules, changed on the desk."""

from typing import Annotated, Literal

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from accounts.access import Viewer, for_role, person_of
from wallboard.desk import rules
from wallboard.desk.asked import Id, read
from wallboard.desk.contacts import Unsaid
from wallboard.desk.reach import own_legs


class Rules(msgspec.Struct):
    pop: Literal["ring", "answer", "never"]
    shows_internal: bool
    ignored: Annotated[str, msgspec.Meta(max_length=20_000)]
    hide_after_seconds: Annotated[int, msgspec.Meta(ge=0, le=rules.LONGEST_HIDE)]
    opens: Id | None = None


class Quiet(msgspec.Struct):
    is_quiet: bool
    minutes: Annotated[int, msgspec.Meta(ge=1, le=rules.LONGEST_QUIET)] | None = None


class Ignored(msgspec.Struct):
    leg: Id
    is_ignored: bool


@require_POST
@for_role("agent")
def save_rules(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Keep the viewer's rules; the answer says what cannot be kept, or nothing."""
    asked = read(request, Rules)
    person = person_of(viewer)
    lines = tuple(asked.ignored.splitlines())
    wish = rules.Wish(asked.pop, asked.shows_internal, lines, asked.hide_after_seconds, asked.opens)
    try:
        rules.save(person, wish)
    except Unsaid as error:
        return JsonResponse({"problem": str(error)})
    return JsonResponse({"problem": ""})


@require_POST
@for_role("agent")
def be_quiet(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """No cards for a while, or cards again."""
    asked = read(request, Quiet)
    return JsonResponse(rules.quiet_news(rules.be_quiet(person_of(viewer), asked.is_quiet, asked.minutes)))


@require_POST
@for_role("agent")
def ignore(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """No card for the caller of one's own call any more, or cards again; the answer is the list as it is now."""
    asked, me = read(request, Ignored), person_of(viewer)
    leg = get_object_or_404(own_legs(viewer), pk=asked.leg)
    try:
        rule = rules.ignore(me, leg, asked.is_ignored)
    except Unsaid as error:
        return JsonResponse({"problem": str(error)})
    return JsonResponse({"problem": "", "ignored": rules.ignored_text(rule, me.domain)})
