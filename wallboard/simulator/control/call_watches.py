"""Tells whoever placed a call when its first message goes out."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from wallboard.simulator.deliveries.delivery_log import Delivery
from wallboard.simulator.floor.calls import Leg


@dataclass(eq=False)
class CallWatch:
    """Waits for the first time that somebody's phone rings for one call."""

    from_call_id: str
    ringing: asyncio.Event = field(default_factory=asyncio.Event)
    to_call_id: str | None = None
    to_user: str | None = None
    deliveries: list[Delivery] = field(default_factory=list)


class CallWatches:
    """The calls that are being placed."""

    def __init__(self) -> None:
        self._watches: dict[str, CallWatch] = {}

    @contextmanager
    def watch(self, from_call_id: str) -> Iterator[CallWatch]:
        """Watch one call while the block runs."""
        watch = self._watches[from_call_id] = CallWatch(from_call_id)
        try:
            yield watch
        finally:
            del self._watches[from_call_id]

    def sent(self, leg: Leg, deliveries: list[Delivery]) -> None:
        """A leg's change was handed to these deliveries."""
        watch = self._watches.get(leg.source.call_id)
        if watch and not watch.ringing.is_set() and _is_under_way(leg):
            watch.to_call_id, watch.to_user, watch.deliveries = leg.target.call_id, leg.target.user, deliveries
            watch.ringing.set()


def _is_under_way(leg: Leg) -> bool:
    """Whether a placed call rings somebody, or was dialled from inside and its far side shows for the first time."""
    return leg.target.is_human and (leg.target.state == "ringing" or leg.target.user is None)
