"""Tokens: the company-wide grant, and the grant of a person who signs in at the provider."""

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from wallboard.telephony import transport, user_names
from wallboard.telephony.client import attributed, refusal
from wallboard.telephony.decoding import Unreadable, decode, instant, number, text
from wallboard.telephony.errors import BadResponse, GrantDoubted, GrantRefused, NotAuthorized, ProviderError
from wallboard.telephony.transport import Answer
from wallboard.telephony.user_names import UserName

TOKEN_PATH = "/api/oauth/token/"  # noqa: S105  (an address, not a secret)
AUTHORIZE_PATH = "/api/oauth/authorize/"  # the API shows it without /api as well
AUTHORIZE_PATHS = (AUTHORIZE_PATH, "/oauth/authorize/")
NOT_THERE = (404, 405, 410)
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

    def user(self, field_name: str) -> UserName:
        """The user that a field names; an empty name where the answer has no such field or it holds no user."""
        return user_names.read(self.fields.get(field_name, ""))


def company_token(base_url: str, client_id: str, client_secret: str) -> Token:
    """A token for the whole domain (client credentials grant, RFC 6749 section 4.4). Raises a ProviderError."""
    return _token(base_url, client_id, client_secret, {"grant_type": "client_credentials"})


def authorize_url(
    base_url: str,
    client_id: str,
    redirect_uri: str,
    state: str,
    code_challenge: str = "",
    *,
    path: str = AUTHORIZE_PATH,
) -> str:
    """Where to send a person's browser to sign in (RFC 6749 section 4.1.1).

    With a challenge, PKCE S256 (RFC 7636 section 4.3) is asked for.
    """
    query = {"response_type": "code", "client_id": client_id, "redirect_uri": redirect_uri, "state": state}
    if code_challenge:
        query |= {"code_challenge": code_challenge, "code_challenge_method": "S256"}
    return f"{base_url.rstrip('/')}/{path.lstrip('/')}?{urlencode(query)}"


def authorize_path(base_url: str, client_id: str, redirect_uri: str) -> str:
    """At which of AUTHORIZE_PATHS the provider has its sign-in page; "" where it does not let us know.

    Asks for the page as a browser would, up to twice; nobody signs in.
    """
    complaining = ""
    for path in AUTHORIZE_PATHS:
        url = authorize_url(base_url, client_id, redirect_uri, secrets.token_urlsafe(16), path=path)
        try:
            status = transport.send("GET", url, {"Accept": "text/html"}).status
        except ProviderError:
            return ""
        if status < 400:
            return path
        if status >= 500:
            return ""  # trouble of the server proves nothing either way
        # It may be the page that complains about the request, or the API, which wants a token for all paths of its own.
        if status not in NOT_THERE:
            complaining = complaining or path
    return complaining


def refuses_pkce(base_url: str, client_id: str, redirect_uri: str, *, path: str = AUTHORIZE_PATH) -> bool:
    """Whether the authorize endpoint refuses a PKCE challenge, and only that: without one it takes the same request.

    False where the endpoint cannot be reached. Nobody signs in: both answers are thrown away.
    """
    state, challenge = secrets.token_urlsafe(16), secrets.token_urlsafe(32)  # 43 characters, as a digest has
    try:
        return _is_refused(authorize_url(base_url, client_id, redirect_uri, state, challenge, path=path)) and (
            not _is_refused(authorize_url(base_url, client_id, redirect_uri, state, path=path))
        )
    except ProviderError:
        return False


def refuses_redirect(base_url: str, client_id: str, redirect_uri: str, *, path: str = AUTHORIZE_PATH) -> bool:
    """Whether the authorize endpoint refuses client id or redirect address. False where it cannot be reached.

    It must show such an error itself and send nobody back (RFC 6749 section 4.1.2.1), hence by the status.
    """
    url = authorize_url(base_url, client_id, redirect_uri, secrets.token_urlsafe(16), path=path)
    try:
        return transport.send("GET", url, {"Accept": "text/html"}).status in (400, 401, 403)
    except ProviderError:
        return False


def _is_refused(url: str) -> bool:
    """Whether a browser would be shown an error there, or be sent back with one (RFC 6749 section 4.1.2.1).

    Raises a ProviderError where the answer is about the provider's own trouble.
    """
    answer = transport.send("GET", url, {"Accept": "text/html"})
    if answer.status >= 500 or answer.status in (404, 408, 429):
        raise refusal(answer, "GET of the authorize endpoint")
    try:
        return answer.status >= 400 or "error" in parse_qs(urlsplit(answer.headers.get("Location", "")).query)
    except ValueError:
        return False  # sent to an address that is none: nothing is said of the request


def exchange_code(
    base_url: str,
    client_id: str,
    client_secret: str,
    code: str,
    redirect_uri: str,
    code_verifier: str = "",
) -> Token:
    """The tokens for a code (RFC 6749 section 4.1.3), which is good for 60 seconds and once.

    Raises GrantRefused where it is not, else another ProviderError. Credentials that are refused are sent once more:
    a person waits, and the code, of which nothing was said, is still good.
    """
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
    if code_verifier:
        form["code_verifier"] = code_verifier
    with suppress(NotAuthorized):
        return _token(base_url, client_id, client_secret, form)
    return _token(base_url, client_id, client_secret, form)


def refresh(base_url: str, client_id: str, client_secret: str, refresh_token: str) -> Token:
    """New tokens for a refresh token (RFC 6749 section 6); an empty `refresh_token` in them means the old one stays.

    Raises GrantRefused where the provider says so, GrantDoubted where it refuses and does not say what.
    """
    form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    return _token(base_url, client_id, client_secret, form)


def _token(base_url: str, client_id: str, client_secret: str, form: Mapping[str, str]) -> Token:
    body = urlencode({**form, "client_id": client_id, "client_secret": client_secret}).encode()
    # The API asks for the credentials among the fields of the form, and for no version here.
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    url = base_url.rstrip("/") + TOKEN_PATH
    # Never repeated: a code or a rotating refresh token counts once, and a provider may end the whole grant when it
    # comes twice (RFC 9700 section 4.14).
    answer = transport.send("POST", url, headers, body, may_repeat=False)
    if not answer.is_success:
        raise attributed(_refusal(answer, form["grant_type"]), answer)
    return _read(answer.body, answer.received_at)


def _refusal(answer: Answer, grant_type: str) -> ProviderError:
    """Token errors have names of their own (RFC 6749 section 5.2), which tell more than the status does.

    The API documents no error bodies, so names may be missing: then the status and what was asked for decide.
    """
    try:
        name = decode(answer.body, dict[str, Any]).get("error") if answer.status in (400, 401, 403) else None
    except Unreadable:
        name = None
    if name == "invalid_grant":
        return GrantRefused("the provider refused the grant")
    if name in ("invalid_client", "unauthorized_client"):
        return NotAuthorized("the provider refused the client id or secret")
    if name not in OF_THE_REQUEST and (answer.status, grant_type) == (400, "authorization_code"):
        return GrantRefused("the provider refused the code, and said no more")
    if name not in OF_THE_REQUEST and answer.status in (400, 401) and grant_type == "refresh_token":
        return GrantDoubted("the provider refused the refresh token, and said no more")
    if answer.status in (401, 403):
        return NotAuthorized(f"POST {TOKEN_PATH}: status {answer.status}")  # no token was rejected: none was shown
    return refusal(answer, f"POST {TOKEN_PATH}")


def _read(body: bytes, received_at: datetime) -> Token:
    try:
        raw = decode(body, dict[str, Any])
    except Unreadable:
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
    # Beyond that it is nonsense, and dates overflow.
    if seconds is not None and abs(seconds) < 1e12:
        return min(max(seconds, 0.0), LONGEST_SECONDS)
    expires = raw.get("expires")
    ends = instant(expires) if isinstance(expires, str) else None
    left = (ends - received_at).total_seconds() if ends else 0.0
    # `expires` is by the provider's clock: where that differs much from ours, an hour is the better guess.
    return left if 0 < left <= 86_400 else USUAL_SECONDS
