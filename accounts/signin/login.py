"""Signing in at the provider: the way there, the way back, and whose session it becomes."""

import base64
import secrets
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from uuid import uuid4

from django.contrib import auth
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme

from accounts import audit, people
from accounts.companies import addresses
from accounts.encryption import sealed
from accounts.models import Domain, Grant, Person, User
from accounts.signin import identity, joining, pending
from accounts.signin.identity import Proofs
from accounts.tokens import refresh
from wallboard.telephony import oauth

ATTEMPTS, NEXT = "sign_in", "next"
BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignInDisabled(Exception):
    """The provider knows this person, but here the sign-in was switched off."""


@dataclass(frozen=True)
class Attempt:
    """A sign-in that this browser started; `joins` is the local account that wants to be linked by it."""

    domain: Domain
    next: str
    code_verifier: str
    joins: int | None = None


def domains() -> QuerySet[Domain]:
    """Companies that people can sign in with."""
    return Domain.objects.filter(is_active=True).exclude(login_client_id="").order_by("name")


def safe_next(path: str | None) -> str:
    """The path to go to after signing in: always one of ours."""
    is_ours = path and path.startswith("/") and len(path) <= 2000
    return path if path and is_ours and url_has_allowed_host_and_scheme(path, allowed_hosts=None) else "/"


def redirect_uri(domain: Domain) -> str:
    """The redirect address that is registered at the company's provider."""
    return addresses.of(domain) + addresses.callback_path(domain)


def start_attempt(session: SessionBase, domain: Domain, next_path: str, joins: int | None = None) -> str:
    """Remember the attempt in this browser's session; answers the provider's address to go to."""
    state = secrets.token_urlsafe(32)
    found = {"domain": domain.pk, "next": next_path} | ({"joins": joins} if joins else {})
    pending.keep(session, ATTEMPTS, _key(state), found)
    challenge = _challenge(_verifier(state)) if domain.uses_pkce else ""
    path = domain.authorize_path
    uri = redirect_uri(domain)
    return oauth.authorize_url(domain.base_url, domain.login_client_id, uri, state, challenge, path=path)


def take_attempt(session: SessionBase, state: str) -> Attempt | None:
    """The attempt that this browser started with this state, once; None for any other, an old and a used one."""
    found = pending.take(session, ATTEMPTS, _key(state))
    domain = domains().filter(pk=found["domain"]).first() if found else None
    if found is None or domain is None:
        return None
    verifier = _verifier(state) if domain.uses_pkce else ""
    return Attempt(domain, safe_next(found["next"]), verifier, found.get("joins"))


def complete(request: HttpRequest, attempt: Attempt, code: str) -> User:
    """Swap the code for tokens, learn whose they are and open the session. Raises ProviderError or SignInDisabled."""
    domain = attempt.domain
    secret = domain.login_client_secret.open()
    token = oauth.exchange_code(
        domain.base_url, domain.login_client_id, secret, code, redirect_uri(domain), attempt.code_verifier
    )
    # Before the transaction: the provider is asked several times, and no lock may wait for that.
    proofs = identity.proofs_of(domain, token)
    with transaction.atomic():
        user = _joined(request, attempt, proofs) or _user_for(domain, proofs)
        grant = store_grant(domain, user, token, proofs)
    _open_session(request, user, grant)
    request.session[NEXT] = attempt.next
    return user


def store_grant(domain: Domain, user: User, token: oauth.Token, proofs: Proofs | None = None) -> Grant:
    """Keep what the provider granted to the user just now, and named them, in the place of any older grant."""
    proofs = proofs or Proofs()
    now = timezone.now()
    with transaction.atomic():
        grant, _ = Grant.objects.select_for_update().get_or_create(user=user, defaults={"domain": domain})
        columns = refresh.stored_columns(token, now) | {
            "domain": domain,
            "refresh_token": sealed(token.refresh_token),
            "refresh_issued_at": now if token.refresh_token else None,
            "signed_in_at": now,
            "named_by_token": proofs.token_field,
            "named_by_probe": proofs.read_back,
            "is_probe_unanswered": proofs.is_unanswered,
            "account": proofs.account,
            "replaced_at": None,
            "replacements": 0,
            "rejected_since": None,
            "refused_at": None,
            # A refresh that is under way must not write its tokens over these.
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
    digest = salted_hmac("accounts.signin.login.verifier", state, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _user_for(domain: Domain, proofs: Proofs) -> User:
    """The sign-in of the person whom the proofs name; without a clear one, a new sign-in that has to be linked."""
    if not proofs.extension or _belongs_to_another(domain, proofs):
        if proofs.token_field or proofs.read_back:
            named = {"answer": [None, proofs.token_field], "read back": [None, proofs.read_back]}
            audit.log(domain.pk, "sign-in held back", "", named)
        return _new_user(domain, link_code=_free_code())
    people.get_or_create(domain, proofs.extension)
    # Two tabs of one person: the second waits for the user that the first makes.
    person = Person.objects.select_for_update().get(domain=domain, extension=proofs.extension)
    if person.user is None:
        people.link(person, _new_user(domain))
    assert person.user is not None
    if not person.user.is_active:
        raise SignInDisabled
    return person.user


def _joined(request: HttpRequest, attempt: Attempt, proofs: Proofs) -> User | None:
    """The local account that began this sign-in to be linked, in the session that it began it in.

    Where the provider names no extension, or one that somebody has, it is not linked and stays who it was.
    """
    user = request.user
    local = joining.local_person(user)
    if not isinstance(user, User) or local is None or user.pk != attempt.joins or local.domain_id != attempt.domain.pk:
        return None
    if proofs.extension and not _belongs_to_another(attempt.domain, proofs):
        with suppress(joining.Taken):
            joining.join(attempt.domain, user, proofs.extension)
    return user


def _belongs_to_another(domain: Domain, proofs: Proofs) -> bool:
    """Whether the extension is linked to another account at the provider, or this account to another extension."""
    grants = Grant.objects.filter(domain=domain).exclude(user__person=None)
    return any(
        proofs.is_another_account(grant.account)
        if grant.user.person.extension == proofs.extension
        # Who made the installation has no extension yet, and may be this very account.
        else grant.user.person.extension != joining.LOCAL_EXTENSION and proofs.is_same_account(grant.account)
        for grant in grants.select_related("user__person").defer("access_token", "refresh_token")
    )


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
    # While the request still knows who waited.
    _forget_waiting(request)
    request.session.flush()
    auth.login(request, user, backend=BACKEND)
    request.session[ATTEMPTS] = attempts
    request.session.set_expiry(grant.ends_at)


def _forget_waiting(request: HttpRequest) -> None:
    """Somebody who waited to be linked and signs in again in the same browser waits once, not twice.

    Only such a sign-in goes: never an account of the admin site, with or without a person.
    """
    user = request.user
    if isinstance(user, User) and _only_waits(user):
        audit.log(Grant.objects.get(user=user).domain_id, "waiting sign-in dropped", user.get_username())
        user.delete()


def _only_waits(user: User) -> bool:
    if user.is_staff or user.is_superuser or user.has_usable_password() or not user.link_code:
        return False
    return not Person.objects.filter(user=user).exists() and Grant.objects.filter(user=user).exists()
