"""Who keeps the installation: adds companies, pauses and removes them. Such rights show nothing of what is in them.

Operators are superusers, and the first administrator of a fresh installation. A page for operators asks for a fresh
proof of who sits there (recent.py): a sign-in, or the password once more, not longer ago than a quarter of an hour.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from accounts import access
from accounts.models import Domain, Person, User
from accounts.posting import way_back
from accounts.signin import recent

P = ParamSpec("P")


class Paused(Exception):
    """The company of this account is paused."""


def is_operator(user: object) -> bool:
    """Whether this user keeps the installation."""
    return isinstance(user, User) and user.is_active and (user.is_superuser or user.is_operator)


def may_enter(user: User, at_host: int | None) -> bool:
    """Whether a local account, which has a password or a passkey, has pages at this host: a company's, or None.

    An operator needs neither a person nor a company that goes on. Raises Paused where only that is in the way.
    """
    person = Person.objects.filter(user_id=user.pk).select_related("domain").first()
    if person is None:
        return at_host is None and is_operator(user)
    # At the host of another company it is as unknown as any wrong name.
    if not user.is_active or at_host not in (None, person.domain_id):
        return False
    if not person.domain.is_active and not user.is_operator:
        raise Paused
    return True


def first_page(user: User | AnonymousUser, next_path: str) -> str:
    """Where a local account goes on after its sign-in: an operator who is nobody at a company, to the companies."""
    is_keeper = next_path == "/" and access.viewer_of(user) is None
    return reverse("setup:companies") if is_keeper else next_path


def may_change_address(user: object) -> bool:
    """Whether this user may move the installation: its operators, and the administrators of the only company in it."""
    if is_operator(user):
        return True
    if not isinstance(user, User) or not user.is_active or Domain.objects.count() != 1:
        return False
    return Person.objects.filter(user=user, role=Person.Role.ADMINISTRATOR).exists()


def for_operators(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Guard a view: it is called for operators with a fresh proof only."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return way_back.to_sign_in(request)
        if not is_operator(request.user):
            raise PermissionDenied
        if not recent.is_recent(request):
            # What was posted is not kept: it is asked for again once the proof is there.
            back = request.get_full_path() if request.method == "GET" else "/operator/companies/"
            return redirect(f"{reverse('accounts:confirm')}?{urlencode({'next': back})}")
        return view(request, *args, **kwargs)

    return cast(Callable[Concatenate[HttpRequest, P], HttpResponseBase], guarded)
