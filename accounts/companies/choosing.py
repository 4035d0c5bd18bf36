"""Which company somebody wants to sign in to: the host says it, an address such as /c/acme/, or an earlier choice."""

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponseBase

from accounts.models import Domain

COOKIE = "company"
COOKIE_SECONDS = 400 * 86_400  # the longest that browsers keep one


def shared() -> QuerySet[Domain]:
    """Companies at the installation's own address."""
    return Domain.objects.filter(host=None, removal_at=None)


def chosen(at_host: int | None, slug: str, before: str) -> Domain | None:
    """The company of this host, of this address, the only one there is, or the one of before; None where none is."""
    there = Domain.objects.filter(removal_at=None)
    if at_host is not None:
        return there.filter(pk=at_host).first()
    if slug:
        return there.filter(slug=slug).first()
    few = list(shared().filter(is_active=True).exclude(login_client_id="")[:2]) or list(shared()[:2])
    return few[0] if len(few) == 1 else shared().filter(slug=before).first()


def must_ask() -> bool:
    """Whether several companies are at the installation's own address."""
    return shared().count() > 1


def remember(response: HttpResponseBase, domain: Domain) -> None:
    """The next sign-in in this browser is to the same company."""
    response.set_cookie(
        COOKIE, domain.slug, COOKIE_SECONDS, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )
