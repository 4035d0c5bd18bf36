"""The answer of the token endpoint, as the dialect has it."""

from datetime import timedelta

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.floor.company import DOMAIN, Company
from wallboard.simulator.messages.times import expires_text
from wallboard.simulator.service.clock import ServiceClock
from wallboard.simulator.service.oauth.tokens import ACCESS_SECONDS
from wallboard.simulator.types import JSON

EXPIRES_IN: dict[str, JSON] = {
    "3599": {"expires_in": 3599},
    "0": {"expires_in": 0},
    "1": {"expires_in": 1},
    "missing": {},
    "text": {"expires_in": "3599"},
    "words": {"expires_in": "an hour"},
}


class TokenAnswers:
    """Words the answers around tokens."""

    def __init__(self, clock: ServiceClock, dialect: Dialect, company: Company) -> None:
        self._clock, self._dialect, self._company = clock, dialect, company

    def answer(self, access_token: str, user: str | None) -> JSON:
        """The fields of the document, without a refresh token; perhaps one that names the user."""
        dialect = self._dialect
        seconds = ACCESS_SECONDS + dialect.token_expires_error_seconds
        answer = {
            "access_token": access_token,
            "scope": "user" if user else "domain",
            "token_type": "Bearer",
            **EXPIRES_IN[dialect.token_expires_in],
            "expires": expires_text(self._clock.now() + timedelta(seconds=seconds), dialect),
        }
        if user and dialect.token_user_field:
            answer[dialect.token_user_field] = self._named(user)
        return answer

    def with_refresh_token(self, answer: JSON, refresh_token: str) -> JSON:
        """The same with a refresh token, in the dialect's field."""
        return answer | {self._dialect.refresh_token_field: refresh_token}

    def _named(self, user: str) -> str:
        extension = user if self._dialect.named_user == "own" else self._company.other_extension(user)
        return f"{extension}@{DOMAIN}" if self._dialect.user_form == "address" else extension
