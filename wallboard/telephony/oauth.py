"""Tokens: the company-wide grant, and the grant of a person who signs in at the provider."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from wallboard.telephony import transport
from wallboard.telephony.client import refusal
from wallboard.telephony.decoding import Nonsense, decode, instant, number, text
from wallboard.telephony.errors import BadResponse, GrantDoubted, GrantRefused, NotAuthorized, ProviderError
from wallboard.telephony.transport import Answer

TOKEN_PATH = "/api/oauth/token/"  # noqa: S105  (an address, not a secret)
AUTHORIZE_PATH = "/api/oauth/authorize/"
USUAL_SECONDS = 3600.0  # the API's token lifetime, where an answer names none
LONGEST_SECONDS = 90 * 86_400.0
REFRESH_TOKEN = ("refresh_token", "refreshToken", "refresh")  # the API does not show the name of the field
NOT_FOR_SHOW = ("access_token", "id_token", *REFRESH_TOKEN)
OF_THE_REQUEST = ("invalid_request", "unsupported_grant_type", "invalid_scope")  # nothing about code or refresh token
SENDABLE = re.compile(r"[\x21-\x7e]+")  # what a header can carry


@dataclass(frozen=True)
class Token:
    """A token answer. `expires_at` is when it ends by our clock; leaving a margin is up to whoever uses the token.

    A lifetime of zero or less gives a token that has expired on receipt: whoever just asked may try it once, nobody
    may keep it for later. `fields` holds the answer's other plain values as text, for telling who signed in.
    """

    access_token: str = field(repr=False)
    expires_at: datetime
    refresh_token: str = field(default="", repr=False)
    scope: str = ""
    fields: Mapping[str, str] = field(default_factory=dict, repr=False)


def company_token(base_url: str, client_id: str, client_secret: str) -> Token:
    """A token for the whole domain (client credentials grant)."""
    return _token(base_url, client_id, client_secret, {"grant_type": "client_credentials"})


def authorize_url(base_url: str, client_id: str, redirect_uri: str, state: str, code_challenge: str = "") -> str:
    """Where to send a person's browser to sign in; with a challenge, PKCE S256 (RFC 7636) is asked for."""
    query = {"response_type": "code", "client_id": client_id, "redirect_uri": redirect_uri, "state": state}
    if code_challenge:
        query |= {"code_challenge": code_challenge, "code_challenge_method": "S256"}
    return f"{base_url.rstrip('/')}{AUTHORIZE_PATH}?{urlencode(query)}"


def exchange_code(
    base_url: str, client_id: str, client_secret: str, code: str, redirect_uri: str, code_verifier: str = ""
) -> Token:
    """The tokens for a code, which is good for 60 seconds and once; GrantRefused where it is not."""
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
    if code_verifier:
        form["code_verifier"] = code_verifier
    return _token(base_url, client_id, client_secret, form)


def refresh(base_url: str, client_id: str, client_secret: str, refresh_token: str) -> Token:
    """New tokens for a refresh token (RFC 6749 section 6); an empty `refresh_token` in them means the old one stays.

    GrantRefused where the provider says so; GrantDoubted where it refuses and does not say what.
    """
    form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    return _token(base_url, client_id, client_secret, form)


def _token(base_url: str, client_id: str, client_secret: str, form: Mapping[str, str]) -> Token:
    body = urlencode({**form, "client_id": client_id, "client_secret": client_secret}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    answer = transport.send("POST", base_url.rstrip("/") + TOKEN_PATH, headers, body, may_repeat=False)
    if not answer.is_success:
        raise _refusal(answer, form["grant_type"])
    return _read(answer.body, datetime.now(UTC))


def _refusal(answer: Answer, grant_type: str) -> ProviderError:
    """Token errors have names of their own (RFC 6749 section 5.2), which tell more than the status does.

    The API documents no error bodies, so names may be missing: then the status and what was asked for decide.
    """
    try:
        name = decode(answer.body, dict[str, Any]).get("error") if answer.status in (400, 401, 403) else None
    except Nonsense:
        name = None
    if name == "invalid_grant":
        return GrantRefused("the provider refused the grant")
    if name in ("invalid_client", "unauthorized_client"):
        return NotAuthorized("the provider refused the client id or secret")
    if name not in OF_THE_REQUEST and (answer.status, grant_type) == (400, "authorization_code"):
        return GrantRefused("the provider refused the code, and said no more")
    if name not in OF_THE_REQUEST and answer.status in (400, 401) and grant_type == "refresh_token":
        return GrantDoubted("the provider refused the refresh token, and said no more")
    return refusal(answer, f"POST {TOKEN_PATH}")


def _read(body: bytes, received_at: datetime) -> Token:
    try:
        raw = decode(body, dict[str, Any])
    except Nonsense:
        raise BadResponse("the answer is no token") from None
    access_token = raw.get("access_token") or ""
    refresh_token = next((raw[name] for name in REFRESH_TOKEN if raw.get(name)), "")
    if not _is_sendable(access_token) or (refresh_token and not isinstance(refresh_token, str)):
        raise BadResponse("the answer holds no token that can be used")
    plain = {name: text(str(value)) for name, value in raw.items() if isinstance(value, str | int | float)}
    fields = {name: value for name, value in plain.items() if name not in NOT_FOR_SHOW}
    expires_at = received_at + timedelta(seconds=_lifetime(raw, received_at))
    return Token(access_token, expires_at, refresh_token, fields.get("scope", ""), fields)


def _is_sendable(token: object) -> bool:
    return isinstance(token, str) and SENDABLE.fullmatch(token) is not None


def _lifetime(raw: Mapping[str, Any], received_at: datetime) -> float:
    """Seconds from receipt to the end: `expires_in`, as clocks differ; else a sane `expires`; else an hour."""
    seconds = number(raw.get("expires_in"))
    if seconds is not None and abs(seconds) < 1e12:
        return min(max(seconds, 0.0), LONGEST_SECONDS)
    expires = raw.get("expires")
    ends = instant(expires) if isinstance(expires, str) else None
    left = (ends - received_at).total_seconds() if ends else 0.0
    return left if 0 < left <= 86_400 else USUAL_SECONDS
