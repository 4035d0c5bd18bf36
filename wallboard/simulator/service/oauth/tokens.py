"""Bearer tokens: signed, so that they outlive a restart of the service with the same credentials, and revocable."""

import hashlib
import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import asdict, dataclass
from typing import Literal

from wallboard.simulator.service.clock import ServiceClock

ACCESS_SECONDS = 3600
REFRESH_SECONDS = 90 * 86_400
TokenUse = Literal["access", "refresh"]


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token stands for. `user` is the extension it acts for; None is the whole domain."""

    use: TokenUse
    client_id: str
    user: str | None
    grant_id: str
    token_id: str
    issued: float
    expires: float

    @property
    def owner(self) -> str:
        """Whose subscriptions it may see: the application's, or the application's on behalf of one person."""
        return f"{self.client_id}:{self.user or ''}"


class Tokens:
    """Issues tokens and says what a token stands for, as long as it is neither expired nor revoked."""

    def __init__(self, clock: ServiceClock, key: bytes) -> None:
        self._clock, self._key = clock, key
        self._revoked_tokens: set[str] = set()
        self._revoked_grants: set[str] = set()
        self._revoked_before: dict[TokenUse, float] = {"access": 0.0, "refresh": 0.0}
        self._signed_in: dict[str, float] = {}

    def access_token(self, client_id: str, user: str | None, grant_id: str) -> str:
        if user:
            self._signed_in[user] = self._clock.time()
        return self._issue("access", client_id, user, grant_id, ACCESS_SECONDS)

    def refresh_token(self, client_id: str, user: str, grant_id: str) -> str:
        return self._issue("refresh", client_id, user, grant_id, REFRESH_SECONDS)

    def verify(self, token: str, use: TokenUse) -> Claims | None:
        """What a token of this use stands for; None when it is not ours, expired or revoked."""
        claims = self._decoded(token)
        if claims is None or claims.use != use or claims.expires <= self._clock.time():
            return None
        is_revoked = claims.token_id in self._revoked_tokens or claims.grant_id in self._revoked_grants
        return None if is_revoked or claims.issued <= self._revoked_before[use] else claims

    def revoke_token(self, claims: Claims) -> None:
        self._revoked_tokens.add(claims.token_id)

    def revoke_grant(self, grant_id: str) -> None:
        """Access and refresh tokens of one sign-in stop working."""
        self._revoked_grants.add(grant_id)

    def expire_all(self, *, with_refresh_tokens: bool) -> None:
        """Every access token so far has expired; perhaps the refresh tokens are revoked as well."""
        now = self._clock.time()
        self._revoked_before["access"] = now
        if with_refresh_tokens:
            self._revoked_before["refresh"] = now

    def signed_in(self) -> list[str]:
        """Extensions of people who got a token within the last hour, the latest last."""
        since = self._clock.time() - ACCESS_SECONDS
        return sorted((user for user, at in self._signed_in.items() if at > since), key=self._signed_in.__getitem__)

    def _issue(self, use: TokenUse, client_id: str, user: str | None, grant_id: str, seconds: int) -> str:
        now = self._clock.time()
        claims = Claims(use, client_id, user, grant_id, secrets.token_urlsafe(12), now, now + seconds)
        payload = urlsafe_b64encode(json.dumps(asdict(claims)).encode()).decode().rstrip("=")
        return f"{payload}.{self._signature(payload)}"

    def _decoded(self, token: str) -> Claims | None:
        payload, _, signature = token.partition(".")
        if not hmac.compare_digest(self._signature(payload).encode(), signature.encode("utf-8", "replace")):
            return None
        # Signed by us, so it needs no further check.
        return Claims(**json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4))))

    def _signature(self, payload: str) -> str:
        digest = hmac.new(self._key, payload.encode("utf-8", "replace"), hashlib.sha256).digest()
        return urlsafe_b64encode(digest).decode().rstrip("=")
