"""Signing in at the provider: the way there, the way back, and whose session it becomes."""

import base64
import secrets
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import TypedDict
from uuid import uuid4

from django.conf import settings
from django.contrib import auth
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme

from accounts import identity, keeping, people, starts
from accounts.crypto import sealed
from accounts.models import Domain, Grant, Person, User
from wallboard.telephony import oauth

STATE_SECONDS = (
    starts.WINDOW_SECONDS
)  # RFC 9700 section 4.7 asks for one use and a short life; people look for passwords meanwhile
MOST_ATTEMPTS = 8  # tabs that may be on their way at once
ATTEMPTS, NEXT = "sign_in", "next"
BACKEND = "django.contrib.auth.backends.ModelBackend"


class Disabled(Exception):
    """The provider knows this person, but here the sign-in was switched off."""


@dataclass(frozen=True)
class Attempt:
    """A sign-in that this browser started."""

    domain: Domain
    next: str
    code_verifier: str


class Started(TypedDict):
    """An attempt as the session keeps it, under the hash of its state."""

    domain: int
    next: str
    at: int


def domains() -> QuerySet[Domain]:
    """Companies that people can sign in with."""
    return Domain.objects.filter(is_active=True).exclude(login_client_id="").order_by("name")


def safe_next(path: str | None) -> str:
    """The path to go to after signing in: always one of ours."""
    is_ours = path and path.startswith("/") and len(path) <= 2000
    return path if path and is_ours and url_has_allowed_host_and_scheme(path, allowed_hosts=None) else "/"


def redirect_uri() -> str:
    """The redirect address that is registered at the provider."""
    return settings.PUBLIC_URL + reverse("accounts:callback")


def start(session: SessionBase, domain: Domain, next_path: str) -> str:
    """Remember the attempt in this browser's session; answers the provider's address to go to."""
    state = secrets.token_urlsafe(32)
    attempts = _alive(session)
    attempts[_key(state)] = {"domain": domain.pk, "next": next_path, "at": int(time.time())}
    session[ATTEMPTS] = dict(list(attempts.items())[-MOST_ATTEMPTS:])
    if auth.SESSION_KEY not in session:
        session.set_expiry(STATE_SECONDS)  # of a visitor nothing else is kept; anybody can be one
    challenge = _challenge(_verifier(state)) if domain.uses_pkce else ""
    return oauth.authorize_url(domain.base_url, domain.login_client_id, redirect_uri(), state, challenge)


def take(session: SessionBase, state: str) -> Attempt | None:
    """The attempt that this browser started with this state, once; None for any other, an old and a used one."""
    attempts = _alive(session)
    found = attempts.pop(_key(state), None)
    if found is None:
        return None
    session[ATTEMPTS] = attempts
    session.save()
    domain = domains().filter(pk=found["domain"]).first()
    if domain is None:
        return None
    return Attempt(domain, safe_next(found["next"]), _verifier(state) if domain.uses_pkce else "")


def finish(request: HttpRequest, attempt: Attempt, code: str) -> User:
    """Swap the code for tokens, learn whose they are and open the session. Raises ProviderError or Disabled."""
    domain = attempt.domain
    secret = domain.login_client_secret.open()
    token = oauth.exchange_code(
        domain.base_url, domain.login_client_id, secret, code, redirect_uri(), attempt.code_verifier
    )
    extension = identity.extension_of(domain, token)
    with transaction.atomic():
        user = _user_for(domain, extension)
        grant = keep(domain, user, token)
    _open_session(request, user, grant)
    request.session[NEXT] = attempt.next
    return user


def keep(domain: Domain, user: User, token: oauth.Token) -> Grant:
    """Keep what the provider granted to the user just now, in the place of any older grant."""
    now = timezone.now()
    with transaction.atomic():
        grant, _ = Grant.objects.select_for_update().get_or_create(user=user, defaults={"domain": domain})
        columns = keeping.held(token, now) | {
            "domain": domain,
            "refresh_token": sealed(token.refresh_token),
            "refresh_issued_at": now if token.refresh_token else None,
            "signed_in_at": now,
            "replaced_at": None,
            "refused_at": None,
            "version": grant.version + 1,
        }
        for name, value in columns.items():
            setattr(grant, name, value)
        grant.save()
    return grant


def _key(state: str) -> str:
    return sha256(state.encode(errors="replace")).hexdigest()


def _verifier(state: str) -> str:
    """The PKCE verifier (RFC 7636 section 4.1) of a state: nothing to store, nothing to guess without our key."""
    digest = salted_hmac("accounts.login.verifier", state, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _alive(session: SessionBase) -> dict[str, Started]:
    oldest = time.time() - STATE_SECONDS
    attempts: dict[str, Started] = session.get(ATTEMPTS, {})
    return {key: attempt for key, attempt in attempts.items() if attempt["at"] > oldest}


def _user_for(domain: Domain, extension: str) -> User:
    """The sign-in of the person with this extension; a new one that waits for an administrator without extension."""
    if not extension:
        return _new_user(domain, link_code=_free_code())
    people.seen(domain, extension)
    person = Person.objects.select_for_update().get(domain=domain, extension=extension)
    if person.user is None:
        people.link(person, _new_user(domain))
    assert person.user is not None
    if not person.user.is_active:
        raise Disabled
    return person.user


def _new_user(domain: Domain, link_code: str = "") -> User:
    user = User(username=f"{domain.slug}-{uuid4().hex[:12]}", link_code=link_code)
    user.set_unusable_password()
    user.save()
    return user


def _free_code() -> str:
    taken = set(User.objects.exclude(link_code="").values_list("link_code", flat=True))
    free = [code for code in (f"{number:04}" for number in range(1000, 10_000)) if code not in taken]
    return secrets.choice(free)


def _open_session(request: HttpRequest, user: User, grant: Grant) -> None:
    """A new session with a new key: nothing that was planted in the old one survives but other tabs' attempts."""
    attempts = request.session.get(ATTEMPTS, {})
    _forget_waiting(request)
    request.session.flush()
    auth.login(request, user, backend=BACKEND)
    request.session[ATTEMPTS] = attempts
    request.session.set_expiry(grant.ends_at)


def _forget_waiting(request: HttpRequest) -> None:
    """Somebody who waited to be linked and signs in again in the same browser waits once, not twice."""
    user = request.user
    if isinstance(user, User) and not user.is_superuser and not Person.objects.filter(user=user).exists():
        user.delete()
