"""The web application: every address of the service, and its life in the event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from aiohttp import web

from wallboard.simulator.control.routes import routes as control_routes
from wallboard.simulator.options import Options
from wallboard.simulator.pages.overview import Overview
from wallboard.simulator.service.authentication import Authentication
from wallboard.simulator.service.middleware import MOST_BODY_BYTES, date_header, request_middleware
from wallboard.simulator.service.oauth.authorize import AuthorizeEndpoint
from wallboard.simulator.service.oauth.token_answers import TokenAnswers
from wallboard.simulator.service.oauth.token_endpoint import TokenEndpoint
from wallboard.simulator.service.service import Service
from wallboard.simulator.service.statistics_endpoint import StatisticsEndpoint
from wallboard.simulator.service.subscription_answers import SubscriptionAnswers
from wallboard.simulator.service.subscription_endpoints import SubscriptionEndpoints


def application(service: Service) -> web.Application:
    """The web application of this service."""
    app = web.Application(middlewares=[request_middleware(service)], client_max_size=MOST_BODY_BYTES)
    _add_oauth(app.router, service)
    _add_api(app.router, service)
    overview = Overview(service)
    app.router.add_route("GET", "/", overview.get)
    app.router.add_route("GET", "/assets/{name}", service.pages.asset)
    if service.options.control:
        app.router.add_route("GET", "/control/", overview.control)
        app.router.add_routes(control_routes(service))
    app.on_response_prepare.append(date_header(service))
    app.cleanup_ctx.append(lambda _: _running(service))
    return app


def with_companies(options: Options) -> web.Application:
    """The application of these options, and below /c/<number>/ those of the further companies that they want."""
    app = application(Service(options))
    for number in range(1, options.companies + 1):
        app.add_subapp(f"/c/{number}", application(Service(options.of_company(number))))
    return app


def _add_oauth(router: web.UrlDispatcher, service: Service) -> None:
    applications = service.options.applications
    answers = TokenAnswers(service.clock, service.dialect, service.company)
    token = TokenEndpoint(applications, service.codes, service.tokens, answers, service.dialect)
    authorize = AuthorizeEndpoint(applications, service.codes, service.company, service.pages, service.dialect)
    router.add_route("POST", "/api/oauth/token/", token.post, name="token")
    for path, name in (("/api/oauth/authorize/", "authorize"), ("/oauth/authorize/", "authorize-short")):
        resource = router.add_resource(path, name=name)
        resource.add_route("GET", authorize.get)
        resource.add_route("POST", authorize.post)


def _add_api(router: web.UrlDispatcher, service: Service) -> None:
    authentication = Authentication(service.tokens, service.dialect, service.provider.dialect_random)
    statistics = StatisticsEndpoint(service.statistics, service.pacer, authentication, service.dialect)
    answers = SubscriptionAnswers(service.dialect, service.company)
    subscriptions = SubscriptionEndpoints(
        service.subscriptions, service.deliveries, service.company, authentication, answers, service.dialect
    )
    router.add_route("GET", "/api/call_queues/stats/live/", statistics.get, name="stats")
    router.add_route("POST", "/api/subscriptions/", subscriptions.post, name="subscriptions")
    resource = router.add_resource("/api/subscriptions/{id}/", name="subscription")
    resource.add_route("GET", subscriptions.get)
    resource.add_route("DELETE", subscriptions.delete)


async def _running(service: Service) -> AsyncIterator[None]:
    service.start()
    pacing = asyncio.create_task(service.pacer.run())
    yield
    pacing.cancel()
    with suppress(asyncio.CancelledError):
        await pacing
    await service.deliveries.close()
