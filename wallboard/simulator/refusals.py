"""How the service says no: a status, a short word and a sentence, as JSON."""

from collections.abc import Mapping

from aiohttp import web


class Refusal(Exception):
    """A request that is not served. `word` is for programs, `sentence` for people."""

    def __init__(self, status: int, word: str, sentence: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status, self.word, self.sentence, self.headers = status, word, sentence, dict(headers or {})

    def response(self) -> web.Response:
        return web.json_response(
            {"error": self.word, "error_description": self.sentence}, status=self.status, headers=self.headers
        )


def not_found() -> Refusal:
    return Refusal(404, "not_found", "There is nothing at this address.")


def unprocessable(sentence: str) -> Refusal:
    return Refusal(422, "unprocessable", sentence)


def bad_token(sentence: str) -> Refusal:
    """RFC 6750 section 3: the challenge says that the token is the trouble."""
    challenge = 'Bearer realm="telephony", error="invalid_token"' if sentence else 'Bearer realm="telephony"'
    return Refusal(401, "invalid_token", sentence or "Send a bearer token.", {"WWW-Authenticate": challenge})
