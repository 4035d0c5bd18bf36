"""Faults of deliveries: twice, late, out of order, lost, with wrong types."""

import asyncio
import json
from collections.abc import Callable

from wallboard.simulator.faults import Fault
from wallboard.simulator.ledger import Delivery

Put = Callable[[Delivery, str], None]
Held = tuple[Delivery, asyncio.TimerHandle]


class Spoiler:
    """Stands between a due delivery and its subscriber's queue; `put` queues it, `copy` enters it once more."""

    def __init__(self, copy: Callable[[Delivery], Delivery]) -> None:
        self._copy = copy
        self._held: dict[tuple[int, str], Held] = {}

    def pass_on(self, delivery: Delivery, key: str, put: Put, fault: Fault | None) -> None:
        """Queue a delivery as the fault wants it; one that was held back goes out after this one."""
        held = self._held.pop((delivery.subscription, key), None)
        if fault is None:
            put(delivery, key)
        else:
            delivery.fault = fault.do
            self._spoil(delivery, key, put, fault)
        if held is not None:
            held[1].cancel()
            put(held[0], key)

    def _spoil(self, delivery: Delivery, key: str, put: Put, fault: Fault) -> None:
        loop = asyncio.get_running_loop()
        if fault.do == "lost":
            delivery.outcome = "lost"
        elif fault.do == "late":
            loop.call_later(fault.seconds, put, delivery, key)
        elif fault.do == "reorder":
            timer = loop.call_later(fault.seconds, self._let_go, delivery, key, put)
            self._held[delivery.subscription, key] = delivery, timer
        elif fault.do == "duplicate":
            put(delivery, key)
            put(self._copy(delivery), key)
        else:
            delivery.body = json.dumps(with_wrong_types(json.loads(delivery.body))).encode()
            put(delivery, key)

    def _let_go(self, delivery: Delivery, key: str, put: Put) -> None:
        """Nothing came after it: it goes out alone."""
        if self._held.pop((delivery.subscription, key), None):
            put(delivery, key)


def with_wrong_types(value: object) -> object:
    """The same message with every text, number and truth value of another type than documented."""
    if isinstance(value, dict):
        return {name: with_wrong_types(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_wrong_types(inner) for inner in value]
    if isinstance(value, str):
        return [value]
    return 0 if value is None else str(value).lower()
