"""The number that somebody who waits to be linked dials from their phone: only this room knows which ones are free."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import Domain, User
from accounts.signin import linking
from wallboard.calls import linking as calls


@never_cache
@require_http_methods(["GET", "POST"])
def number(request: HttpRequest) -> HttpResponse:
    """Show a new number to whoever waits to be linked; a script hears how that went, a form leads back to the page.

    Asked with GET, nothing new is shown; a script hears what there is to say beside the number now.
    """
    user = request.user if isinstance(request.user, User) else None
    if request.method == "GET":
        domain = linking.domain_of(user) if user else None
        return JsonResponse({"message": _doubt(domain) if domain else ""})
    is_shown, warning = _show(user) if user else (False, "")
    if request.accepts("text/html"):
        if warning:
            messages.warning(request, warning)
        return redirect("accounts:link")
    return JsonResponse({"is_shown": is_shown, "message": warning})


def _show(user: User) -> tuple[bool, str]:
    """Whether there is a new number, and what should be said beside it."""
    domain = linking.domain_of(user)
    if domain is None:
        return False, ""
    try:
        linking.issue_number(user, domain, calls.taken(domain))
    except (linking.TooMany, linking.NoneFree):
        return False, _(
            "There is no further number for now. Let an administrator confirm you, or come back in an hour."
        )
    # The number is shown all the same: events may start while the person dials.
    return True, _doubt(domain)


def _doubt(domain: Domain) -> str:
    """Why dialling may lead to nothing now; "" where nothing speaks against it."""
    if calls.is_heard(domain):
        return ""
    return _("No call events come in at the moment, so a call cannot be seen. An administrator can confirm you.")
