"""A person's own rules, changed on the desk."""

from typing import Annotated, Literal

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from accounts.access import Viewer, for_role
from accounts.models import Person
from wallboard.desk import rules
from wallboard.desk.asked import Id, read
from wallboard.desk.contacts import Unsaid


class Rules(msgspec.Struct):
    pop: Literal["ring", "answer", "never"]
    shows_internal: bool
    ignored: Annotated[str, msgspec.Meta(max_length=20_000)]
    hide_after_seconds: Annotated[int, msgspec.Meta(ge=0, le=rules.LONGEST_HIDE)]
    opens: Id | None = None


@require_POST
@for_role("agent")
def save_rules(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Keep the viewer's rules; the answer says what cannot be kept, or nothing."""
    asked = read(request, Rules)
    person = Person.objects.select_related("domain").get(pk=viewer.person_id or 0)
    lines = tuple(asked.ignored.splitlines())
    wish = rules.Wish(asked.pop, asked.shows_internal, lines, asked.hide_after_seconds, asked.opens)
    try:
        rules.save(person, wish)
    except Unsaid as error:
        return JsonResponse({"problem": str(error)})
    return JsonResponse({"problem": ""})
