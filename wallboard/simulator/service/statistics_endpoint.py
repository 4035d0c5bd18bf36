"""The endpoint of the live call queue statistics."""

from aiohttp import web

from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.messages.queue_statistics import QueueStatistics
from wallboard.simulator.service.authentication import STATISTICS_VERSION, Authentication
from wallboard.simulator.service.errors import ApiError
from wallboard.simulator.service.pacing import Pacer


class StatisticsEndpoint:
    """Answers with the figures of the moment."""

    def __init__(
        self, statistics: QueueStatistics, pacer: Pacer, authentication: Authentication, dialect: Dialect
    ) -> None:
        self._statistics, self._pacer = statistics, pacer
        self._authentication, self._dialect = authentication, dialect

    async def get(self, request: web.Request) -> web.Response:
        """GET /api/call_queues/stats/live/"""
        claims = self._authentication.claims(request, STATISTICS_VERSION)
        if claims.user is not None:
            description = "Queue statistics are company-wide; a user's token is not enough."
            raise ApiError(403, "insufficient_scope", description)
        # The floor is moved on now and then only; the figures are to be those of this moment.
        self._pacer.catch_up()
        return web.json_response(self._statistics.entries(), status=int(self._dialect.statistics_status))
