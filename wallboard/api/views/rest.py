"""The edge of the API: every address below /api/."""

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, path, re_path
from django.views.decorators.csrf import csrf_exempt

from wallboard.api import answering, catalogue, openapi, problems
from wallboard.api.answering import ByMethod
from wallboard.api.endpoints import Asked, Endpoint
from wallboard.api.problems import Problem

ROUTES = {"{id}": "<int:id>", "{slug}": "<slug:slug>", "{number}": "<str:number>", "{extension}": "<str:extension>"}


def patterns() -> list[URLPattern]:
    """A route for each address of the catalogue, and one for all that is none."""
    found = [path("api/v1/openapi.json", describe, name="openapi")]
    found.append(path("api/v1/live", live, name="live"))
    for address, by_method in catalogue.by_path().items():
        route = address
        for name, converter in ROUTES.items():
            route = route.replace(name, converter)
        name = next(iter(by_method.values())).name
        found.append(path(f"api/v1/{route}", view_of(by_method), name=name))
    return [*found, re_path(r"^api/", view_of({}), name="unknown")]


def view_of(by_method: ByMethod) -> Any:
    """The view of one address."""

    # No cookie counts here, so that no other site can make a browser ask in somebody's name.
    @csrf_exempt
    def view(request: HttpRequest, **names: object) -> HttpResponseBase:
        return answering.answer(request, by_method, {name: str(value) for name, value in names.items()})

    return view


def live(request: HttpRequest) -> HttpResponse:
    """The event stream, where a server runs this without ASGI: streams/asgi_endpoint.py answers before Django."""
    return answering.answer(request, {"GET": STREAM}, {})


def not_here(asked: Asked) -> None:
    """Raises Problem."""
    raise Problem(503, "This server cannot stream; run it under ASGI.")


class LiveQuery(msgspec.Struct, frozen=True):
    """What the stream takes; nothing of it is read here."""


STREAM = Endpoint("live", "live", "", "", not_here, None, query=LiveQuery)


def describe(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document, for everybody."""
    if request.method not in ("GET", "HEAD"):
        return problems.of(problems.WrongMethod(["GET", "HEAD"]))
    return answering.tagged(request, openapi.document(), "public, max-age=300")
