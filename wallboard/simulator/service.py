"""The whole service: its parts put together, its addresses, and the life of the process."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic

from aiohttp import web
from aiohttp.typedefs import Middleware

from wallboard.simulator import life, scenario
from wallboard.simulator.api import StatisticsEndpoint, SubscriptionEndpoints
from wallboard.simulator.clock import Clock
from wallboard.simulator.company import build
from wallboard.simulator.control import Control
from wallboard.simulator.day import Day
from wallboard.simulator.deliveries import Deliveries, milliseconds
from wallboard.simulator.faults import Faults
from wallboard.simulator.floor import Floor
from wallboard.simulator.ledger import Delivery, Ledger
from wallboard.simulator.legs import Leg
from wallboard.simulator.misbehaving import Handler, Misbehaving
from wallboard.simulator.oauth import Codes, TokenEndpoint
from wallboard.simulator.options import Options
from wallboard.simulator.overview import Overview
from wallboard.simulator.pacing import Pacer
from wallboard.simulator.refusals import Refusal, not_found
from wallboard.simulator.rendering import Pages
from wallboard.simulator.signin import SignIn
from wallboard.simulator.subscriptions import Subscriptions
from wallboard.simulator.tokens import Tokens

MAX_BODY_BYTES = 65_536
PLACES = {
    ("POST", "token"): "token",
    ("GET", "authorize"): "authorize",
    ("POST", "authorize"): "authorize",
    ("GET", "stats"): "stats",
    ("POST", "subscriptions"): "subscriptions.create",
    ("GET", "subscription"): "subscriptions.read",
    ("DELETE", "subscription"): "subscriptions.delete",
}


@dataclass(eq=False)
class Watch:
    """Waits for the first time that somebody's phone rings for one call."""

    from_call_id: str
    rung: asyncio.Event = field(default_factory=asyncio.Event)
    to_call_id: str | None = None
    to_user: str | None = None
    deliveries: list[Delivery] = field(default_factory=list)


class Service:
    """The parts of the running service, in the order in which they need each other."""

    def __init__(self, options: Options) -> None:
        random = Random(options.seed)  # noqa: S311  (decides who calls, guards nothing)
        self.options = options
        self.clock = Clock()
        self.faults = Faults()
        self.ledger = Ledger()
        self.company = build(random, options.people_count, options.queue_count)
        self.tokens = Tokens(self.clock, options.signing_key)
        self.codes = Codes(self.clock)
        self.subscriptions = Subscriptions(self.clock)
        self.deliveries = Deliveries(self.subscriptions, self.ledger, self.faults)
        day = Day(options.start_hour, goes_on=options.scenario != "demo" and not options.stays)
        self.floor = Floor(self.company, random, day, self.told, self.clock.now)
        self.floor.load = options.load
        self.pacer = Pacer(self.floor, options.pace)
        self.pages = Pages()
        self._watches: dict[str, Watch] = {}

    def open(self) -> None:
        """Let the floor begin to live."""
        if self.options.scenario != "quiet":
            life.open_floor(self.floor)
        if self.options.scenario == "demo":
            scenario.play(self.floor, self.faults, self.tokens.signed_in)

    def told(self, leg: Leg) -> None:
        """A leg has changed: deliver the news, and note it where a call was ordered."""
        deliveries = self.deliveries.leg_changed(leg)
        watch = self._watches.get(leg.source.call_id)
        if watch and not watch.rung.is_set() and _is_under_way(leg):
            watch.to_call_id, watch.to_user, watch.deliveries = leg.target.call_id, leg.target.user, deliveries
            watch.rung.set()

    @contextmanager
    def watching(self, from_call_id: str) -> Iterator[Watch]:
        watch = self._watches[from_call_id] = Watch(from_call_id)
        try:
            yield watch
        finally:
            del self._watches[from_call_id]


def application(service: Service) -> web.Application:
    """The web application with every address of the service."""
    app = web.Application(middlewares=[_entrance(service)], client_max_size=MAX_BODY_BYTES)
    tokens = TokenEndpoint(service.options.applications, service.codes, service.tokens)
    sign_in = SignIn(service.options.applications, service.codes, service.company, service.pages)
    statistics = StatisticsEndpoint(service.floor, service.pacer, service.tokens)
    asked = SubscriptionEndpoints(service.subscriptions, service.deliveries, service.company, service.tokens)
    overview = Overview(service)
    route = app.router.add_route
    route("POST", "/api/oauth/token/", tokens.post, name="token")
    for path, name in (("/api/oauth/authorize/", "authorize"), ("/oauth/authorize/", "authorize-short")):
        resource = app.router.add_resource(path, name=name)
        resource.add_route("GET", sign_in.get)
        resource.add_route("POST", sign_in.post)
    route("GET", "/api/call_queues/stats/live/", statistics.get, name="stats")
    route("POST", "/api/subscriptions/", asked.post, name="subscriptions")
    subscription = app.router.add_resource("/api/subscriptions/{id}/", name="subscription")
    subscription.add_route("GET", asked.get)
    subscription.add_route("DELETE", asked.delete)
    route("GET", "/", overview.get)
    route("GET", "/assets/{name}", service.pages.asset)
    if service.options.has_control:
        route("GET", "/control/", overview.control)
        app.router.add_routes(Control(service).routes())
    app.cleanup_ctx.append(lambda _: _running(service))
    return app


def _is_under_way(leg: Leg) -> bool:
    """Whether an ordered call rings somebody, or was dialled from inside and its far side shows for the first time."""
    return leg.target.is_human and (leg.target.state == "ringing" or leg.target.user is None)


async def _running(service: Service) -> AsyncIterator[None]:
    service.open()
    pacing = asyncio.create_task(service.pacer.run())
    yield
    pacing.cancel()
    with suppress(asyncio.CancelledError):
        await pacing
    await service.deliveries.close()


def _entrance(service: Service) -> Middleware:
    """Every request comes in here: faults are applied, refusals worded, and what was answered is kept."""
    misbehaving = Misbehaving(service.tokens, service.subscriptions)

    @web.middleware
    async def entrance(request: web.Request, handler: Handler) -> web.StreamResponse:
        began, at = monotonic(), milliseconds()
        place = _place(request)
        fault = service.faults.take(place) if place else None

        async def worded(asked: web.Request) -> web.StreamResponse:
            return await _worded(asked, handler)

        response = await (misbehaving.answer(request, worded, fault) if fault else worded(request))
        if place:
            took = round((monotonic() - began) * 1000, 1)
            service.ledger.answered(
                at=at,
                method=request.method,
                path=request.path,
                place=place,
                status=response.status,
                took_ms=took,
                fault=fault.do if fault else "",
            )
        return response

    return entrance


def _place(request: web.Request) -> str:
    resource = request.match_info.route.resource
    name = (resource.name or "").removesuffix("-short") if resource else ""
    return PLACES.get((request.method, name), "")


async def _worded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The handler's answer, or its refusal as JSON; the conventional statuses where the document is silent."""
    try:
        return await handler(request)
    except Refusal as refusal:
        return refusal.response()
    except web.HTTPNotFound:
        return not_found().response()
    except web.HTTPMethodNotAllowed as error:
        allowed = ", ".join(sorted(error.allowed_methods))
        return Refusal(405, "method_not_allowed", f"Allowed: {allowed}.", {"Allow": allowed}).response()
    except web.HTTPRequestEntityTooLarge:
        return Refusal(413, "too_large", f"At most {MAX_BODY_BYTES} bytes.").response()
