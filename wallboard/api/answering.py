"""One request of a program: who asks, whether it may, what it wants, and the answer with its headers."""

import re
from collections.abc import Mapping
from hashlib import sha256

import msgspec
from django.http import HttpRequest, HttpResponse
from django.http.response import Http404
from django.utils.cache import patch_vary_headers

from accounts import audit
from accounts.signin import client_address
from wallboard.api import callers, pacing, problems
from wallboard.api.callers import Caller
from wallboard.api.endpoints import Asked, Endpoint
from wallboard.api.parsing import JSON, body_of, query_of
from wallboard.api.problems import Problem, WrongMethod

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="wallboard"'}
AGE = re.compile(rb'"age_seconds":(null|[0-9.e+-]+)')  # within a text the quotes have a backslash before them
ByMethod = Mapping[str, Endpoint]


def answer(request: HttpRequest, by_method: ByMethod, path: Mapping[str, str]) -> HttpResponse:
    """The answer to a request; whatever goes wrong is a problem."""
    told: dict[str, str] = {}
    try:
        caller = identified(request)
        told = admitted(caller)
        response = served(request, caller, by_method, path)
    except Problem as problem:
        response = problems.of(problem)
    except Http404:
        response = problems.response(404, "There is nothing here that this token may see.")
    for name, value in told.items():
        response.headers.setdefault(name, value)
    # Caches on the way must not hand one program's answer to another.
    patch_vary_headers(response, ["Authorization"])
    return response


def identified(request: HttpRequest) -> Caller:
    """The program that asks. Raises Problem(401), or Problem(429) for an address that tries many tokens."""
    return identified_by(request.headers.get("Authorization", ""), client_address.of_request(request))


def identified_by(header: str, address: str) -> Caller:
    """The same from the header and the address."""
    if caller := callers.identify(header):
        return caller
    if header and pacing.wrong_tokens.is_exceeded(address):
        raise Problem(429, "Too many wrong tokens from your address.", {"Retry-After": "600"})
    raise Problem(401, "Send a token that was not revoked as “Authorization: Bearer …”.", CHALLENGE)


def admitted(caller: Caller) -> dict[str, str]:
    """The headers that tell the limit. Raises Problem(429) past it."""
    usage = pacing.count(caller.token_id)
    told = pacing.headers(usage)
    if usage.used > pacing.REQUESTS_PER_MINUTE:
        detail = f"A token may ask {pacing.REQUESTS_PER_MINUTE} times a minute."
        raise Problem(429, detail, {**told, "Retry-After": str(usage.seconds_left)})
    return told


def served(request: HttpRequest, caller: Caller, by_method: ByMethod, path: Mapping[str, str]) -> HttpResponse:
    """The answer of the endpoint. Raises Problem."""
    if not by_method:
        raise Problem(404, "There is no such address; /api/v1/openapi.json lists all.")
    endpoint = by_method.get("GET" if request.method == "HEAD" else str(request.method))
    if endpoint is None:
        raise WrongMethod(allowed(by_method))
    if not caller.may(endpoint.scope):
        raise Problem(403, f"The token lacks the scope “{endpoint.scope}”.")
    query, body = query_of(request.GET, endpoint.query), body_of(request, endpoint.body, endpoint.most_bytes)
    with audit.acting_as(lambda: caller.actor):
        content = endpoint.handle(Asked(caller, path, query, body))
    return written(request, content, endpoint.status)


def allowed(by_method: ByMethod) -> list[str]:
    """The methods that an address takes."""
    return sorted({*by_method, *(["HEAD"] if "GET" in by_method else [])})


def written(request: HttpRequest, content: object, status: int = 200) -> HttpResponse:
    """The content as JSON with its ETag; 304 where the program holds it already."""
    if content is None:
        return HttpResponse(status=204)
    return tagged(request, msgspec.json.encode(content), "private, no-cache", status)


def tagged(request: HttpRequest, text: bytes, caching: str, status: int = 200) -> HttpResponse:
    """JSON with its ETag."""
    response = HttpResponse(text, JSON, status, headers={"Cache-Control": caching})
    if request.method in ("GET", "HEAD"):
        # Weak: an answer that has only grown older is the same one.
        tag = f'W/"{sha256(AGE.sub(b"", text)).hexdigest()[:32]}"'
        if is_held(request.headers.get("If-None-Match", ""), tag):
            response = HttpResponse(status=304, headers={"Cache-Control": caching})
        response.headers["ETag"] = tag
    return response


def is_held(header: str, tag: str) -> bool:
    """Whether If-None-Match names the tag (RFC 9110 section 13.1.2: compared weakly)."""
    names = {each.strip().removeprefix("W/") for each in header[:2000].split(",")}
    return header.strip() == "*" or tag.removeprefix("W/") in names
