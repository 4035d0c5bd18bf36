"""Error answers: a status, a code and a sentence, as JSON."""

from collections.abc import Mapping

from aiohttp import web


class ApiError(Exception):
    """A request that is not served. `code` is for programs, `description` for people."""

    def __init__(self, status: int, code: str, description: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(description)
        self.status, self.code, self.description, self.headers = status, code, description, dict(headers or {})

    def response(self, form: str = "json") -> web.Response:
        """The answer with a body of this form: json, text or empty."""
        if form == "text":
            return web.Response(text=f"{self.description}\n", status=self.status, headers=self.headers)
        if form == "empty":
            return web.Response(status=self.status, headers=self.headers)
        body = {"error": self.code, "error_description": self.description}
        return web.json_response(body, status=self.status, headers=self.headers)


def not_found() -> ApiError:
    return ApiError(404, "not_found", "There is nothing at this address.")


def unprocessable(description: str) -> ApiError:
    return ApiError(422, "unprocessable", description)


def bad_token(description: str, status: int = 401) -> ApiError:
    """RFC 6750 section 3: the challenge says that the token is the trouble."""
    challenge = 'Bearer realm="telephony", error="invalid_token"' if description else 'Bearer realm="telephony"'
    return ApiError(status, "invalid_token", description or "Send a bearer token.", {"WWW-Authenticate": challenge})
