"""Pings: the server's time, the version of its pages, and how old the last proof is that what it sends is still true.

A browser counts nothing as live longer than twelve seconds after that proof (static/js/live/socket.js). What proves it
is named by whoever looks: the hub proves that its copies equal Redis, the runtime that the database takes deliveries.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping

from wallboard.live import frames
from wallboard.live.feeds import Feed
from wallboard.live.frames import Frame
from wallboard.live.pump import SOCKETS_PER_TURN, give_way
from wallboard.live.sockets import Socket

PING_SECONDS = 4.0
WORTH_TELLING_MS = 1000  # doubts younger than this are what every new look at a feed begins with


class Pings:
    """One per hub. `deaf_since` (time.time()) is set while no news come from Redis at all."""

    def __init__(self, release: str) -> None:
        self._release = release
        self._proved_at: dict[str, float] = {}
        self.deaf_since: float | None = None

    def proved(self, link: str) -> None:
        """This link of the chain works now; from the first time on it is expected to be proved again and again."""
        self._proved_at[link] = time.monotonic()

    @property
    def proof_age_ms(self) -> int:
        """How long ago the link that was proved longest ago was proved."""
        now = time.monotonic()
        return int(1000 * (now - min(self._proved_at.values(), default=now)))

    def frame(self, doubts: Mapping[str, int] | None = None) -> Frame:
        """A ping; `doubts` are feeds that may have missed something, with the age of their last proof in ms."""
        deaf_since_ms = None if self.deaf_since is None else int(self.deaf_since * 1000)
        return frames.ping(int(time.time() * 1000), self._release, self.proof_age_ms, deaf_since_ms, doubts)

    async def send(self, sockets: Iterable[Socket], doubted: Mapping[Feed, int]) -> None:
        """To all of these; of doubts each hears those about its own feeds."""
        doubts = {feed: age for feed, age in doubted.items() if age >= WORTH_TELLING_MS}
        sockets = tuple(sockets)
        for begin in range(0, len(sockets), SOCKETS_PER_TURN):
            # Built anew for each turn, as time goes on during the ones before.
            usual, special = self.frame(), dict[tuple[tuple[str, int], ...], Frame]()
            for socket in sockets[begin : begin + SOCKETS_PER_TURN]:
                # It owes more than it takes already.
                if socket.stuck_since is not None:
                    continue
                own = tuple((feed.name, doubts[feed]) for feed in socket.feeds if feed in doubts) if doubts else ()
                if own and own not in special:
                    special[own] = self.frame(dict(own))
                socket.take(special[own] if own else usual)
            # Thousands of browsers must not keep the loop from deliveries.
            await asyncio.sleep(0)
            await give_way()
