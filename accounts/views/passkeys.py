"""Passkeys: signing in with one, and those of one's own account."""

import logging

from django.contrib import auth, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.access import Viewer, for_role
from accounts.companies import key_sites
from accounts.forms import PasskeyForm
from accounts.models import Passkey, Person, User
from accounts.signin import client_address, login, operators, passkeys, recent
from accounts.signin.password_throttle import LocalSignInForm, remember_address
from accounts.signin.start_throttle import StartThrottle

log = logging.getLogger(__name__)
MOST_TRIES = 120  # challenges for one address in ten minutes: each leaves a session behind
tries = StartThrottle(MOST_TRIES, "passkeys")


@never_cache
@require_POST
def sign_in_options(request: HttpRequest) -> HttpResponse:
    """A challenge for whoever wants to sign in with a key."""
    if tries.is_exceeded(client_address.of_request(request)):
        text = _("Too many sign-ins were begun from your address. Wait ten minutes.")
        return JsonResponse({"message": text}, status=429)
    return HttpResponse(passkeys.options_to_sign_in(request), content_type="application/json")


@never_cache
@require_POST
def sign_in(request: HttpRequest) -> HttpResponse:
    """The answer of a key: its user is signed in, and goes on to where they wanted."""
    next_path = login.safe_next(request.POST.get("next"))
    try:
        user = passkeys.user_of(request, request.POST.get("credential", ""))
    except passkeys.Refused as refusal:
        log.info("A passkey was refused: %s", refusal)
        context = {"form": LocalSignInForm(request, label_suffix=""), "next": next_path, "is_refused": True}
        context["are_passkeys_possible"] = key_sites.of(request).is_possible
        return render(request, "accounts/password.html", context, status=400)
    remember_address(user, client_address.network_of(client_address.of_request(request)))
    request.session.flush()
    auth.login(request, user, backend=login.BACKEND)
    request.session.set_expiry(None)
    return redirect(operators.first_page(request.user, next_path))


@never_cache
@require_POST
@for_role(Person.Role.AGENT)
def add_options(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """A challenge for a key that is to be added to the own account."""
    user = _owner(request)
    if not recent.is_recent(request):
        return JsonResponse({"message": _("Sign in again first: it was too long ago.")}, status=409)
    options = passkeys.options_to_make(request, passkeys.adding(user), user.get_username(), user.passkeys.all())
    return HttpResponse(options, content_type="application/json")


@never_cache
@require_POST
@for_role(Person.Role.AGENT)
def add(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Keep the key that the browser made."""
    user, form = _owner(request), PasskeyForm(request.POST)
    if not _may_change(request):
        return redirect("accounts:account")
    name = form.cleaned_data["name"] if form.is_valid() else ""
    try:
        key = passkeys.made(request, passkeys.adding(user), request.POST.get("credential", ""))
        passkeys.store(user, key, name or _("Passkey"))
    except passkeys.Refused as refusal:
        log.info("A passkey was not added: %s", refusal)
        messages.error(request, _("This passkey was not added. Try it once more, or take another one."))
    else:
        messages.success(request, _("The passkey is added. From now on you can sign in with it."))
    return redirect("accounts:account")


@never_cache
@require_POST
@for_role(Person.Role.AGENT)
def change(request: HttpRequest, viewer: Viewer, key_id: int) -> HttpResponse:
    """Give one of the own keys another name, or remove it."""
    key = get_object_or_404(Passkey, pk=key_id, user=_owner(request))
    if not _may_change(request):
        return redirect("accounts:account")
    form = PasskeyForm(request.POST)
    if request.POST.get("act") == "remove":
        try:
            passkeys.remove(key)
            messages.success(request, _("The passkey is removed. Nobody signs in with it any more."))
        except passkeys.LastWayIn:
            messages.error(request, _("Add another passkey first: this one is your only way in."))
    elif form.is_valid() and form.cleaned_data["name"]:
        passkeys.rename(key, form.cleaned_data["name"])
        messages.success(request, _("The passkey is renamed."))
    else:
        messages.error(request, _("Give the passkey a name of at most 80 characters."))
    return redirect("accounts:account")


def _owner(request: HttpRequest) -> User:
    """The local account that asks. Raises PermissionDenied for whoever signs in at the provider."""
    user = request.user
    if not isinstance(user, User) or not passkeys.may_have(user):
        raise PermissionDenied
    return user


def _may_change(request: HttpRequest) -> bool:
    """Whether the sign-in is recent enough; says so where it is not."""
    if recent.is_recent(request):
        return True
    messages.error(request, _("Sign in again first: it was too long ago."))
    return False
