"""What holds for every request: the content security policy of our pages, and whose deeds the audit log keeps."""

import logging
from collections.abc import Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import bad_request

from accounts import audit
from accounts.companies import hosts, public_address
from accounts.encryption import WrongKey
from accounts.languages import choosing
from wallboard import logs
from wallboard.api import problems

log = logging.getLogger(__name__)
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; media-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
# Django's admin site sets styles inline, never scripts.
ADMIN_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
MACHINE_ADDRESSES = ("/api/", "/hooks/", *PROBES)
SECRET_ADDRESSES = (
    "/screen/",
    "/embed/",
    "/accounts/callback",
    "/hooks/",
)  # a referrer would bring them into the proxy's log


class BothWays:
    """A middleware for both of Django's stacks: where the next one is a coroutine, so is this one (`is_async`)."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer to the request, on the async stack awaited."""
        raise NotImplementedError


class RequestId(BothWays):
    """Names each request in the log and in its answer (X-Request-ID), by the name that a proxy in front gave it."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_async:
            return self._later(request)  # type: ignore[return-value]
        with logs.in_request(request.headers.get("X-Request-ID", "")) as name:
            return named(self.get_response(request), name)

    async def _later(self, request: HttpRequest) -> HttpResponse:
        with logs.in_request(request.headers.get("X-Request-ID", "")) as name:
            return named(await self.get_response(request), name)  # type: ignore[misc]


class ProbesByAddress(BothWays):
    """Lets Prometheus, kubelets and health checks ask a process by its address, which is no host name of the site's.

    What these pages answer depends on no host name; every other page still refuses those that ALLOWED_HOSTS lacks.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path in PROBES:
            request.META["HTTP_HOST"] = settings.PUBLIC.netloc
        return self.get_response(request)


class CompanyHosts(BothWays):
    """Lets in the hosts of companies and the installation's own, which come and go while processes run."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_async:
            return self._later(request)  # type: ignore[return-value]
        public_address.follow()
        hosts.follow(request.META.get("HTTP_HOST", ""))
        return self.get_response(request)

    async def _later(self, request: HttpRequest) -> HttpResponse:
        if public_address.is_due():
            await sync_to_async(public_address.follow)()
        if not hosts.is_settled(host := request.META.get("HTTP_HOST", "")):
            await sync_to_async(hosts.follow)(host)
        return await self.get_response(request)  # type: ignore[misc,no-any-return]


class FollowedSecurity(SecurityMiddleware):
    """Django's, with what follows from a public address that changes while processes run.

    Whoever asks for anything over plain http at another name of the installation is led to its address.
    """

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Plain http is led to https."""
        self.redirect, self.sts_seconds = settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS
        self.redirect_host = public_address.leads_from(hosts.name_of(request.META.get("HTTP_HOST", "")))
        return super().process_request(request)


class FollowedOrigins(CsrfViewMiddleware):
    """Django's, with the origins of the host that was asked for, which come and go while processes run.

    They only matter where a proxy hides the host: a form of the same host is taken as it is.
    """

    @property
    def csrf_trusted_origins_hosts(self) -> list[str]:
        """Hosts whose referrers count."""
        return hosts.of_settings()

    def _origin_verified(self, request: HttpRequest) -> bool:
        is_same: bool = super()._origin_verified(request)  # type: ignore[misc]
        return is_same or request.META["HTTP_ORIGIN"] in hosts.origins_at(request.META.get("HTTP_HOST", ""))


class PageSecurity(BothWays):
    """Adds the policy and the permissions of the page to every answer that has none yet.

    An address or a cookie with a NUL in it is refused: nothing of ours makes one, and PostgreSQL can neither store nor
    search it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_async:
            return self._later(request)  # type: ignore[return-value]
        return protect(request, refused(request) or self.get_response(request))

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Where a stored secret cannot be read, say which setting is wrong instead of failing without words.

        A value that the database cannot hold (a NUL, a number of thirty digits) is a mistake of whoever sent it.
        """
        if isinstance(exception, WrongKey):
            return render(request, "accounts/wrong_key.html", status=503)
        if is_unstorable(request, exception):
            log.warning("A request held a value that the database cannot hold (%s).", type(exception).__name__)
            if request.path.startswith("/api/"):
                return problems.response(400, "This holds a value that cannot be stored.")
            return bad_request(request, ValueError("no such value"))
        return None

    async def _later(self, request: HttpRequest) -> HttpResponse:
        return protect(request, refused(request) or await self.get_response(request))  # type: ignore[misc]


def named(response: HttpResponse, name: str) -> HttpResponse:
    """The answer with the name of its request."""
    response.headers["X-Request-ID"] = name
    return response


def is_unstorable(request: HttpRequest, exception: Exception) -> bool:
    """Whether somebody sent what no column can hold: a NUL, a number of thirty digits, or letters in its place.

    Our own views read what they are sent; the admin site hands what was selected straight to the database.
    """
    if isinstance(exception, DataError | OverflowError):
        return True
    # Django and psycopg raise plain ValueErrors here: only the text tells them from faults of ours.
    text = str(exception)[:200] if isinstance(exception, ValueError) else ""
    return "NUL" in text or (request.path.startswith("/admin/") and "expected a number but got" in text)


def refused(request: HttpRequest) -> HttpResponse | None:
    """The answer to what nothing behind it could handle."""
    in_path = "\0" in request.path
    if in_path and request.path.startswith("/hooks/"):
        return HttpResponse(status=404)  # as every wrong secret, and without a page
    has_null = in_path or "%00" in request.META.get("QUERY_STRING", "") or "\0" in "".join(request.COOKIES.values())
    if has_null and request.path.startswith("/api/"):
        return problems.response(400, "Nothing here holds a NUL.")
    if has_null:
        return bad_request(request, ValueError("NUL"))
    return None


def protect(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Set the headers in place and hand the answer on."""
    policy = ADMIN_POLICY if request.path.startswith("/admin/") else PAGE_POLICY
    # To older browsers, and so to TVs, 'self' does not include WebSockets.
    origins = hosts.origins_at(request.META.get("HTTP_HOST", ""))
    sockets = " ".join(each.replace("http", "ws", 1) for each in origins)
    policy = policy.replace("connect-src 'self'", f"connect-src 'self' {sockets}")
    if sites := getattr(response, "frame_ancestors", ()):  # an embed link, which names who may frame it
        policy = policy.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(sites)}")
    # Only defaults: a view that serves uploads has set a stricter one.
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    # A link with a secret in it that somebody posted somewhere is not to be found by searching.
    response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
    if request.path.startswith(SECRET_ADDRESSES):
        response.headers["Referrer-Policy"] = "no-referrer"
    return response


class ProblemAnswers(BothWays):
    """Below /api/ every error is a problem (RFC 9457), also those that Django and the middlewares answer themselves."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_async:
            return self._later(request)  # type: ignore[return-value]
        return as_problem(request, self.get_response(request))

    async def _later(self, request: HttpRequest) -> HttpResponse:
        return as_problem(request, await self.get_response(request))  # type: ignore[misc]


def as_problem(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer, where it is an error of the API with the body of a problem."""
    is_error = request.path.startswith("/api/") and response.status_code >= 400
    if not is_error or response.headers.get("Content-Type", "") == problems.CONTENT_TYPE:
        return response
    return problems.response(response.status_code)


class AuditActor(BothWays):
    """Names the signed-in user as the one who does what this request does."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_async:
            return self._later(request)  # type: ignore[return-value]
        with audit.acting_as(lambda: audit.actor_of(request.user)):
            return self.get_response(request)

    async def _later(self, request: HttpRequest) -> HttpResponse:
        with audit.acting_as(lambda: audit.actor_of(request.user)):
            return await self.get_response(request)  # type: ignore[misc,no-any-return]


class MethodPages(BothWays):
    """Says in words what Django leaves blank: somebody opened an address that only takes what a form sends."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_async:
            return self._later(request)  # type: ignore[return-value]
        response = self.get_response(request)
        return method_page(request, response) if is_blank_page(request, response) else response

    async def _later(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = await self.get_response(request)  # type: ignore[misc]
        return await sync_to_async(method_page)(request, response) if is_blank_page(request, response) else response


def is_blank_page(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether a browser is to show a 405 of Django's, which has no words. Programs and scripts do not ask for HTML."""
    is_refused = response.status_code == 405 and not request.path.startswith(MACHINE_ADDRESSES)
    return is_refused and "text/html" in request.headers.get("Accept", "") and not response.content


def method_page(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The page for it, with the methods that the address takes."""
    page = render(request, "405.html", status=405)
    page.headers["Allow"] = response.headers["Allow"]
    patch_vary_headers(page, ["Accept"])
    return page


class Language(MiddlewareMixin):
    """Writes the answer in the language of whoever asked (accounts/languages/choosing.py)."""

    def process_request(self, request: HttpRequest) -> None:
        """Before the view: texts are of that language from here on."""
        translation.activate(choosing.of_request(request))
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Say which language it is, and that what is stored of it must not reach somebody who reads another."""
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE or settings.LANGUAGE_CODE)
        return response
