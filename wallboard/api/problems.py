"""Errors as RFC 9457 writes them: application/problem+json, for every error below /api/."""

from collections.abc import Iterable
from http import HTTPStatus

import msgspec
from django.http import HttpResponse

CONTENT_TYPE = "application/problem+json"


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong: `title` names the status, `detail` says what to do about this case."""

    title: str
    status: int
    type: str = "about:blank"
    detail: str = ""


class Problem(Exception):
    """An error to be answered; `headers` go with it."""

    def __init__(self, status: int, detail: str = "", headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers or {}


class WrongMethod(Problem):
    """The address is there, and takes other methods."""

    def __init__(self, methods: Iterable[str]) -> None:
        listed = ", ".join(methods)
        super().__init__(405, f"This address takes {listed}.", {"Allow": listed})


def body(status: int, detail: str = "") -> bytes:
    """The JSON of a problem."""
    details = ProblemDetails(HTTPStatus(status).phrase, status, detail=detail)
    # Written out, as readers look for it, although the default means the same.
    return msgspec.json.encode({"type": details.type, **msgspec.to_builtins(details)})


def response(status: int, detail: str = "", headers: dict[str, str] | None = None) -> HttpResponse:
    """A problem as an answer."""
    answer = HttpResponse(body(status, detail), CONTENT_TYPE, status, headers=headers)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def of(problem: Problem) -> HttpResponse:
    """The same of one that was raised."""
    return response(problem.status, problem.detail, problem.headers)
