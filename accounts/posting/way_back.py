"""Where a sign-in leads back to: the page that was asked for, or the one whose form was sent by somebody signed out."""

from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseRedirect

from accounts.companies import hosts


def to_sign_in(request: HttpRequest) -> HttpResponseRedirect:
    """On to the sign-in page, and from there back."""
    return redirect_to_login(path(request))


def path(request: HttpRequest) -> str:
    """The page to go back to. What was posted is not kept, and many addresses that take a form show no page."""
    return request.get_full_path() if request.method in ("GET", "HEAD") else page_of_form(request)


def page_of_form(request: HttpRequest) -> str:
    """The page of ours that the browser names as the one it comes from, else the start."""
    try:
        page = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return "/"
    # A proxy may hide the host that the browser knows.
    known = {urlsplit(origin).netloc for origin in hosts.origins_at(request.META.get("HTTP_HOST", ""))}
    if page.netloc not in {request.get_host(), *known}:
        return "/"
    return page._replace(scheme="", netloc="", fragment="").geturl() or "/"
