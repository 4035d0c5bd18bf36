"""Signing in at the provider: the page that offers it, the way there and the way back."""

import logging
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import auth
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods

from accounts import access
from accounts.companies import addresses, choosing, hosts, key_sites, public_address
from accounts.models import Domain, User
from accounts.signin import client_address, fetch_metadata, joining, login, operators, pkce, recent
from accounts.signin.password_throttle import LocalSignInForm, SlowForm
from accounts.signin.start_throttle import sign_ins
from wallboard.telephony import errors, transport

log = logging.getLogger(__name__)
HERE = "here"  # set when we sent the browser to PUBLIC_URL, so that a proxy that hides the host makes no loop
CALLBACK_SECONDS = 20  # for all exchanges of a callback together: the server gives a request up after 30
PORTS = {"http": 80, "https": 443}


@never_cache
@require_GET
def login_page(request: HttpRequest, slug: str = "") -> HttpResponse:
    """The way in to one company, at the address that the provider sends people back to.

    Which one the host says, or the address, or what was chosen in this browser before; nobody is shown a list.
    """
    at_host = hosts.company_at(request)
    if at_host is None and not _is_public_host(request) and HERE not in request.GET:
        query = request.GET.copy()
        query[HERE] = "1"
        return HttpResponseRedirect(f"{public_address.url()}{request.path}?{query.urlencode()}")
    next_path = login.safe_next(request.GET.get("next"))
    if request.user.is_authenticated:
        return redirect(next_path if access.viewer_of(request.user) else "accounts:link")
    if at_host is None and (asked := request.GET.get("company", "").strip().lower()):
        slug = asked
    domain = choosing.chosen(at_host, slug, request.COOKIES.get(choosing.COOKIE, ""))
    if domain is None and slug:
        return _asks_company(request, next_path, _("There is no such company here."), status=404)
    if domain is None and choosing.must_ask():
        return _asks_company(request, next_path)
    if domain is not None and at_host is None and domain.host:
        return HttpResponseRedirect(f"{addresses.sign_in(domain)}?{urlencode({'next': next_path})}")
    response = render(request, "accounts/login.html", _ways(domain, next_path))
    if slug and domain is not None:
        choosing.remember(response, domain)
    return response


def _ways(domain: Domain | None, next_path: str) -> dict[str, object]:
    """What the page offers."""
    is_open = domain is not None and domain.is_active
    return {
        "domain": domain if domain is not None and is_open and domain.login_client_id else None,
        "is_paused": domain is not None and not is_open,
        "next": next_path,
        "has_local": joining.has_local_accounts(domain),
    }


def _asks_company(request: HttpRequest, next_path: str, error: str = "", status: int = 200) -> HttpResponse:
    context = {
        "next": next_path,
        "error": error,
        "has_several": choosing.must_ask(),
        "has_local": joining.has_local_accounts(None),
    }
    return render(request, "accounts/choose_company.html", context, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """The sign-in of whoever has an account of this installation alone, as its first administrator has."""
    next_path = login.safe_next(request.POST.get("next") or request.GET.get("next"))
    form = LocalSignInForm(request, request.POST or None, label_suffix="")
    if form.is_bound and form.is_valid():
        request.session.flush()
        auth.login(request, form.get_user())
        request.session.set_expiry(None)
        return redirect(operators.first_page(request.user, next_path))
    context = {
        "form": form,
        "next": next_path,
        "are_passkeys_possible": key_sites.of(request).is_possible,
    }
    return render(request, "accounts/password.html", context, status=400 if form.errors else 200)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest) -> HttpResponse:
    """Whoever is signed in says their password again, before a page for operators opens."""
    user = request.user
    next_path = login.safe_next(request.POST.get("next") or request.GET.get("next"))
    typed = {"username": user.get_username(), "password": request.POST.get("password", "")}
    form = SlowForm(request, typed if request.method == "POST" else None, label_suffix="")
    if form.is_bound and form.is_valid():
        recent.note(request)
        return redirect(next_path)
    context = {"form": form, "next": next_path, "has_password": isinstance(user, User) and user.has_usable_password()}
    return render(request, "accounts/confirm.html", context, status=400 if form.errors else 200)


@never_cache
@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """On to the provider's sign-in page. By a link, as the policy of the page keeps forms from leaving the site.

    Begun from our own pages only: another site could use up the sign-ins of an office behind one address.
    """
    next_path = login.safe_next(request.GET.get("next"))
    if not fetch_metadata.is_page_visit(request):
        return HttpResponse(status=403)  # nobody looks: nothing is begun, and nothing counted
    if fetch_metadata.is_from_another_site(request):
        return HttpResponseRedirect(f"{reverse('accounts:login')}?{urlencode({'next': next_path})}")
    domain = get_object_or_404(login.domains(), slug=request.GET.get("domain", ""))
    at_host = hosts.company_at(request)
    if at_host not in (None, domain.pk):
        raise Http404
    if at_host is None and domain.host:
        # The way back belongs to the host that the cookie was set for.
        return HttpResponseRedirect(f"{addresses.sign_in(domain)}?{urlencode({'next': next_path})}")
    if sign_ins.is_exceeded(client_address.of_request(request)):
        return _failed(request, _("Too many sign-ins were begun from your address. Wait ten minutes."), next_path, 429)
    return HttpResponseRedirect(login.start_attempt(request.session, domain, next_path, _joins(request)))


def _joins(request: HttpRequest) -> int | None:
    """The local account that asks to be linked to its extension by this sign-in."""
    return request.user.pk if "join" in request.GET and joining.local_person(request.user) else None


@never_cache
@csrf_exempt  # a POST is refused below like any other request that we did not start
def callback(request: HttpRequest, key: str = "") -> HttpResponse:
    """The provider sends the browser back here, with a code or with an error; `key` is of the company's address."""
    attempt = login.take_attempt(request.session, request.GET.get("state", "")) if request.method == "GET" else None
    refused = _("The provider did not let you in, or you turned back there.")
    # At the address of another company the code is one of its provider's, which nobody else may see.
    if attempt is None or request.path != addresses.callback_path(attempt.domain):
        if request.method == "GET" and "error" in request.GET:  # some providers leave the state out then
            return _failed(request, refused)
        return _failed(request, _("This sign-in was not started in this browser, was used before, or is too old."))
    if "error" in request.GET:
        if request.GET["error"] != "access_denied" and pkce.learn(attempt.domain):
            again = login.start_attempt(request.session, attempt.domain, attempt.next, attempt.joins)
            return HttpResponseRedirect(again)
        return _failed(request, refused, attempt.next)
    if not (code := request.GET.get("code", "")):
        return _failed(request, _("The provider sent you back without saying whether you are signed in."), attempt.next)
    try:
        with transport.all_within(CALLBACK_SECONDS):
            login.complete(request, attempt, code)
    except errors.GrantRefused as error:
        log.info("A sign-in failed: %s", error)
        return _failed(request, _("The provider's confirmation was too old or used before."), attempt.next)
    except errors.ProviderError as error:
        log.warning("A sign-in failed: %s", error.kind)
        return _failed(request, failure_text(error), attempt.next, status=503)
    except login.SignInDisabled:
        return _failed(request, _("Your sign-in was switched off here. An administrator can switch it on."), status=403)
    return redirect(attempt.next if access.viewer_of(request.user) else "accounts:link")


def failure_text(error: errors.ProviderError) -> str:
    """What the person at the sign-in page should know about a failure that is not theirs."""
    if isinstance(error, errors.NotAuthorized):
        return _("The provider refused this wallboard's own login credentials. An administrator has to correct them.")
    return _("The provider cannot confirm your sign-in at the moment.")


def _failed(request: HttpRequest, text: str, next_path: str = "/", status: int = 400) -> HttpResponse:
    again = f"?{urlencode({'next': next_path})}" if next_path != "/" else ""
    return render(request, "accounts/login_failed.html", {"words": text, "again": again}, status=status)


def _is_public_host(request: HttpRequest) -> bool:
    default = PORTS[settings.PUBLIC.scheme]
    try:
        here = urlsplit(f"{settings.PUBLIC.scheme}://{request.get_host()}")
        port = here.port or default
    except ValueError:  # Django's check of the Host header takes ports that there are not
        return False
    return (here.hostname, port) == (settings.PUBLIC.hostname, settings.PUBLIC.port or default)
