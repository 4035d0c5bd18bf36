"""The token endpoint: client credentials, authorization code with optional PKCE, refresh. Errors per RFC 6749, 5.2."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Literal

from aiohttp import web

from wallboard.simulator.clock import Clock
from wallboard.simulator.legs import JSON
from wallboard.simulator.refusals import Refusal
from wallboard.simulator.tokens import Tokens

CODE_SECONDS = 60
NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Application:
    """A client application as the developer portal knows it, for one of the two grants."""

    client_id: str
    client_secret: str
    grant: Literal["client_credentials", "authorization_code"]
    redirect_uris: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """An authorization code's meaning; the grant names all tokens that come of it."""

    client_id: str
    redirect_uri: str
    user: str
    challenge: str
    grant: str
    expires: float


class Codes:
    """Codes that were given out: good for 60 seconds and once."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._codes: dict[str, Code] = {}
        self._spent: dict[str, str] = {}

    def give(self, client_id: str, redirect_uri: str, user: str, challenge: str) -> str:
        code = secrets.token_urlsafe(24)
        expires = self._clock.time() + CODE_SECONDS
        self._codes[code] = Code(client_id, redirect_uri, user, challenge, secrets.token_urlsafe(12), expires)
        return code

    def spend(self, code: str) -> tuple[Code | None, str]:
        """The code's meaning if it is still good, and otherwise the grant that an earlier use of it led to."""
        found = self._codes.pop(code, None)
        if found is None:
            return None, self._spent.get(code, "")
        self._spent[code] = found.grant
        return (found if found.expires > self._clock.time() else None), ""


def refusal(word: str, sentence: str, status: int = 400) -> Refusal:
    return Refusal(status, word, sentence, NO_STORE)


class TokenEndpoint:
    def __init__(self, applications: list[Application], codes: Codes, tokens: Tokens) -> None:
        self._applications = {application.client_id: application for application in applications}
        self._codes, self._tokens = codes, tokens

    async def post(self, request: web.Request) -> web.Response:
        """POST /api/oauth/token/"""
        if request.content_type != FORM:
            raise refusal("invalid_request", f"Send the fields as {FORM}.")
        form = await request.post()
        fields = {name: str(value) for name, value in form.items()}
        if len(fields) != len(form):
            raise refusal("invalid_request", "A field was sent twice.")
        return web.json_response(self.answer(fields), headers=NO_STORE)

    def answer(self, fields: dict[str, str]) -> JSON:
        """The token answer for these form fields."""
        grants = {"client_credentials": self._company, "authorization_code": self._code, "refresh_token": self._refresh}
        if not fields.get("grant_type"):
            raise refusal("invalid_request", "grant_type is missing.")
        application = self._authenticated(fields)
        grant = grants.get(fields["grant_type"])
        if grant is None:
            raise refusal("unsupported_grant_type", "Known are client_credentials, authorization_code, refresh_token.")
        return grant(application, fields)

    def _authenticated(self, fields: dict[str, str]) -> Application:
        application = self._applications.get(fields.get("client_id", ""))
        secret = application.client_secret if application else ""
        if not application or not hmac.compare_digest(secret.encode(), fields.get("client_secret", "").encode()):
            raise refusal("invalid_client", "The client id or the client secret is wrong.", 401)
        return application

    def _allow(self, application: Application, grant: str) -> None:
        if application.grant != grant:
            raise refusal("unauthorized_client", f"This application was registered for {application.grant}.")

    def _company(self, application: Application, fields: dict[str, str]) -> JSON:
        self._allow(application, "client_credentials")
        return self._tokens.answer(application.client_id, None, secrets.token_urlsafe(12))

    def _code(self, application: Application, fields: dict[str, str]) -> JSON:
        self._allow(application, "authorization_code")
        if not fields.get("code"):
            raise refusal("invalid_request", "code is missing.")
        code, earlier_grant = self._codes.spend(fields["code"])
        if earlier_grant:
            self._tokens.end_grant(earlier_grant)
        if code is None or code.client_id != application.client_id:
            raise refusal("invalid_grant", "The code is unknown, used or older than 60 seconds.")
        if fields.get("redirect_uri") != code.redirect_uri:
            raise refusal("invalid_grant", "redirect_uri is not the one that the code was sent to.")
        if code.challenge and not is_verified(code.challenge, fields.get("code_verifier", "")):
            raise refusal("invalid_grant", "code_verifier does not fit the code_challenge.")
        return self._with_refresh(self._tokens.answer(application.client_id, code.user, code.grant), code)

    def _with_refresh(self, answer: JSON, code: Code) -> JSON:
        if self._tokens.refresh_mode == "none":
            return answer
        return answer | {"refresh_token": self._tokens.refresh_token(code.client_id, code.user, code.grant)}

    def _refresh(self, application: Application, fields: dict[str, str]) -> JSON:
        self._allow(application, "authorization_code")
        if not fields.get("refresh_token"):
            raise refusal("invalid_request", "refresh_token is missing.")
        claims = self._tokens.read(fields["refresh_token"], "refresh")
        if claims is None or claims.client_id != application.client_id or claims.user is None:
            raise refusal("invalid_grant", "The refresh token is unknown, expired or revoked.")
        answer = self._tokens.answer(application.client_id, claims.user, claims.grant)
        if self._tokens.refresh_mode == "rotate":
            self._tokens.end_token(claims)
            answer["refresh_token"] = self._tokens.refresh_token(application.client_id, claims.user, claims.grant)
        return answer


def is_verified(challenge: str, verifier: str) -> bool:
    """RFC 7636 section 4.6, method S256."""
    digest = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    return bool(verifier) and hmac.compare_digest(digest, challenge)
