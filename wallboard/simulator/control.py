"""The door for tests and trials, open only with --control: place a call, move the clock, switch faults, read back."""

import asyncio
import json
from typing import TYPE_CHECKING

from aiohttp import web

from wallboard.simulator.errands import Errand, ordered_call
from wallboard.simulator.faults import BadFault
from wallboard.simulator.ledger import WAITING
from wallboard.simulator.legs import JSON
from wallboard.simulator.oauth import FORM
from wallboard.simulator.refusals import not_found, unprocessable

if TYPE_CHECKING:
    from wallboard.simulator.service import Service, Watch

POSTED_WITHIN_SECONDS = 5.0
USUAL_SECONDS = {"ring_seconds": 6.0, "talk_seconds": 20.0}
REFRESH_MODES = ("keep", "rotate", "none")


class Control:
    def __init__(self, service: "Service") -> None:
        self._service = service

    def routes(self) -> list[web.RouteDef]:
        """Every address below /control/, with and without a slash at its end."""
        posts = {
            "call": self.call,
            "clock": self.clock,
            "faults": self.add_fault,
            "faults/clear": self.clear_faults,
            "tokens": self.tokens,
            "refresh": self.refresh,
            "subscriptions/vanish": self.vanish,
            "floor": self.floor,
        }
        gets = {"faults": self.faults, "ledger": self.ledger, "requests": self.requests}
        routes = [web.post(f"/control/{path}{{end:/?}}", handler) for path, handler in posts.items()]
        return routes + [web.get(f"/control/{path}{{end:/?}}", handler) for path, handler in gets.items()]

    async def call(self, request: web.Request) -> web.Response:
        """Place one call; answers when its first news, ringing where it rings, has been handed to the network."""
        errand = read_errand(await fields(request))
        floor, pacer = self._service.floor, self._service.pacer
        while not pacer.catch_up():
            await asyncio.sleep(0)
        try:
            steps, caller = ordered_call(floor, errand, pacer.pace)
        except LookupError as problem:
            raise unprocessable(str(problem)) from None
        with self._service.watching(caller.call_id) as watch:
            floor.env.process(steps)
            pacer.wake()
            await self._until_rung(watch)
        return web.json_response(_placed(caller.call_id, watch))

    async def _until_rung(self, watch: "Watch") -> None:
        """Wait until somebody rings and every subscriber's copy of that news is on its way (or dropped)."""
        try:
            async with asyncio.timeout(POSTED_WITHIN_SECONDS):
                await watch.rung.wait()
                while any(delivery.outcome == WAITING for delivery in watch.deliveries):
                    await asyncio.sleep(0.001)
        except TimeoutError:
            return

    async def clock(self, request: web.Request) -> web.Response:
        """Move the service's clock forward: {"seconds": n}."""
        seconds = number(await fields(request), "seconds", 0.0, 1e9)
        self._service.clock.move(seconds)
        now = self._service.clock.now().isoformat()
        return web.json_response({"now": now, "ahead_seconds": self._service.clock.ahead_seconds})

    async def add_fault(self, request: web.Request) -> web.Response:
        """Switch a fault on; see docs/simulator.md for the places and kinds."""
        try:
            fault = self._service.faults.add(await fields(request))
        except BadFault as problem:
            raise unprocessable(str(problem)) from None
        return answer(request, fault.shown())

    async def clear_faults(self, request: web.Request) -> web.Response:
        """Switch all faults off, or the one with {"number"}."""
        wanted = (await fields(request)).get("number")
        self._service.faults.clear(_whole(str(wanted or ""), 0) or None)
        return answer(request, {"faults": self._service.faults.shown()})

    async def faults(self, request: web.Request) -> web.Response:
        return web.json_response({"faults": self._service.faults.shown()})

    async def tokens(self, request: web.Request) -> web.Response:
        """{"do": "expire"}: every access token so far; {"do": "revoke"}: refresh tokens too."""
        wish = (await fields(request)).get("do")
        if wish not in ("expire", "revoke"):
            raise unprocessable("do must be expire or revoke.")
        self._service.tokens.end_all(refresh_too=wish == "revoke")
        return answer(request, {"done": wish})

    async def refresh(self, request: web.Request) -> web.Response:
        """{"mode": keep | rotate | none}: what happens to refresh tokens."""
        mode = (await fields(request)).get("mode")
        if mode not in REFRESH_MODES:
            raise unprocessable(f"mode must be one of {', '.join(REFRESH_MODES)}.")
        self._service.tokens.refresh_mode = mode
        return answer(request, {"mode": mode})

    async def vanish(self, request: web.Request) -> web.Response:
        """Forget a subscription without a word: {"id": n}, or all of them."""
        wanted = (await fields(request)).get("id")
        live = self._service.subscriptions.live()
        gone = [each for each in live if wanted in (None, "") or str(each.id) == str(wanted)]
        if wanted and not gone:
            raise not_found()
        for subscription in gone:
            self._service.subscriptions.remove(subscription)
        return answer(request, {"vanished": [subscription.id for subscription in gone]})

    async def floor(self, request: web.Request) -> web.Response:
        """{"load": x}: the floor's own calls at x times the usual rate; 0 makes it quiet."""
        self._service.floor.load = number(await fields(request), "load", 0.0, 100.0)
        return answer(request, {"load": self._service.floor.load})

    async def ledger(self, request: web.Request) -> web.Response:
        """Deliveries, oldest first: ?after=<number>&limit=<n>&subscription=<id>&kind=<kind>."""
        query = request.query
        after, limit = _whole(query.get("after"), 0), min(_whole(query.get("limit"), 1000), 5000)
        found = [
            delivery.shown()
            for delivery in self._service.ledger.after(after)
            if query.get("subscription", str(delivery.subscription)) == str(delivery.subscription)
            and query.get("kind", delivery.kind) == delivery.kind
        ]
        return web.json_response({"deliveries": found[:limit], "more": len(found) > limit})

    async def requests(self, request: web.Request) -> web.Response:
        """Requests of clients and what they were answered, oldest first."""
        after = _whole(request.query.get("after"), 0)
        shown = [each.shown() for each in self._service.ledger.requests if each.number > after]
        return web.json_response({"requests": shown})


async def fields(request: web.Request) -> JSON:
    """The fields of a control request: a JSON object, or the form of the control page from the same site."""
    origin = request.headers.get("Origin")
    if origin and origin.partition("://")[2] != request.host:
        raise unprocessable("Control requests come from the service's own page or from a program.")
    body = (await request.read()).strip()
    if request.content_type == FORM and not body.startswith(b"{"):
        return {name: str(value) for name, value in (await request.post()).items() if value != ""}
    try:
        found = json.loads(body or b"{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise unprocessable("Send a JSON object.")
    return found


def answer(request: web.Request, value: JSON) -> web.Response:
    """JSON for programs; a browser's form goes back to the page."""
    if request.content_type == FORM and "text/html" in request.headers.get("Accept", ""):
        return web.Response(status=303, headers={"Location": "/control/"})
    return web.json_response(value)


def read_errand(wish: JSON) -> Errand:
    """The call that is asked for; 422 where a field makes no sense."""
    texts = {name: wish.get(name, "") for name in ("from_number", "to_user", "name", "from_user", "to_number")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise unprocessable("from_number, to_user, name, from_user and to_number are texts.")
    if not texts["to_number" if texts["from_user"] else "to_user"]:
        raise unprocessable("Needed is to_user, or from_user with to_number.")
    answered = wish.get("answer", True)
    if str(answered).lower() not in ("true", "false"):
        raise unprocessable("answer must be true or false.")
    given = {name: wish.get(name) if wish.get(name) is not None else usual for name, usual in USUAL_SECONDS.items()}
    ring, talk = (number(given, name, 0.0, 86_400.0) for name in USUAL_SECONDS)
    return Errand(**texts, answer=str(answered).lower() == "true", ring_seconds=ring, talk_seconds=talk)


def number(wish: JSON, name: str, least: float, most: float) -> float:
    try:
        value = float(wish[name])
    except (KeyError, TypeError, ValueError):
        value = least - 1
    if not least <= value <= most:
        raise unprocessable(f"{name} must be a number from {least:g} to {most:g}.")
    return value


def _whole(raw: str | None, default: int) -> int:
    return int(raw) if raw and raw.isascii() and raw.isdigit() else default


def _placed(from_call_id: str, watch: "Watch") -> JSON:
    sent = [delivery.sent_at for delivery in watch.deliveries if delivery.sent_at is not None]
    return {
        "from_call_id": from_call_id,
        "to_call_id": watch.to_call_id,
        "to_user": watch.to_user,
        "posted_at_ms": min(sent) if sent else None,
        "deliveries": [delivery.number for delivery in watch.deliveries],
    }
