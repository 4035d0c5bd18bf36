"""What holds for every request: the content security policy of our pages, and whose deeds the audit log keeps."""

from collections.abc import Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import bad_request

from accounts import audit
from accounts.crypto import WrongKey

SOCKETS = " ".join(origin.replace("http", "ws", 1) for origin in settings.ALLOWED_ORIGINS)
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    f"connect-src 'self' {SOCKETS}; media-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
ADMIN_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


class PageSecurity:
    """Adds the policy and the permissions of the page to every answer that has none yet.

    An address or a cookie with a NUL in it is refused: nothing of ours makes one, and PostgreSQL can neither store nor
    search it.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_async:
            return self._later(request)  # type: ignore[return-value]
        return protect(request, refused(request) or self.get_response(request))

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Where a stored secret cannot be read, say which setting is wrong instead of failing without words."""
        if isinstance(exception, WrongKey):
            return render(request, "accounts/wrong_key.html", status=503)
        return None

    async def _later(self, request: HttpRequest) -> HttpResponse:
        return protect(request, refused(request) or await self.get_response(request))  # type: ignore[misc]


def refused(request: HttpRequest) -> HttpResponse | None:
    """The answer to what nothing behind it could handle."""
    if "%00" in request.META.get("QUERY_STRING", "") or "\0" in "".join(request.COOKIES.values()):
        return bad_request(request, ValueError("NUL"))
    return None


def protect(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Set the headers in place and hand the answer on."""
    policy = ADMIN_POLICY if request.path.startswith("/admin/") else PAGE_POLICY
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    return response


class NoteWho:
    """Names the signed-in user as the one who does what this request does."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_async:
            return self._later(request)  # type: ignore[return-value]
        with audit.acting(lambda: audit.who_is(request.user)):
            return self.get_response(request)

    async def _later(self, request: HttpRequest) -> HttpResponse:
        with audit.acting(lambda: audit.who_is(request.user)):
            return await self.get_response(request)  # type: ignore[misc,no-any-return]
