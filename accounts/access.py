"""Who is looking: one small, frozen answer that every page, socket and feed decides by."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import F, Q
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import limits
from accounts.companies import hosts
from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain, Grant, Person, User
from accounts.posting import way_back

RANK = {"screen": 0, Person.Role.AGENT: 1, Person.Role.SUPERVISOR: 2, Person.Role.ADMINISTRATOR: 3}
BEYOND_LIMIT = _("You see some queues and people only, and this shows all of them. Ask an administrator for it.")
PAUSED = _("Your company is paused here. Whoever runs this installation can resume it.")
ELSEWHERE = _("This is the address of another company. Open the wallboard at the address of yours.")
NOTICE_DAYS = 7  # from day 83 of 90 on, pages say that the sign-in is about to end
P = ParamSpec("P")


@dataclass(frozen=True)
class Viewer:
    """Somebody who may look at one domain; `role` is a Person.Role or "screen" for a TV.

    A program that asks by the API has a `token_id` and is nobody's user; a frame on another site has an `embed_id`.

    `clock` and `zone` are the company's (Domain.clock, Domain.time_zone), by which every page writes times of day.
    `language` is that of the page where a choice is stored. An open page has all three in it: where one of them
    changes, it is loaded anew (wallboard/sockets/reauthorization.py).
    """

    domain_id: int
    role: str
    person_id: int | None = None
    extension: str = ""
    user_id: int | None = None
    screen_id: int | None = None
    token_id: int | None = None
    embed_id: int | None = None
    limit: Limit = EVERYTHING
    clock: str = Domain.Clock.H24.value
    zone: str = "UTC"
    language: str = ""

    def may(self, role: str) -> bool:
        """Whether this viewer's role is at least the given one."""
        return RANK[self.role] >= RANK[role]


def viewer_of(user: User | AnonymousUser) -> Viewer | None:
    """The viewer behind a session: None for nobody, for a disabled user and for one without a linked person."""
    return viewers_of([user])[user.pk] if isinstance(user, User) and user.is_active else None


def viewers_of(users: Iterable[User]) -> dict[int, Viewer | None]:
    """The same for many users at once, by their ids; whoever is disabled is missing."""
    active = {user.pk: user for user in users if user.is_active}
    # With the company's columns in one statement, as this runs for every request and socket.
    people = Person.objects.filter(user__in=active, domain__is_active=True)
    found = list(
        people.annotate(
            domain_clock=F("domain__clock"), domain_zone=F("domain__time_zone"), domain_language=F("domain__language")
        )
    )
    viewers: dict[int, Viewer | None] = dict.fromkeys(active)
    for person, limit in zip(found, limits.of_all(found), strict=True):
        user = active[cast(int, person.user_id)]
        user.person = person  # so that nobody reads it again for this user: audit.actor_of
        viewers[user.pk] = Viewer(
            person.domain_id,
            person.role,
            person.pk,
            person.extension,
            user.pk,
            limit=limit,
            clock=person.domain_clock,
            zone=person.domain_zone,
            language=user.language or person.domain_language,
        )
    return viewers


def is_paused(user: User | AnonymousUser) -> bool:
    """Whether this user is somebody at a company that is paused."""
    companies = Domain.objects.filter(Q(people__user_id=user.pk) | Q(grants__user_id=user.pk), is_active=False)
    return user.pk is not None and companies.exists()


def person_of(viewer: Viewer) -> Person:
    """The person behind a viewer, with the company. Raises Http404 where there is none (a TV, or just deleted)."""
    return get_object_or_404(Person.objects.select_related("domain"), pk=viewer.person_id or 0)


def for_role(
    role: str, *, sees_all: bool = False
) -> Callable[
    [Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase]],
    Callable[Concatenate[HttpRequest, P], HttpResponseBase],
]:
    """Guard a view: it gets the viewer as its second argument, or is not called at all.

    `sees_all` keeps out those who are limited to some queues or people: for pages that could show them the rest.
    """

    def guard(
        view: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase],
    ) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            viewer = viewer_of(request.user)
            # Read by viewer_context, so that no template looks the person up again.
            request.viewer = viewer  # type: ignore[attr-defined]
            if viewer is not None and hosts.is_elsewhere(request, viewer.domain_id):
                raise PermissionDenied(ELSEWHERE)
            if viewer is not None and viewer.may(role):
                if sees_all and viewer.limit.is_set:
                    raise PermissionDenied(BEYOND_LIMIT)
                return view(request, viewer, *args, **kwargs)
            if not request.user.is_authenticated:
                return way_back.to_sign_in(request)
            if viewer is None and is_paused(request.user):
                raise PermissionDenied(PAUSED)
            if viewer is None:
                return redirect("accounts:link")
            raise PermissionDenied

        return cast(Callable[Concatenate[HttpRequest, P], HttpResponseBase], guarded)

    return guard


def viewer_context(request: HttpRequest) -> dict[str, Any]:
    """Template context: `viewer` for the navigation, and when a notice is due, `grant_ends_in_days` for all pages."""
    user = getattr(request, "user", None)
    viewer = getattr(request, "viewer", None) or (viewer_of(user) if user is not None else None)
    # As a function: only pages that show the notice pay for it.
    return {"viewer": viewer, "grant_ends_in_days": partial(grant_ends_in_days, request)}


def grant_ends_in_days(request: HttpRequest) -> int | None:
    """Whole days until this user has to sign in at the provider again; None while that is not worth a notice."""
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return None
    grant = Grant.objects.filter(user=user, refused_at=None).exclude(refresh_issued_at=None).first()
    if grant is None:
        return None
    ends_at = min(grant.ends_at, request.session.get_expiry_date())
    days = (ends_at - timezone.now()).days
    return max(days, 0) if days < NOTICE_DAYS else None
