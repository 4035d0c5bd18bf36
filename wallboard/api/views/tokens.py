"""The page of tokens, for administrators: make one, see when each was used last, revoke it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import Viewer, for_role, person_of
from accounts.models import Domain, Person
from accounts.posting import shown_once
from wallboard.api import tokens as keys
from wallboard.api.forms import TokenForm
from wallboard.api.models import Token
from wallboard.api.scopes import SCOPES


@never_cache
@require_http_methods(["GET", "POST"])
@for_role(Person.Role.ADMINISTRATOR)
def tokens(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All tokens of the company; a POST makes one, and the page shows it this once."""
    domain = Domain.objects.get(pk=viewer.domain_id)
    form = TokenForm(domain, request.POST if request.method == "POST" else None)
    if form.is_bound and keys.alive(domain).count() >= keys.MOST_TOKENS:
        form.add_error(None, _("There are as many tokens as there can be. Revoke one first."))
    if form.is_valid():
        wanted, person = form.wanted(), person_of(viewer)
        return shown_once.answer(request, lambda: (request.path, keys.make(domain, wanted, person)[1]))
    context = {
        "form": form,
        "text": shown_once.take(request),
        "alive": [(each, named(each)) for each in keys.alive(domain)],
        "revoked": keys.revoked(domain),
        "clock": domain.clock,
        "zone": domain.time_zone,
        "api_address": request.build_absolute_uri("/api/v1/openapi.json"),
    }
    return render(request, "api/tokens.html", context, status=400 if form.is_bound else 200)


def named(token: Token) -> list[str]:
    """What a token may ask for, in words."""
    return [str(SCOPES[scope]) for scope in token.scopes if scope in SCOPES]


@require_POST
@for_role(Person.Role.ADMINISTRATOR)
def revoke(request: HttpRequest, viewer: Viewer, token_id: int) -> HttpResponseBase:
    """End a token: its program is refused from now on."""
    token = get_object_or_404(Token, pk=token_id, domain_id=viewer.domain_id)
    if keys.revoke(token):
        messages.success(request, _("%(name)s is revoked. Its open streams end at once.") % {"name": token})
    return redirect("api:tokens")
