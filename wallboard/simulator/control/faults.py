"""/control/faults: switches faults on and off."""

import re
from time import monotonic

from aiohttp import web

from wallboard.simulator.control.fields import number, optional_text, read_fields, reply, whole
from wallboard.simulator.faults.faults import DELIVERY_FAULTS, ENDPOINT_FAULTS, TARGETS, TOKENS, Fault, Faults
from wallboard.simulator.service.errors import unprocessable
from wallboard.simulator.types import JSON

LEAST, MOST = 1e-6, 1e6
HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f]")
OWN_HEADERS = {"content-length", "transfer-encoding", "content-encoding", "connection"}  # they say how the body is sent


class FaultControl:
    """The faults of a running service."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults

    async def get(self, request: web.Request) -> web.Response:
        """Those that are on."""
        return web.json_response({"faults": self._faults.as_json()})

    async def add(self, request: web.Request) -> web.Response:
        """Switch one on; docs/simulator.md has the targets and kinds."""
        fault = read_fault(await read_fields(request))
        self._faults.add(fault)
        return reply(request, fault.as_json())

    async def clear(self, request: web.Request) -> web.Response:
        """Switch all off, or the one with {"number"}."""
        wanted = (await read_fields(request)).get("number")
        self._faults.clear(whole(str(wanted or ""), 0) or None)
        return reply(request, {"faults": self._faults.as_json()})


def read_fault(fields: JSON) -> Fault:
    """The fault that is asked for; 422 where it makes no sense."""
    at, do = fields.get("at"), fields.get("do")
    known = DELIVERY_FAULTS if at == "deliveries" else ENDPOINT_FAULTS
    if at not in TARGETS:
        raise unprocessable(f"at must be one of {', '.join(TARGETS)}.")
    if do not in known:
        raise unprocessable(f"do must be one of {', '.join(known)} at {at}.")
    token = optional_text(fields, "token")
    if token not in (None, *TOKENS):
        raise unprocessable(f"token must be one of {', '.join(TOKENS)}.")
    seconds_on, times = _optional(fields, "for_seconds"), _optional(fields, "times")
    subscription = _optional(fields, "subscription")
    return Fault(
        str(at),
        str(do),
        seconds=number(fields, "seconds", LEAST, MOST, 1.0),
        status=int(number(fields, "status", 200, 599, 503)),
        body=_sendable(optional_text(fields, "body"), "body"),
        headers=_headers(fields),
        times=None if times is None else int(times),
        ends=None if seconds_on is None else monotonic() + seconds_on,
        subscription=None if subscription is None else int(subscription),
        kind=optional_text(fields, "kind"),
        token=token,
    )


def _optional(fields: JSON, name: str) -> float | None:
    return None if fields.get(name) in (None, "") else number(fields, name, LEAST, MOST)


def _headers(fields: JSON) -> dict[str, str]:
    headers = fields.get("headers") or {}
    if not isinstance(headers, dict):
        raise unprocessable("headers must be an object of names and texts.")
    for name, value in headers.items():
        if not HEADER_NAME.fullmatch(name) or name.lower() in OWN_HEADERS or CONTROL_CHARACTER.search(str(value)):
            raise unprocessable(f"A header {name[:40]!r} with that value cannot be sent.")
        _sendable(str(value), "headers")
    return {str(name): str(value) for name, value in headers.items()}


def _sendable(text: str | None, name: str) -> str | None:
    """The text, if it can be written as bytes."""
    try:
        (text or "").encode()
    except UnicodeEncodeError:
        raise unprocessable(f"{name} must be text that can be sent.") from None
    return text
