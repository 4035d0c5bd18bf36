"""The page behind the address that `manage.py setup` prints: whoever opens it makes the first administrator.

The account signs in with a passkey or with a password, as is chosen there.

It shows nothing about the company, spends its key only when the account is made, and answers every wrong, used or old
key alike, so a hostile visitor learns nothing but that there is such an address.
"""

import logging

from django.contrib import auth, messages
from django.contrib.auth.forms import BaseUserCreationForm
from django.db import transaction
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.companies import key_sites
from accounts.models import User
from accounts.signin import client_address, passkeys
from accounts.signin.login import BACKEND
from accounts.signin.start_throttle import StartThrottle
from wallboard.setup import first_key

log = logging.getLogger(__name__)
MOST_TRIES = 30  # from one address in ten minutes, right ones included
tries = StartThrottle(MOST_TRIES, "setup-first")


class FirstForm(BaseUserCreationForm):  # type: ignore[type-arg]
    """A name to sign in with, and a password that Django's validators take."""

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": gettext_lazy("User name")}
        help_texts = {"username": ""}


class NameForm(ModelForm):  # type: ignore[type-arg]
    """A name alone, for whoever signs in with a passkey."""

    class Meta:
        model = User
        fields = ("username",)


@never_cache
@require_http_methods(["GET", "POST"])
def first(request: HttpRequest, key: str) -> HttpResponse:
    """The form, or the way on into the wizard once the account is made."""
    try:
        response = _first(request, key)
    except first_key.Spent:
        response = render(request, "setup/first_gone.html", status=404)
    # Style sheets must not carry the key into a log; “no-referrer” would take the origin off our own form.
    response["Referrer-Policy"] = "strict-origin"
    return response


@never_cache
@require_POST
def passkey_options(request: HttpRequest, key: str) -> HttpResponse:
    """A challenge for the key of the account that is about to be made under this name."""
    if tries.is_exceeded(client_address.of_request(request)):
        return JsonResponse({"message": _("Too many tries. Wait ten minutes.")}, status=429)
    if not first_key.is_good(key):
        raise Http404
    form = NameForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"message": " ".join(map(str, form.errors["username"]))}, status=400)
    options = passkeys.options_to_make(request, passkeys.FIRST, form.cleaned_data["username"])
    return HttpResponse(options, content_type="application/json")


def _first(request: HttpRequest, key: str) -> HttpResponse:
    if tries.is_exceeded(client_address.of_request(request)):
        return render(request, "setup/first.html", {"is_throttled": True}, status=429)
    if not first_key.is_good(key):
        raise first_key.Spent
    credential = request.POST.get("credential", "")
    kind = NameForm if credential else FirstForm
    form = kind(request.POST or None, initial={"username": "administrator"}, label_suffix="")
    if form.is_bound and form.is_valid() and (user := _made(request, key, form, credential)):
        request.session.flush()
        auth.login(request, user, backend=BACKEND)
        if user.is_operator:
            messages.success(request, _("You are the administrator of this installation."))
        else:
            messages.success(request, _("You are the administrator of this company."))
        return redirect("setup:start")
    if credential:
        form = FirstForm(initial={"username": request.POST.get("username", "")}, label_suffix="")
    context = {
        "form": form,
        "address": request.path,
        "is_refused": bool(credential),
        "are_passkeys_possible": key_sites.of(request).is_possible,
    }
    return render(request, "setup/first.html", context, status=400 if request.method == "POST" else 200)


def _made(request: HttpRequest, key: str, form: FirstForm | NameForm, credential: str) -> User | None:
    """The first administrator; None where the passkey is refused. Raises first_key.Spent."""
    user: User = form.save(commit=False)
    try:
        if not credential:
            first_key.spend(key, user)
            return user
        passkey = passkeys.made(request, passkeys.FIRST, credential)
        user.set_unusable_password()
        with transaction.atomic():
            first_key.spend(key, user)
            passkeys.store(user, passkey, _("Passkey"))
    except passkeys.Refused as refusal:
        log.info("A passkey was refused: %s", refusal)
        return None
    return user
