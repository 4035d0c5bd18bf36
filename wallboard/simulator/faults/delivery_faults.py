"""Faults of deliveries: twice, late, out of order, lost, with wrong types."""

import asyncio
import json
from collections.abc import Callable

from wallboard.simulator.deliveries.delivery_log import Delivery
from wallboard.simulator.faults.faults import Fault

Put = Callable[[Delivery, str], None]


class DeliveryFaults:
    """Stands between a due delivery and its subscriber's outbox; `copy` enters a delivery in the log once more."""

    def __init__(self, copy: Callable[[Delivery], Delivery]) -> None:
        self._copy = copy
        self._held_back: dict[tuple[int, str], tuple[Delivery, asyncio.TimerHandle]] = {}

    def put(self, delivery: Delivery, caller_id: str, put: Put, fault: Fault | None) -> None:
        """Queue a delivery as the fault says; one that was held back goes out after this one."""
        held_back = self._held_back.pop((delivery.subscription, caller_id), None)
        if fault is None:
            put(delivery, caller_id)
        else:
            delivery.fault = fault.do
            self._apply(fault, delivery, caller_id, put)
        if held_back is not None:
            held_back[1].cancel()
            put(held_back[0], caller_id)

    def _apply(self, fault: Fault, delivery: Delivery, caller_id: str, put: Put) -> None:
        loop = asyncio.get_running_loop()
        if fault.do == "lost":
            delivery.outcome = "lost"
        elif fault.do == "late":
            loop.call_later(fault.seconds, put, delivery, caller_id)
        elif fault.do == "reorder":
            timer = loop.call_later(fault.seconds, self._release, delivery, caller_id, put)
            self._held_back[delivery.subscription, caller_id] = delivery, timer
        elif fault.do == "duplicate":
            put(delivery, caller_id)
            put(self._copy(delivery), caller_id)
        else:
            delivery.body = json.dumps(with_wrong_types(json.loads(delivery.body))).encode()
            put(delivery, caller_id)

    def _release(self, delivery: Delivery, caller_id: str, put: Put) -> None:
        """Nothing came after it: it goes out alone."""
        if self._held_back.pop((delivery.subscription, caller_id), None):
            put(delivery, caller_id)


def with_wrong_types(value: object) -> object:
    """The same message with every text, number and truth value of another type than documented."""
    if isinstance(value, dict):
        return {name: with_wrong_types(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_wrong_types(inner) for inner in value]
    if isinstance(value, str):
        return [value]
    return 0 if value is None else str(value).lower()
