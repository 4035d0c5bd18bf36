"""Tokens that all processes share: the company's and those of signed-in users, each behind a client for the API."""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import F
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import CompanyToken, Domain, Grant
from accounts.signin import sessions
from accounts.tokens.refresh import TokenSource
from wallboard.telephony import errors, oauth
from wallboard.telephony.client import Client
from wallboard.telephony.transport import Answer, Deadline

DOUBTS = 3  # refusals without a reason, one after the other, that end a sign-in …
DOUBTED_FOR = timedelta(minutes=30)  # … once the first is so old: a provider's hiccup signs nobody out


def company_client(domain: Domain) -> "StoredTokenClient":
    """A client that acts for the whole company."""
    row, _ = CompanyToken.objects.get_or_create(domain=domain)
    return StoredTokenClient(domain.base_url, CompanyTokenSource(row))


def client_of_joined(domain: Domain) -> "StoredTokenClient":
    """The same for a domain that was read just now together with its token."""
    row = getattr(domain, "company_token", None)
    if row is None:
        return company_client(domain)
    return StoredTokenClient(domain.base_url, CompanyTokenSource(row, is_just_read=True))


def release_connection() -> None:
    """Let others use our connection to the database while we wait for a provider: the pool has fewer than may wait."""
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        connection.close()


def forget_company_token(domain: Domain) -> None:
    """Start afresh after the credentials were changed: no token, no pause."""
    fresh = {
        "access_token": "",
        "usable_until": None,
        "replaced_at": None,
        "replacements": 0,
        "rejected_since": None,
        "retry_at": None,
        # A renewal under way with the old credentials must not store its token.
        "version": F("version") + 1,
    }
    CompanyToken.objects.filter(domain=domain).update(**fresh)


def try_now(domain: Domain) -> None:
    """End the pause that a failing token endpoint is given: somebody waits for the next try."""
    # A short-lived token's pause is no failure: its end would only fetch another such token.
    CompanyToken.objects.filter(domain=domain).exclude(failure=errors.ShortLivedToken.kind).update(retry_at=None)


class StoredTokenClient(Client):
    """A client that tells the source of its tokens how calls went, so that no caller replaces them in vain.

    `replaces_tokens` is off for what was refused before: a right that is lacking must not cost a token each time.
    """

    def __init__(self, base_url: str, tokens: TokenSource) -> None:
        super().__init__(base_url, self._token)
        self._tokens = tokens
        self.replaces_tokens = True

    def _call(self, method: str, path: str, version: str, body: bytes | None = None) -> Answer:
        try:
            answer = super()._call(method, path, version, body)
        except (errors.TokenRejected, errors.Forbidden):
            self._tokens.record_rejection()
            raise
        self._tokens.record_success()
        return answer

    def _send(self, method: str, path: str, version: str, body: bytes | None, token: str, until: Deadline) -> Answer:
        release_connection()
        return super()._send(method, path, version, body, token, until)

    def _token(self, rejected: str | None) -> str:
        return rejected if rejected and not self.replaces_tokens else self._tokens(rejected)


class CompanyTokenSource(TokenSource):
    """The company-wide token, by the client credentials grant."""

    def fetch(self, row: CompanyToken) -> oauth.Token:
        domain = row.domain
        secret = domain.client_secret.open()
        release_connection()
        return oauth.company_token(domain.base_url, domain.client_id, secret)


class GrantTokenSource(TokenSource):
    """A user's token, by the refresh token where the provider gave one."""

    def check(self, row: Grant) -> None:
        if row.refused_at or (row.refresh_issued_at and row.ends_at <= timezone.now()):
            raise errors.GrantRefused("The provider ended this sign-in.")

    def fetch(self, row: Grant) -> oauth.Token:
        refresh_token = row.refresh_token.open()
        if not refresh_token:
            raise errors.GrantRefused("The provider gave no refresh token.")
        domain = row.domain
        secret = domain.login_client_secret.open()
        release_connection()
        try:
            return oauth.refresh(domain.base_url, domain.login_client_id, secret, refresh_token)
        except errors.GrantDoubted:
            if is_past_doubt(row, timezone.now()):
                raise errors.GrantRefused("The provider refused the refresh token again and again.") from None
            raise

    def extras(self, row: Grant, token: oauth.Token, received: datetime) -> dict[str, Any]:
        """A provider that rotates sends a successor; one that does not lets the old refresh token live on."""
        if not token.refresh_token:
            return {}
        return {"refresh_token": sealed(token.refresh_token), "refresh_issued_at": received}

    def on_failure(self, row: Grant, error: errors.ProviderError) -> None:
        if isinstance(error, errors.GrantRefused):
            refuse(row)


def is_past_doubt(grant: Grant, now: datetime) -> bool:
    """Whether one more refusal without a reason has to be believed. Doubts are counted from the first in a row."""
    if grant.failure != errors.GrantDoubted.kind or grant.failing_since is None:
        return False
    return grant.failures + 1 >= DOUBTS and now - grant.failing_since >= DOUBTED_FOR


def refuse(grant: Grant) -> None:
    """The provider no longer stands behind this sign-in: forget its tokens and end the user's sessions and sockets."""
    Grant.objects.filter(pk=grant.pk, refused_at=None).update(
        access_token="", refresh_token="", usable_until=None, refused_at=timezone.now()
    )
    sessions.end(grant.user_id)
