"""GET /control/truth: what really happened on the floor, to compare figures with."""

from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from wallboard.simulator.service.service import Service


class GroundTruthControl:
    """Reads the ground truth of a running service."""

    def __init__(self, service: "Service") -> None:
        self._service = service

    async def get(self, request: web.Request) -> web.Response:
        """Per queue the calls offered, answered, abandoned and waiting, each with its wait; and what people do."""
        # The truth of this moment, not of when the floor was last moved on.
        self._service.pacer.catch_up()
        return web.json_response(self._service.provider.ground_truth())
