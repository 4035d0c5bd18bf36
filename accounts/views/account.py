"""One's own account, and signing out."""

from django.contrib import auth, messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.companies import key_sites
from accounts.forms import PasskeyForm
from accounts.languages import choosing
from accounts.models import User
from accounts.posting import way_back
from accounts.signin import passkeys, recent, sessions


@never_cache
@login_required
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Who I am here, until when, and the ways out."""
    context: dict[str, object] = {"has_passkeys": passkeys.may_have(request.user)}
    if isinstance(request.user, User) and context["has_passkeys"]:
        context |= {
            "passkeys": request.user.passkeys.all(),
            "site": key_sites.of(request),
            "is_recent": recent.is_recent(request),
            "passkey_form": PasskeyForm(),
        }
    assert isinstance(request.user, User)
    context |= {"languages": choosing.choices(_("as the browser asks")), "language": request.user.language}
    return render(request, "accounts/account.html", context)


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """In which language pages and messages come to whoever is signed in, in every browser."""
    if not isinstance(request.user, User):
        return way_back.to_sign_in(request)
    choosing.choose(request.user, request.POST.get("language", ""))
    return redirect("accounts:account")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End this session; the user's open pages elsewhere only connect again."""
    # Before signing out, after which nobody is left to name.
    user_id = request.user.pk
    answer = _signed_out(request, _("You are signed out."))
    if user_id:
        sessions.close_sockets(user_id)
    return answer


@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End all sessions of the user, in every browser."""
    if isinstance(request.user, User):
        sessions.end(request.user.pk)
    return _signed_out(request, _("You are signed out in every browser."))


def _signed_out(request: HttpRequest, text: str) -> HttpResponse:
    auth.logout(request)
    messages.success(request, text)
    return redirect("accounts:login")
