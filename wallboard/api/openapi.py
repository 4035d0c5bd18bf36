"""The OpenAPI 3.1 document, made from the endpoints and their structs."""

import re
from functools import cache
from typing import Any

import msgspec

from wallboard.api.catalogue import ENDPOINTS
from wallboard.api.endpoints import BASE, Endpoint
from wallboard.api.problems import CONTENT_TYPE, ProblemDetails
from wallboard.api.scopes import SCOPES
from wallboard.outgoing import documents
from wallboard.outgoing.documents import DESCRIPTIONS

VERSION = "1.0"
REF = "#/components/schemas/{name}"
PROBLEMS = {
    400: "The query is not understood",
    401: "No token, or one that does not count",
    403: "The token lacks the scope",
    404: "Nothing that this token may see",
    409: "What is asked for has changed meanwhile, or is changed elsewhere only",
    405: "This address takes other methods",
    413: "The body is too large",
    415: "The body is not declared as JSON",
    422: "The body is not understood",
    429: "Too many requests; Retry-After says when to come back",
    500: "A fault of ours",
    503: "Not ready yet; Retry-After says when to come back",
}
USUAL = (400, 401, 403, 405, 429, 500)
OF_BODIES = (413, 415, 422)
LIMITS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
# What a token may look like in the address, beside what the router takes.
PATTERNS = {
    "id": {"type": "integer", "minimum": 0, "maximum": 2**53},
    "slug": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
}


@cache
def document() -> bytes:
    """The document as JSON."""
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Wallboard",
                "version": VERSION,
                "description": "Queues, people and calls for programs. docs/api.md explains tokens, cursors and feeds.",
            },
            "servers": [{"url": BASE.rstrip("/")}],
            "security": [{"token": []}],
            "paths": paths(),
            "webhooks": webhooks(),
            "components": {
                "schemas": schemas(),
                "headers": {name: {"schema": {"type": "integer"}} for name in LIMITS},
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        }
    )


def schemas() -> dict[str, Any]:
    """Every struct by its name; queries are written as parameters instead."""
    used = [each for endpoint in ENDPOINTS for each in (endpoint.answer, endpoint.body) if each is not None]
    every = [*used, *documents.STRUCTS.values(), ProblemDetails]
    _, components = msgspec.json.schema_components(every, ref_template=REF)
    return components


def paths() -> dict[str, Any]:
    """Every address with its methods."""
    found: dict[str, Any] = {"/live": {"get": live()}}
    for endpoint in ENDPOINTS:
        found.setdefault(f"/{endpoint.path}", {})[endpoint.method.lower()] = operation(endpoint)
    return found


def operation(endpoint: Endpoint) -> dict[str, Any]:
    """One method of one address."""
    told: dict[str, Any] = {
        "operationId": f"{endpoint.name}_{endpoint.method.lower()}",
        "summary": endpoint.summary,
        "description": f"Needs the scope `{endpoint.scope}` ({SCOPES[endpoint.scope]}).",
        "parameters": [*path_parameters(endpoint), *query_parameters(endpoint)],
        "responses": responses(endpoint),
    }
    if endpoint.body is not None:
        told["requestBody"] = {"required": True, "content": content("application/json", endpoint.body)}
    return told


def webhooks() -> dict[str, Any]:
    """What endpoints are posted (docs/webhooks.md)."""
    headers = [
        {"name": name, "in": "header", "required": True, "schema": {"type": "string"}}
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    ]
    return {
        kind: {
            "post": {
                "operationId": kind.replace(".", "_"),
                "summary": DESCRIPTIONS[kind],
                "security": [],
                "parameters": headers,
                "requestBody": {"required": True, "content": {"application/json": {"schema": posted(kind, struct)}}},
                "responses": {"2XX": {"description": "Taken; anything else is tried again for a day"}},
            }
        }
        for kind, struct in documents.STRUCTS.items()
    }


def posted(kind: str, struct: Any) -> dict[str, Any]:
    """The body of an event of that kind."""
    return {
        "type": "object",
        "required": ["type", "timestamp", "company", "data"],
        "properties": {
            "type": {"const": kind},
            "timestamp": {"type": "string", "format": "date-time"},
            "company": {"type": "string"},
            "data": {"$ref": REF.format(name=struct.__name__)},
        },
    }


def live() -> dict[str, Any]:
    """The event stream, which is answered before Django (streams/asgi_endpoint.py)."""
    feeds = {"type": "string", "description": "Names joined by commas: queues, people, calls, alerts, board:<slug>."}
    last = {"type": "string", "description": "The id of the last event that was taken."}
    wrong = {
        str(status): {"description": PROBLEMS[status], "content": content(CONTENT_TYPE, ProblemDetails)}
        for status in (400, 401, 403, 405, 429)
    }
    return {
        "operationId": "live_get",
        "summary": "Feeds as they change, as Server-Sent Events",
        "description": "Needs the scopes of the feeds that are named. docs/api.md describes the events.",
        "parameters": [
            {"name": "feeds", "in": "query", "required": True, "schema": feeds},
            {"name": "Last-Event-ID", "in": "header", "schema": last},
        ],
        "responses": {
            "200": {
                "description": "Events without end",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
            **wrong,
        },
    }


def path_parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    """The names in the address."""
    return [
        {"name": name, "in": "path", "required": True, "schema": PATTERNS.get(name, {"type": "string", "minLength": 1})}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]


def query_parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    """The fields of the query."""
    if endpoint.query is None:
        return []
    _, components = msgspec.json.schema_components([endpoint.query], ref_template=REF)
    properties = components[endpoint.query.__name__]["properties"]
    return [{"name": name, "in": "query", "schema": without_null(schema)} for name, schema in properties.items()]


def without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is left out rather than null."""
    choices = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    plain = {name: value for name, value in schema.items() if name not in ("anyOf", "default")}
    return {**plain, **choices[0]} if len(choices) == 1 else schema


def responses(endpoint: Endpoint) -> dict[str, Any]:
    """What may come back."""
    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in LIMITS}
    good: dict[str, Any] = {"description": endpoint.summary, "headers": headers}
    if endpoint.answer is not None:
        good["content"] = content("application/json", endpoint.answer)
    wrong = {*USUAL, *endpoint.errors, *(OF_BODIES if endpoint.body is not None else ())}
    found = {str(endpoint.status): good}
    if endpoint.method == "GET":
        found["304"] = {"description": "Unchanged since the ETag of If-None-Match"}
    return found | {
        str(status): {"description": PROBLEMS[status], "content": content(CONTENT_TYPE, ProblemDetails)}
        for status in sorted(wrong)
    }


def content(kind: str, struct: Any) -> dict[str, Any]:
    """A body of that struct."""
    return {kind: {"schema": {"$ref": REF.format(name=struct.__name__)}}}
