"""POST /control/call: places one call."""

import asyncio
from typing import TYPE_CHECKING

from aiohttp import web

from wallboard.simulator.control.call_watches import CallWatch
from wallboard.simulator.control.fields import number, read_fields
from wallboard.simulator.deliveries.delivery_log import WAITING
from wallboard.simulator.floor.placed_calls import CallRequest, placed_call
from wallboard.simulator.service.errors import unprocessable
from wallboard.simulator.types import JSON

if TYPE_CHECKING:
    from wallboard.simulator.service.service import Service

POSTED_WITHIN_SECONDS = 5.0
RING_SECONDS, TALK_SECONDS, MOST_SECONDS = 6.0, 20.0, 86_400.0


class PlaceCall:
    """Answers when the call's first message, ringing where it rings, has been handed to the network."""

    def __init__(self, service: "Service") -> None:
        self._service = service

    async def post(self, request: web.Request) -> web.Response:
        """Place the call that the fields describe."""
        wanted = call_request(await read_fields(request))
        floor, pacer = self._service.floor, self._service.pacer
        # The floor must have come to now, or the call would begin in the past.
        while not pacer.catch_up():
            await asyncio.sleep(0)
        try:
            process, caller = placed_call(floor, wanted)
        except LookupError as problem:
            raise unprocessable(str(problem)) from None
        with self._service.call_watches.watch(caller.call_id) as watch:
            floor.env.process(process)
            pacer.wake()
            await self._until_posted(watch)
        return web.json_response(_as_json(watch))

    async def _until_posted(self, watch: CallWatch) -> None:
        """Wait until somebody rings and every subscriber's copy of that message is on its way (or dropped)."""
        try:
            async with asyncio.timeout(POSTED_WITHIN_SECONDS):
                await watch.ringing.wait()
                while any(delivery.outcome == WAITING for delivery in watch.deliveries):
                    await asyncio.sleep(0.001)
        except TimeoutError:
            return


def call_request(fields: JSON) -> CallRequest:
    """The call that is asked for; 422 where a field makes no sense."""
    texts = {name: fields.get(name, "") for name in ("from_number", "to_user", "name", "from_user", "to_number")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise unprocessable("from_number, to_user, name, from_user and to_number are texts.")
    if not texts["to_number" if texts["from_user"] else "to_user"]:
        raise unprocessable("Needed is to_user, or from_user with to_number.")
    answer = str(fields.get("answer", True)).lower()
    if answer not in ("true", "false"):
        raise unprocessable("answer must be true or false.")
    ring_seconds = number(fields, "ring_seconds", 0.0, MOST_SECONDS, RING_SECONDS)
    talk_seconds = number(fields, "talk_seconds", 0.0, MOST_SECONDS, TALK_SECONDS)
    return CallRequest(**texts, answer=answer == "true", ring_seconds=ring_seconds, talk_seconds=talk_seconds)


def _as_json(watch: CallWatch) -> JSON:
    sent = [delivery.sent_at for delivery in watch.deliveries if delivery.sent_at is not None]
    return {
        "from_call_id": watch.from_call_id,
        "to_call_id": watch.to_call_id,
        "to_user": watch.to_user,
        "posted_at_ms": min(sent) if sent else None,
        "deliveries": [delivery.number for delivery in watch.deliveries],
    }
