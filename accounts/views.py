"""Pages for signing in and out, and one's own account."""

import logging
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import auth, messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from accounts import access, attempts, login, sessions
from accounts.models import User
from accounts.starts import sign_ins
from wallboard.telephony import errors

log = logging.getLogger(__name__)
HERE = "here"  # set when we sent the browser to PUBLIC_URL, so that a proxy that hides the host makes no loop
PORTS = {"http": 80, "https": 443}


@never_cache
@require_GET
def login_page(request: HttpRequest) -> HttpResponse:
    """One button per company; on PUBLIC_URL, as the way back belongs to the host that the cookie was set for."""
    if not _is_public_host(request) and HERE not in request.GET:
        query = request.GET.copy()
        query[HERE] = "1"
        return HttpResponseRedirect(f"{settings.PUBLIC_URL}{request.path}?{query.urlencode()}")
    next_path = login.safe_next(request.GET.get("next"))
    if request.user.is_authenticated:
        return redirect(next_path if access.viewer_of(request.user) else "accounts:link")
    return render(request, "accounts/login.html", {"domains": login.domains(), "next": next_path})


@never_cache
@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """On to the provider's sign-in page. By a link, as the policy of the page keeps forms from leaving the site."""
    domain = get_object_or_404(login.domains(), slug=request.GET.get("domain", ""))
    next_path = login.safe_next(request.GET.get("next"))
    if sign_ins.are_over(attempts.address_of(request)):
        return _failed(request, _("Too many sign-ins were begun from your address. Wait ten minutes."), next_path, 429)
    return HttpResponseRedirect(login.start(request.session, domain, next_path))


@never_cache
@csrf_exempt  # a POST is refused below like any other request that we did not start
def callback(request: HttpRequest) -> HttpResponse:
    """The provider sends the browser back here, with a code or with an error."""
    attempt = login.take(request.session, request.GET.get("state", "")) if request.method == "GET" else None
    if attempt is None:
        return _failed(request, _("This sign-in was not started in this browser, was used before, or is too old."))
    if "error" in request.GET:
        return _failed(request, _("The provider did not let you in, or you turned back there."), attempt.next)
    if not (code := request.GET.get("code", "")):
        return _failed(request, _("The provider sent you back without saying whether you are signed in."), attempt.next)
    try:
        login.finish(request, attempt, code)
    except errors.GrantRefused as error:
        log.info("A sign-in failed: %s", error)
        return _failed(request, _("The provider's confirmation was too old or used before."), attempt.next)
    except errors.ProviderError as error:
        log.warning("A sign-in failed: %s", error.kind)
        return _failed(request, failure_words(error), attempt.next, status=503)
    except login.Disabled:
        return _failed(request, _("Your sign-in was switched off here. An administrator can switch it on."), status=403)
    return redirect(attempt.next if access.viewer_of(request.user) else "accounts:link")


def failure_words(error: errors.ProviderError) -> str:
    """What the person at the sign-in page should know about a failure that is not theirs."""
    if isinstance(error, errors.NotAuthorized):
        return _("The provider refused this wallboard's own login credentials. An administrator has to correct them.")
    return _("The provider cannot confirm your sign-in at the moment.")


@never_cache
@login_required
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Who I am here, until when, and the ways out."""
    return render(request, "accounts/account.html")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End this session; the user's open pages elsewhere only connect again."""
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


def _signed_out(request: HttpRequest, words: str) -> HttpResponse:
    auth.logout(request)
    messages.success(request, words)
    return redirect("accounts:login")


def _failed(request: HttpRequest, words: str, next_path: str = "/", status: int = 400) -> HttpResponse:
    again = f"?{urlencode({'next': next_path})}" if next_path != "/" else ""
    return render(request, "accounts/login_failed.html", {"words": words, "again": again}, status=status)


def _is_public_host(request: HttpRequest) -> bool:
    here = urlsplit(f"{settings.PUBLIC.scheme}://{request.get_host()}")
    default = PORTS[settings.PUBLIC.scheme]
    return (here.hostname, here.port or default) == (settings.PUBLIC.hostname, settings.PUBLIC.port or default)
