"""Bearer tokens: signed, so that they outlive a restart of the service with the same credentials, and revocable."""

import hashlib
import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Literal

from wallboard.simulator.clock import Clock, iso
from wallboard.simulator.legs import JSON

ACCESS_SECONDS, REPORTED_SECONDS = 3600, 3599
REFRESH_SECONDS = 90 * 86_400
Use = Literal["access", "refresh"]
RefreshMode = Literal["keep", "rotate", "none"]


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token stands for. `user` is the extension it acts for; None is the whole domain."""

    use: Use
    client_id: str
    user: str | None
    grant: str
    number: str
    issued: float
    expires: float

    @property
    def owner(self) -> str:
        """Whose subscriptions it may see: the application's, or the application's on behalf of one person."""
        return f"{self.client_id}:{self.user or ''}"

    @property
    def scope(self) -> str:
        return "user" if self.user else "domain"


class Tokens:
    """Issues tokens and says what a token stands for, as long as it is neither expired nor revoked."""

    def __init__(self, clock: Clock, key: bytes) -> None:
        self._clock, self._key = clock, key
        self._dead_tokens: set[str] = set()
        self._dead_grants: set[str] = set()
        self._expired_before: dict[Use, float] = {"access": 0.0, "refresh": 0.0}
        self._signed_in: dict[str, float] = {}
        self.refresh_mode: RefreshMode = "keep"

    def answer(self, client_id: str, user: str | None, grant: str) -> JSON:
        """An access token answer with the fields of the document, without a refresh token."""
        token = self._issue("access", client_id, user, grant, ACCESS_SECONDS)
        expires = datetime.fromtimestamp(self._clock.time() + ACCESS_SECONDS, UTC)
        if user:
            self._signed_in[user] = self._clock.time()
        return {
            "access_token": token,
            "scope": "user" if user else "domain",
            "token_type": "Bearer",
            "expires_in": REPORTED_SECONDS,
            "expires": iso(expires),
        }

    def refresh_token(self, client_id: str, user: str, grant: str) -> str:
        return self._issue("refresh", client_id, user, grant, REFRESH_SECONDS)

    def read(self, token: str, use: Use) -> Claims | None:
        """What a token of this use stands for; None when it is not ours, expired or revoked."""
        claims = self._decoded(token)
        if claims is None or claims.use != use or claims.expires <= self._clock.time():
            return None
        is_dead = claims.number in self._dead_tokens or claims.grant in self._dead_grants
        return None if is_dead or claims.issued <= self._expired_before[use] else claims

    def end_token(self, claims: Claims) -> None:
        self._dead_tokens.add(claims.number)

    def end_grant(self, grant: str) -> None:
        """Access and refresh tokens of one sign-in stop working."""
        self._dead_grants.add(grant)

    def end_all(self, *, refresh_too: bool) -> None:
        """Every access token so far has expired; with `refresh_too` the refresh tokens are revoked as well."""
        now = self._clock.time()
        self._expired_before["access"] = now
        if refresh_too:
            self._expired_before["refresh"] = now

    def signed_in(self) -> list[str]:
        """Extensions of people who got a token within the last hour, the latest last."""
        since = self._clock.time() - ACCESS_SECONDS
        return sorted((user for user, at in self._signed_in.items() if at > since), key=self._signed_in.__getitem__)

    def _issue(self, use: Use, client_id: str, user: str | None, grant: str, seconds: int) -> str:
        now = self._clock.time()
        claims = Claims(use, client_id, user, grant, secrets.token_urlsafe(12), now, now + seconds)
        payload = urlsafe_b64encode(json.dumps(asdict(claims)).encode()).decode().rstrip("=")
        return f"{payload}.{self._signature(payload)}"

    def _decoded(self, token: str) -> Claims | None:
        payload, _, signature = token.partition(".")
        if not hmac.compare_digest(self._signature(payload).encode(), signature.encode("utf-8", "replace")):
            return None
        return Claims(**json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4))))

    def _signature(self, payload: str) -> str:
        digest = hmac.new(self._key, payload.encode("utf-8", "replace"), hashlib.sha256).digest()
        return urlsafe_b64encode(digest).decode().rstrip("=")
