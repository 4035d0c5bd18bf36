"""Where somebody waits whose extension the provider does not tell, until a call or an administrator does."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts import access
from accounts.models import Grant, LinkNumber, User
from accounts.signin import linking, login, proof_texts

NONE = "····"


@never_cache
@login_required
@require_GET
def link_page(request: HttpRequest) -> HttpResponse:
    """The number to dial, or what else there is to do; whoever is linked goes on to where they wanted."""
    if access.viewer_of(request.user):
        return redirect(login.safe_next(request.session.pop(login.NEXT, "/")))
    state = _state(request)
    settings = {
        "state": state,
        "urls": {"state": reverse("accounts:link_state"), "number": _number_address()},
        # The cookie is HttpOnly, so a script cannot read it.
        "csrf": get_token(request),
        "texts": {"counts": _("It counts for {time} more."), "none": NONE},
    }
    waiting = request.user if isinstance(request.user, User) and linking.domain_of(request.user) else None
    grant = Grant.objects.filter(user=waiting).select_related("domain").first() if waiting else None
    context = {
        "page": settings,
        "state": state,
        "is_waiting": waiting is not None,
        "reasons": proof_texts.reasons(grant) if grant else [],
        "number_address": _number_address(),
    }
    return render(request, "accounts/link.html", context)


@never_cache
@require_GET
def link_state(request: HttpRequest) -> JsonResponse:
    """Whether the waiting is over, and what became of the number; the page asks every other second."""
    # Not login_required: a script wants JSON and follows no redirect to a page.
    if not request.user.is_authenticated or access.viewer_of(request.user) is not None:
        return JsonResponse({"is_over": True})
    return JsonResponse(_state(request))


def _state(request: HttpRequest) -> dict[str, Any]:
    """What the page shows; a call that has settled links the user first."""
    user = request.user
    if not isinstance(user, User) or linking.domain_of(user) is None:
        return {"is_over": False, "number": "", "seconds": 0, "message": ""}
    if person := linking.settle(user):
        messages.success(request, _("Your phone is linked: you are extension %(who)s.") % {"who": person.extension})
        return {"is_over": True}
    open_number = linking.open_number(user)
    return {
        "is_over": False,
        "number": open_number.number if open_number else "",
        "seconds": int((open_number.until - timezone.now()).total_seconds()) if open_number else 0,
        "message": _status_text(open_number, linking.recent_refusal(user)),
    }


def _number_address() -> str:
    """Where a number is asked for: a room that knows the queues answers there."""
    return reverse("accounts:link") + "number/"


def _status_text(open_number: LinkNumber | None, refused: LinkNumber | None) -> str:
    """What just happened, in a sentence; "" while nothing did."""
    if open_number and open_number.extension:
        return _("Your call was seen. One moment …")
    if refused is None:
        return ""
    if refused.outcome == LinkNumber.Outcome.TAKEN:
        text = _("Extension %(extension)s belongs to another sign-in already. An administrator can replace it.")
        return text % {"extension": refused.extension}
    if refused.outcome == LinkNumber.Outcome.CONFIRM:
        text = _(
            "Your call from %(extension)s was seen. This extension has more rights than an agent's, so an "
            "administrator has to confirm you."
        )
        return text % {"extension": refused.extension}
    if refused.outcome == LinkNumber.Outcome.DIFFERS:
        text = _("You dialled from %(extension)s, and the provider names another extension. An administrator decides.")
        return text % {"extension": refused.extension}
    return _("Two phones dialled the number before this one, so neither was linked. Try again with this one.")
