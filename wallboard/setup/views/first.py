"""The page behind the address that `manage.py setup` prints: whoever opens it makes the first administrator.

It shows nothing about the company, spends its key only when the account is made, and answers every wrong, used or old
key alike, so a hostile visitor learns nothing but that there is such an address.
"""

from django.contrib import auth, messages
from django.contrib.auth.forms import BaseUserCreationForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.signin import client_address
from accounts.signin.login import BACKEND
from accounts.signin.start_throttle import StartThrottle
from wallboard.setup import first_key

MOST_TRIES = 30  # from one address in ten minutes, right ones included
tries = StartThrottle(MOST_TRIES)


class FirstForm(BaseUserCreationForm):  # type: ignore[type-arg]
    """A name to sign in with, and a password that Django's validators take."""

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": gettext_lazy("User name")}
        help_texts = {"username": ""}


@never_cache
@require_http_methods(["GET", "POST"])
def first(request: HttpRequest, key: str) -> HttpResponse:
    """The form, or the way on into the wizard once the account is made."""
    response = _first(request, key)
    # Style sheets must not carry the key into a log; “no-referrer” would take the origin off our own form.
    response["Referrer-Policy"] = "strict-origin"
    return response


def _first(request: HttpRequest, key: str) -> HttpResponse:
    if tries.is_exceeded(client_address.of_request(request)):
        return render(request, "setup/first.html", {"is_throttled": True}, status=429)
    if not first_key.is_good(key):
        raise Http404
    form = FirstForm(request.POST or None, initial={"username": "administrator"}, label_suffix="")
    if form.is_bound and form.is_valid():
        try:
            first_key.spend(key, form.save(commit=False))
        except first_key.Spent:
            raise Http404 from None
        request.session.flush()
        auth.login(request, form.instance, backend=BACKEND)
        messages.success(request, _("You are the administrator of this installation."))
        return redirect("setup:start")
    return render(request, "setup/first.html", {"form": form}, status=400 if form.errors else 200)
