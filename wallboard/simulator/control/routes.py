"""The control API for tests and trying out, open only with --control."""

from typing import TYPE_CHECKING

from aiohttp import web

from wallboard.simulator.control.calls import PlaceCall
from wallboard.simulator.control.dialect import DialectControl
from wallboard.simulator.control.faults import FaultControl
from wallboard.simulator.control.ground_truth import GroundTruthControl
from wallboard.simulator.control.logs import LogControl
from wallboard.simulator.control.odd_messages import OddMessageControl
from wallboard.simulator.control.state import StateControl
from wallboard.simulator.faults.response_faults import Handler

if TYPE_CHECKING:
    from wallboard.simulator.service.service import Service


def routes(service: "Service") -> list[web.RouteDef]:
    """Every address below /control/, with and without a slash at its end."""
    posts, gets = _posts(service), _gets(service)
    posted = [web.post(f"/control/{path}{{end:/?}}", handler) for path, handler in posts.items()]
    return posted + [web.get(f"/control/{path}{{end:/?}}", handler) for path, handler in gets.items()]


def _posts(service: "Service") -> dict[str, Handler]:
    faults, state, dialect = FaultControl(service.faults), StateControl(service), DialectControl(service.dialect)
    return {
        "call": PlaceCall(service).post,
        "message": OddMessageControl(service).post,
        "clock": state.clock,
        "dialect": dialect.change,
        "dialect/reset": dialect.reset,
        "faults": faults.add,
        "faults/clear": faults.clear,
        "tokens": state.tokens,
        "refresh": state.refresh,
        "subscriptions/delete": state.delete_subscriptions,
        "subscriptions/renumber": state.renumber_subscriptions,
        "queues/renumber": state.renumber_queue,
        "floor": state.floor,
    }


def _gets(service: "Service") -> dict[str, Handler]:
    logs = LogControl(service.delivery_log, service.request_log)
    return {
        "dialect": DialectControl(service.dialect).get,
        "faults": FaultControl(service.faults).get,
        "truth": GroundTruthControl(service).get,
        "deliveries": logs.deliveries,
        "requests": logs.requests,
    }
