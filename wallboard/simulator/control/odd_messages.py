"""POST /control/message: sends one message that no ordinary call leads to."""

from typing import TYPE_CHECKING

from aiohttp import web

from wallboard.simulator.control.fields import number, read_fields, reply
from wallboard.simulator.messages.odd_messages import ODD_MESSAGES
from wallboard.simulator.service.errors import unprocessable

if TYPE_CHECKING:
    from wallboard.simulator.service.service import Service

# What is odd about each, in its usual size: records, characters.
USUAL_SIZES = {"records": 100, "lone_surrogate": 1, "long_call_ids": 4000, "unknown_states": 1}
MOST_SIZE = 10_000


class OddMessageControl:
    """Sends to all ready subscriptions that want messages of its kind."""

    def __init__(self, service: "Service") -> None:
        self._service = service

    async def post(self, request: web.Request) -> web.Response:
        """{"kind": records | lone_surrogate | long_call_ids | unknown_states, "size": n}"""
        fields = await read_fields(request)
        kind = str(fields.get("kind", ""))
        if kind not in ODD_MESSAGES:
            raise unprocessable(f"kind must be one of {', '.join(ODD_MESSAGES)}.")
        size = int(number(fields, "size", 1, MOST_SIZE, USUAL_SIZES[kind]))
        deliveries = self._service.deliveries.send(ODD_MESSAGES[kind](self._service.floor, size))
        return reply(request, {"kind": kind, "size": size, "deliveries": [each.number for each in deliveries]})
