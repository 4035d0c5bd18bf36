"""The fields of a create request, checked."""

import json
from typing import Any
from urllib.parse import urlsplit

from wallboard.simulator.messages.publisher import Kind
from wallboard.simulator.service.errors import ApiError, unprocessable
from wallboard.simulator.service.subscriptions import MAX_EXPIRES_IN

KINDS: tuple[Kind, ...] = ("calls", "cdrs")
MOST_URI_CHARACTERS = 2000


def json_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a request; a user that is repeated as a key counts as several."""
    try:
        found = json.loads(body, object_pairs_hook=_merge_users)
    except (ValueError, RecursionError):
        raise ApiError(400, "bad_request", "The body is not JSON.") from None
    if not isinstance(found, dict):
        raise unprocessable("The body must be a JSON object.")
    return found


def _merge_users(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for name, value in pairs:
        if name == "user" and "user" in merged:
            merged[name] = [*users(merged[name]), *users(value)]
        else:
            merged[name] = value
    return merged


def users(value: object) -> list[str]:
    """A user, or several."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(each, str) and each for each in values):
        raise unprocessable("user must be text, or several texts.")
    return [str(each) for each in values]


def post_uri(body: dict[str, Any]) -> str:
    """The subscriber's address."""
    uri = body.get("post_uri")
    try:
        parts = urlsplit(uri if isinstance(uri, str) else "")
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_good = False
    if not is_good or len(str(uri)) > MOST_URI_CHARACTERS:
        raise unprocessable("post_uri must be an http or https address.")
    return str(uri)


def expires_in(body: dict[str, Any]) -> int:
    """Seconds, as a number or a numeric string; the longest there is where none are given."""
    raw = body.get("expires_in", MAX_EXPIRES_IN)
    is_text = isinstance(raw, str) and raw.isascii() and raw.isdigit() and len(raw) < 10
    # Neither NaN nor an infinite number equals its own floor.
    is_whole = isinstance(raw, int | float) and not isinstance(raw, bool) and raw == raw // 1
    seconds = int(raw) if is_text or is_whole else 0
    if not 0 < seconds <= MAX_EXPIRES_IN:
        raise unprocessable(f"expires_in must be whole seconds from 1 to {MAX_EXPIRES_IN}.")
    return seconds


def kinds(body: dict[str, Any]) -> tuple[Kind, ...]:
    """What is subscribed to."""
    for kind in KINDS:
        if not isinstance(body.get(kind, False), bool):
            raise unprocessable(f"{kind} must be true or false.")
    wanted = tuple(kind for kind in KINDS if body.get(kind))
    if not wanted:
        raise unprocessable("Set calls or cdrs to true.")
    return wanted
