"""Control of the service's state: its clock, its tokens, its subscriptions, the floor's load."""

from typing import TYPE_CHECKING

from aiohttp import web

from wallboard.simulator.control.fields import number, read_fields, reply
from wallboard.simulator.service.clock import MOST_AHEAD_SECONDS
from wallboard.simulator.service.errors import not_found, unprocessable

if TYPE_CHECKING:
    from wallboard.simulator.service.service import Service

REFRESH_MODES = ("keep", "rotate", "none")


class StateControl:
    """Changes what the running service holds."""

    def __init__(self, service: "Service") -> None:
        self._service = service

    async def clock(self, request: web.Request) -> web.Response:
        """Move the service's clock forward: {"seconds": n}."""
        clock = self._service.clock
        try:
            clock.move(number(await read_fields(request), "seconds", 0.0, MOST_AHEAD_SECONDS))
        except ValueError as problem:
            raise unprocessable(str(problem)) from None
        return reply(request, {"now": clock.now().isoformat(), "ahead_seconds": clock.ahead_seconds})

    async def tokens(self, request: web.Request) -> web.Response:
        """{"do": "expire"}: every access token so far; {"do": "revoke"}: refresh tokens too."""
        do = (await read_fields(request)).get("do")
        if do not in ("expire", "revoke"):
            raise unprocessable("do must be expire or revoke.")
        self._service.tokens.expire_all(with_refresh_tokens=do == "revoke")
        return reply(request, {"done": do})

    async def refresh(self, request: web.Request) -> web.Response:
        """{"mode": keep | rotate | none}: what happens to refresh tokens."""
        mode = (await read_fields(request)).get("mode")
        if mode not in REFRESH_MODES:
            raise unprocessable(f"mode must be one of {', '.join(REFRESH_MODES)}.")
        self._service.dialect.refresh_tokens = mode
        return reply(request, {"mode": mode})

    async def delete_subscriptions(self, request: web.Request) -> web.Response:
        """Delete a subscription without telling its owner: {"id": n}, or all of them."""
        wanted = (await read_fields(request)).get("id")
        live = self._service.subscriptions.live()
        deleted = [each for each in live if wanted in (None, "") or str(each.id) == str(wanted)]
        if wanted and not deleted:
            raise not_found()
        for subscription in deleted:
            self._service.subscriptions.remove(subscription)
        return reply(request, {"deleted": [subscription.id for subscription in deleted]})

    async def renumber_subscriptions(self, request: web.Request) -> web.Response:
        """Give every subscription another id without telling anybody."""
        await read_fields(request)
        live = self._service.subscriptions.live()
        for subscription in live:
            self._service.subscriptions.renumber(subscription)
        return reply(request, {"renumbered": [subscription.id for subscription in live]})

    async def renumber_queue(self, request: web.Request) -> web.Response:
        """{"number": "4001", "to": "4099"}: another number for a queue, from now on."""
        fields, company = await read_fields(request), self._service.company
        queue, number = company.queue(str(fields.get("number"))), str(fields.get("to") or "")
        if queue is None:
            raise not_found()
        if not (number.isascii() and number.isdigit()) or company.queue(number) or company.person(number):
            raise unprocessable("to must be a number that nobody has.")
        company.renumber(queue, number)
        return reply(request, {"renumbered": number})

    async def floor(self, request: web.Request) -> web.Response:
        """{"load": x}: the floor's own calls at x times the usual rate; 0 makes it quiet."""
        self._service.floor.load = number(await read_fields(request), "load", 0.0, 100.0)
        return reply(request, {"load": self._service.floor.load})
