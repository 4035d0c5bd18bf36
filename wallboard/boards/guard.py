"""Looks again, while a socket is open, whether its browser may still see what it sees.

A session that ended, a role that changed and a TV that was revoked close their sockets: at once when told so, and by
a look at the database within a minute when nobody could tell.
"""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from wallboard.boards import seats
from wallboard.boards.seats import Refused, Seat, Wish
from wallboard.live.sockets import Socket

log = logging.getLogger(__name__)
LOOK_SECONDS = 45.0
RETRY_SECONDS = 10.0

Decide = Callable[[Mapping[str, str], Wish], Awaitable[Seat]]


@dataclass(frozen=True, slots=True)
class Claim:
    """On what ground a socket sits where it sits."""

    cookies: tuple[tuple[str, str], ...]
    wish: Wish
    seat: Seat


class Guard:
    """One per hub. Sockets with equal claims (tabs of one browser) are decided together."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide
        self._claims: dict[Claim, set[Socket]] = {}
        self._claim_of: dict[Socket, Claim] = {}
        self._due: dict[Claim, float] = {}
        self._looking: set[asyncio.Task[None]] = {asyncio.create_task(self._look_around())}

    def stop(self) -> None:
        """Look no more."""
        for task in self._looking:
            task.cancel()

    def watch(self, socket: Socket, claim: Claim) -> None:
        """Look after this socket from now on."""
        self._claim_of[socket] = claim
        self._claims.setdefault(claim, set()).add(socket)
        self._due.setdefault(claim, time.monotonic() + LOOK_SECONDS * random.uniform(0.5, 1))  # noqa: S311

    def forget(self, socket: Socket) -> None:
        """The socket is gone."""
        claim = self._claim_of.pop(socket, None)
        if claim is None:
            return
        self._claims[claim].discard(socket)
        if not self._claims[claim]:
            del self._claims[claim], self._due[claim]

    def rights_changed(self, socket: Socket) -> None:
        """Somebody said that this socket's rights changed: it ends, with the reason that the database gives."""
        task = asyncio.create_task(self._end(socket))
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _end(self, socket: Socket) -> None:
        claim = self._claim_of.get(socket)
        if claim is not None:
            socket.close(await self._verdict(claim) or seats.CHANGED)

    async def _look_around(self) -> None:
        while True:
            await asyncio.sleep(1)
            now = time.monotonic()
            for claim in [claim for claim, due in self._due.items() if due <= now]:
                await self._look(claim)

    async def _look(self, claim: Claim) -> None:
        code = await self._verdict(claim)
        for socket in list(self._claims.get(claim, ())):
            if code:
                socket.close(code)
        if claim in self._due:
            self._due[claim] = time.monotonic() + (LOOK_SECONDS if code is not None else RETRY_SECONDS)

    async def _verdict(self, claim: Claim) -> int | None:
        """The close code that the claim deserves now, 0 where it still holds, None where that cannot be told."""
        try:
            seat = await self._decide(dict(claim.cookies), claim.wish)
        except Refused as refused:
            return refused.code
        except Exception as error:
            log.warning("Rights could not be looked at again (%s)", type(error).__name__)
            return None
        return 0 if seat == claim.seat else seats.CHANGED
