"""Secrets that a page shows this once: the form that makes one leads on to a page, so that a reload makes no other.

Two clicks post the same form twice. The second makes nothing, and leads on to what the first one made.
"""

import time
from collections.abc import Callable
from hashlib import sha256

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts import leases
from accounts.encryption import seal, unseal

STORED = "shown_once"  # in the session: the latest secret, sealed, with the form that made it and its page
MADE = "made"  # in the address of the page: the form
SECONDS = 60  # for which that address shows the secret: the first of two clicks may have shown it to nobody
LEASE_SECONDS, WAIT_SECONDS = 20.0, 0.1


def answer(request: HttpRequest, make: Callable[[], tuple[str, str]]) -> HttpResponse:
    """Make what the form asks for, and lead on to it; `make` gives the path of the page and the secret."""
    form = _form(request)
    name = f"shown once {request.user.pk}"
    while (lease := leases.acquire(name, LEASE_SECONDS)) is None:
        time.sleep(WAIT_SECONDS)
    with lease:
        # As it is stored: the first click may have saved it after this request had read its own.
        found = request.session.load().get(STORED)
        if found is None or found["form"] != form:
            path, secret = make()
            found = {"form": form, "path": path, "sealed": seal(secret), "at": int(time.time())}
            request.session[STORED] = found
            request.session.save()
    return HttpResponseRedirect(f"{found['path']}?{MADE}={form}")


def take(request: HttpRequest) -> str:
    """The secret that this page has to show, "" for none; without the form in its address it forgets it."""
    found = request.session.get(STORED)
    if request.method != "GET" or found is None or found["path"] != request.path:
        return ""
    if request.GET.get(MADE) == found["form"] and time.time() - found["at"] < SECONDS:
        return unseal(found["sealed"])
    del request.session[STORED]
    return ""


def _form(request: HttpRequest) -> str:
    """What tells one form that was posted from any other: Django masks the CSRF token anew for every page."""
    text = f"{request.session.session_key} {request.path} {request.POST.urlencode()}"
    return sha256(text.encode()).hexdigest()[:32]
