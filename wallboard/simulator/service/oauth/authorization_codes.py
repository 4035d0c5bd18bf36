"""Authorization codes: good for 60 seconds and once."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass

from wallboard.simulator.service.clock import ServiceClock

CODE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class AuthorizationCode:
    """What a code stands for; the grant names all tokens that come of it."""

    client_id: str
    redirect_uri: str
    user: str
    challenge: str
    grant_id: str
    expires: float

    def accepts(self, verifier: str) -> bool:
        """RFC 7636 section 4.6, method S256; a code without a challenge needs no verifier."""
        digest = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        return not self.challenge or (bool(verifier) and hmac.compare_digest(digest, self.challenge))


class AuthorizationCodes:
    """The codes that were issued, and which grant came of those that were redeemed."""

    def __init__(self, clock: ServiceClock) -> None:
        self._clock = clock
        self._codes: dict[str, AuthorizationCode] = {}
        self._redeemed: dict[str, str] = {}

    def issue(self, client_id: str, redirect_uri: str, user: str, challenge: str) -> str:
        """A new code for this person."""
        code = secrets.token_urlsafe(24)
        expires = self._clock.time() + CODE_SECONDS
        grant_id = secrets.token_urlsafe(12)
        self._codes[code] = AuthorizationCode(client_id, redirect_uri, user, challenge, grant_id, expires)
        return code

    def redeem(self, code: str) -> tuple[AuthorizationCode | None, str]:
        """What the code stands for if it is still good, and otherwise the grant that an earlier use of it led to."""
        found = self._codes.pop(code, None)
        if found is None:
            return None, self._redeemed.get(code, "")
        self._redeemed[code] = found.grant_id
        return (found if found.expires > self._clock.time() else None), ""
