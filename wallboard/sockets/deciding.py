"""Browsers that come in the same moment, as all do after a restart, are decided about together.

Whoever asks while the database is asked about others comes with the next: the more wait, the less each of them costs,
and one that comes alone waits for nobody. Where the database is slow, a few of these go on side by side.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from django.db import InterfaceError, OperationalError

from wallboard.sockets.socket_access import Asked, Refused, SocketAccess, SocketRequest

MOST_TOGETHER = 200
PATIENCE_SECONDS = 0.25  # so long one look holds up the next
SIDE_BY_SIDE = 4
ANSWERED_TOGETHER = 20  # boards handed out, which takes some milliseconds; then the loop does other work

Decide = Callable[[Sequence[Asked]], Awaitable[list[SocketAccess | Refused]]]
Waiting = tuple[Asked, "asyncio.Future[SocketAccess]"]


class Deciding:
    """One per event loop; `decide` asks the database, in a thread."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide
        self._waiting: list[Waiting] = []
        self._looks: set[asyncio.Task[None]] = set()
        self._began_at = 0.0

    def stop(self) -> None:
        """Decide no more."""
        for look in self._looks:
            look.cancel()

    async def access(self, cookies: Mapping[str, str], request: SocketRequest) -> SocketAccess:
        """What these cookies allow now. Raises Refused, or whatever the database raises."""
        answer: asyncio.Future[SocketAccess] = asyncio.get_running_loop().create_future()
        self._waiting.append(((cookies, request), answer))
        self._begin()
        return await answer

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        is_slow = loop.time() - self._began_at >= PATIENCE_SECONDS
        if not self._waiting or (self._looks and not (is_slow and len(self._looks) < SIDE_BY_SIDE)):
            return
        self._began_at = loop.time()
        batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
        look = asyncio.create_task(self._answer(batch))
        self._looks.add(look)
        look.add_done_callback(self._done)
        loop.call_later(PATIENCE_SECONDS, self._begin)

    def _done(self, look: asyncio.Task[None]) -> None:
        self._looks.discard(look)
        self._begin()

    async def _answer(self, batch: Sequence[Waiting]) -> None:
        try:
            decided = await self._decide([asked for asked, _ in batch])
        except Exception as error:
            await self._failed(batch, error)
            return
        for begin in range(0, len(batch), ANSWERED_TOGETHER):
            end = begin + ANSWERED_TOGETHER
            for (_, answer), found in zip(batch[begin:end], decided[begin:end], strict=True):
                if answer.done():  # whoever asked is gone
                    continue
                if isinstance(found, Refused):
                    answer.set_exception(found)
                else:
                    answer.set_result(found)
            await asyncio.sleep(0)

    async def _failed(self, batch: Sequence[Waiting], error: Exception) -> None:
        """Nobody is answered wrongly for what somebody else sent: unless the database is away, halves are tried."""
        if len(batch) > 1 and not isinstance(error, (OperationalError, InterfaceError)):
            half = len(batch) // 2
            await self._answer(batch[:half])
            await self._answer(batch[half:])
            return
        for _, answer in batch:
            if not answer.done():
                answer.set_exception(error)
