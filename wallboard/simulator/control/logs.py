"""/control/deliveries and /control/requests: what was sent and what was asked."""

from aiohttp import web

from wallboard.simulator.control.fields import whole
from wallboard.simulator.deliveries.delivery_log import DeliveryLog
from wallboard.simulator.service.request_log import RequestLog

DELIVERIES, MOST_DELIVERIES = 1000, 5000


class LogControl:
    """Reads the logs of a running service."""

    def __init__(self, deliveries: DeliveryLog, requests: RequestLog) -> None:
        self._deliveries, self._requests = deliveries, requests

    async def deliveries(self, request: web.Request) -> web.Response:
        """Oldest first: ?after=<number>&limit=<n>&subscription=<id>&kind=<kind>."""
        query = request.query
        limit = min(whole(query.get("limit"), DELIVERIES), MOST_DELIVERIES)
        found = [
            delivery.as_json()
            for delivery in self._deliveries.after(whole(query.get("after"), 0))
            if query.get("subscription", str(delivery.subscription)) == str(delivery.subscription)
            and query.get("kind", delivery.kind) == delivery.kind
        ]
        return web.json_response({"deliveries": found[:limit], "more": len(found) > limit})

    async def requests(self, request: web.Request) -> web.Response:
        """Requests of clients and what they were answered, oldest first: ?after=<number>."""
        return web.json_response({"requests": self._requests.after(whole(request.query.get("after"), 0))})
