"""The token endpoint: client credentials, authorization code with optional PKCE, refresh. Errors per RFC 6749, 5.2."""

import hmac
import secrets
from collections.abc import Mapping

from aiohttp import web

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.service.errors import ApiError
from wallboard.simulator.service.oauth.applications import Application, Grant
from wallboard.simulator.service.oauth.authorization_codes import AuthorizationCodes
from wallboard.simulator.service.oauth.token_answers import TokenAnswers
from wallboard.simulator.service.oauth.tokens import Tokens
from wallboard.simulator.service.request_body import FORM, NO_STORE, read_form
from wallboard.simulator.types import JSON


def token_error(code: str, description: str, status: int = 400) -> ApiError:
    return ApiError(status, code, description, NO_STORE)


class TokenEndpoint:
    """Exchanges credentials, codes and refresh tokens for access tokens."""

    def __init__(
        self,
        applications: Mapping[str, Application],
        codes: AuthorizationCodes,
        tokens: Tokens,
        answers: TokenAnswers,
        dialect: Dialect,
    ) -> None:
        self._applications, self._codes, self._tokens = applications, codes, tokens
        self._answers, self._dialect = answers, dialect

    async def post(self, request: web.Request) -> web.Response:
        """POST /api/oauth/token/"""
        if request.content_type != FORM:
            raise token_error("invalid_request", f"Send the fields as {FORM}.")
        form = await read_form(request)
        fields = dict(form)
        # RFC 6749 section 3.2.
        if len(fields) != len(form):
            raise token_error("invalid_request", "A field was sent twice.")
        return web.json_response(self._answer(fields), headers=NO_STORE)

    def _answer(self, fields: Mapping[str, str]) -> JSON:
        grants = {
            "client_credentials": self._client_credentials,
            "authorization_code": self._authorization_code,
            "refresh_token": self._refresh_token,
        }
        if not fields.get("grant_type"):
            raise token_error("invalid_request", "grant_type is missing.")
        application = self._authenticate(fields)
        grant = grants.get(fields["grant_type"])
        if grant is None:
            raise token_error("unsupported_grant_type", f"Known are {', '.join(grants)}.")
        return grant(application, fields)

    def _authenticate(self, fields: Mapping[str, str]) -> Application:
        application = self._applications.get(fields.get("client_id", ""))
        secret = application.client_secret if application else ""
        if not application or not hmac.compare_digest(secret.encode(), fields.get("client_secret", "").encode()):
            raise token_error("invalid_client", "The client id or the client secret is wrong.", 401)
        return application

    def _client_credentials(self, application: Application, fields: Mapping[str, str]) -> JSON:
        require_grant(application, "client_credentials")
        token = self._tokens.access_token(application.client_id, None, secrets.token_urlsafe(12))
        return self._answers.answer(token, None)

    def _authorization_code(self, application: Application, fields: Mapping[str, str]) -> JSON:
        require_grant(application, "authorization_code")
        if not fields.get("code"):
            raise token_error("invalid_request", "code is missing.")
        code, earlier_grant_id = self._codes.redeem(fields["code"])
        # RFC 6749 section 4.1.2: a code that comes twice may be stolen, so the tokens of its first use end.
        if earlier_grant_id:
            self._tokens.revoke_grant(earlier_grant_id)
        if code is None or code.client_id != application.client_id:
            raise token_error("invalid_grant", "The code is unknown, used or older than 60 seconds.")
        if fields.get("redirect_uri") != code.redirect_uri:
            raise token_error("invalid_grant", "redirect_uri is not the one that the code was sent to.")
        if self._dialect.pkce != "ignored" and not code.accepts(fields.get("code_verifier", "")):
            raise token_error("invalid_grant", "code_verifier does not fit the code_challenge.")
        has_refresh_token = self._dialect.refresh_tokens != "none"
        return self._answer_for(application, code.user, code.grant_id, has_refresh_token=has_refresh_token)

    def _refresh_token(self, application: Application, fields: Mapping[str, str]) -> JSON:
        require_grant(application, "authorization_code")
        if not fields.get("refresh_token"):
            raise token_error("invalid_request", "refresh_token is missing.")
        claims = self._tokens.verify(fields["refresh_token"], "refresh")
        if claims is None or claims.client_id != application.client_id or claims.user is None:
            raise token_error("invalid_grant", "The refresh token is unknown, expired or revoked.")
        rotates = self._dialect.refresh_tokens == "rotate"
        if rotates:
            self._tokens.revoke_token(claims)
        return self._answer_for(application, claims.user, claims.grant_id, has_refresh_token=rotates)

    def _answer_for(self, application: Application, user: str, grant_id: str, *, has_refresh_token: bool) -> JSON:
        """New tokens for a person."""
        answer = self._answers.answer(self._tokens.access_token(application.client_id, user, grant_id), user)
        if not has_refresh_token:
            return answer
        refresh_token = self._tokens.refresh_token(application.client_id, user, grant_id)
        return self._answers.with_refresh_token(answer, refresh_token)


def require_grant(application: Application, grant: Grant) -> None:
    """An application works only with the grant it was registered for."""
    if application.grant != grant:
        raise token_error("unauthorized_client", f"This application was registered for {application.grant}.")
