"""The address of the installation: set in the wizard, changed on a page of its own, and the way over to the new one.

A new address is tried before it is stored. From then on all processes follow it (accounts/companies/public_address.py),
and subscriptions move to it: the old ones stay until the first message has come in at the new address.
"""

from typing import Any

from django.contrib import auth, messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import Viewer, viewer_of
from accounts.companies import public_address
from accounts.models import Domain, User
from accounts.signin import client_address, operators, recent
from accounts.signin.login import BACKEND
from accounts.signin.start_throttle import StartThrottle
from wallboard.calls.subscriptions import maintenance
from wallboard.setup.forms import AddressForm
from wallboard.setup.starting import way_in
from wallboard.setup.status_checks import LATE

MOST_TRIES = 60  # of addresses in ten minutes, from one address
tries = StartThrottle(MOST_TRIES, "setup-address")


@never_cache
@require_http_methods(["GET", "POST"])
def address(request: HttpRequest) -> HttpResponseBase:
    """The page of operators."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not operators.is_operator(request.user):
        raise PermissionDenied  # the administrators of the only company have the step of the wizard
    answer = _answer(request)
    if isinstance(answer, HttpResponseBase):
        return answer
    return render(request, "setup/address.html", answer, status=400 if answer["is_refused"] else 200)


def step(request: HttpRequest, viewer: Viewer, domain: Domain) -> HttpResponseBase | dict[str, Any]:
    """The same as a step of the wizard; who has no say in it reads the address."""
    if request.method == "POST" and not operators.may_change_address(request.user):
        raise PermissionDenied
    return _answer(request)


@never_cache
@require_GET
def arrive(request: HttpRequest, key: str) -> HttpResponseBase:
    """Whoever changed the address comes over to the new one, where their browser has no session yet."""
    if tries.is_exceeded(client_address.of_request(request)):
        raise Http404
    user = public_address.user_of(key)
    if user is None:
        raise Http404
    request.session.flush()
    auth.login(request, user, backend=BACKEND)
    messages.success(request, _("The site is at this address now."))
    if user.passkeys.exists():
        messages.warning(request, _("Passkeys belong to one address. Add one for this address under Your account."))
    return redirect("setup:start_step", "events") if viewer_of(user) else redirect("setup:address")


def _answer(request: HttpRequest) -> HttpResponseBase | dict[str, Any]:
    now, is_fixed = public_address.url(), public_address.is_fixed()
    may_change = not is_fixed and operators.may_change_address(request.user)
    is_posted = request.method == "POST" and may_change
    if is_posted and not recent.is_recent(request):
        return redirect(f"{reverse('accounts:confirm')}?next={request.path}")
    form = AddressForm(request.POST if is_posted else None, initial={"address": now})
    shown = {"form": form, "now": now, "is_fixed": is_fixed, "may_change": may_change, "is_refused": False}
    if not is_posted:
        return shown
    if tries.is_exceeded(client_address.of_request(request)):
        messages.error(request, _("Too many tries from your address. Wait ten minutes."))
        return shown | {"is_refused": True}
    if not form.is_valid():
        return shown | {"is_refused": True}
    asked = form.cleaned_data["address"]
    looks = list(way_in.public_address(asked))
    if any(look.state == LATE for look in looks) and not form.cleaned_data["is_certain"]:
        return shown | {"looks": looks, "asks_certainty": True, "is_refused": True}
    return _moved(request, now, asked)


def _moved(request: HttpRequest, before: str, asked: str) -> HttpResponseBase:
    """The last page at the old address: forms must not lead to another site, so a link does."""
    assert isinstance(request.user, User)
    public_address.store(asked)
    for domain in Domain.objects.filter(is_active=True).exclude(client_id=""):
        maintenance.check_now(domain)  # by the next look of the worker, within seconds
    if before == asked:
        messages.success(request, _("The site is at this address now."))
        return redirect(request.path)
    onward = asked + reverse("setup:arrive", args=[public_address.key_for(request.user)])
    return render(request, "setup/address_moved.html", {"now": asked, "onward": onward})
