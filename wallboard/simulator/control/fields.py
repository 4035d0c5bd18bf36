"""The fields of control requests, checked; and the answers to them."""

import json

from aiohttp import web

from wallboard.simulator.service.errors import unprocessable
from wallboard.simulator.service.request_body import FORM, read_body, read_form
from wallboard.simulator.types import JSON

MOST_DIGITS = 18


async def read_fields(request: web.Request) -> JSON:
    """A JSON object, or the form of the control page from the same site."""
    # Any page in a browser on this machine could post a form here otherwise.
    origin = request.headers.get("Origin")
    if origin and origin.partition("://")[2] != request.host:
        raise unprocessable("Control requests come from the service's own page or from a program.")
    body = (await read_body(request)).strip()
    # curl -d sends JSON under the content type of forms.
    if request.content_type == FORM and not body.startswith(b"{"):
        return {name: value for name, value in await read_form(request) if value != ""}
    try:
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise unprocessable("Send a JSON object.")
    return found


def reply(request: web.Request, value: JSON) -> web.Response:
    """JSON for programs; a browser's form goes back to the page."""
    if request.content_type == FORM and "text/html" in request.headers.get("Accept", ""):
        return web.Response(status=303, headers={"Location": "/control/"})
    return web.json_response(value)


def number(fields: JSON, name: str, least: float, most: float, default: float | None = None) -> float:
    """A number between these bounds; 422 otherwise, or where it is missing and has no default."""
    value = fields.get(name)
    if value in (None, "") and default is not None:
        return default
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        found = least - 1
    if not least <= found <= most:
        raise unprocessable(f"{name} must be a number from {least:g} to {most:g}.")
    return found


def optional_text(fields: JSON, name: str) -> str | None:
    """A text, or None where it is missing or empty."""
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise unprocessable(f"{name} must be text.")
    return value or None


def whole(raw: str | None, default: int) -> int:
    """A whole number of a query; the default for anything else."""
    return int(raw) if raw and raw.isascii() and raw.isdigit() and len(raw) <= MOST_DIGITS else default
