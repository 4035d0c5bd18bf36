"""Posting to one subscriber, with queues and workers of its own, so that a slow or dead one delays nobody else."""

import asyncio
from collections.abc import Callable
from zlib import crc32

import aiohttp

from wallboard.simulator.deliveries.delivery_log import SENT, Delivery, now_ms
from wallboard.simulator.dialect.switches import Dialect

# Messages of one caller go one after the other in one lane; callers are spread over the lanes.
LANES = 8
MOST_WAITING = 2_000
RETRY_SECONDS = 1.0
TIMEOUT = aiohttp.ClientTimeout(total=10, connect=5)
HEADERS = {"Content-Type": "application/json", "User-Agent": "telephony-service"}


class Poster:
    """Makes one attempt per delivery, since the document promises no retries, or as many as the dialect wants.

    Each further attempt is a delivery of its own, which `copy` makes.
    """

    def __init__(self, copy: Callable[[Delivery], Delivery], dialect: Dialect) -> None:
        self._copy, self._dialect = copy, dialect
        self._session: aiohttp.ClientSession | None = None

    async def post(self, delivery: Delivery) -> None:
        """POST the body until it is acknowledged or there are no attempts left."""
        await self._attempt(delivery)
        for _ in range(self._dialect.delivery_retries):
            if delivery.is_acknowledged:
                return
            await asyncio.sleep(RETRY_SECONDS)
            delivery = self._copy(delivery)
            await self._attempt(delivery)

    async def _attempt(self, delivery: Delivery) -> None:
        """POST the body once and note what came back."""
        delivery.sent_at = now_ms()
        delivery.outcome = SENT
        try:
            async with self._opened().post(
                delivery.post_uri, data=delivery.body, headers=HEADERS, allow_redirects=False
            ) as response:
                delivery.status = response.status
                delivery.outcome = "acknowledged" if delivery.is_acknowledged else "refused"
        except TimeoutError:
            delivery.outcome = "no answer in time"
        except (aiohttp.ClientError, ValueError, OSError) as error:
            delivery.outcome = f"failed: {type(error).__name__}"
        delivery.answered_at = now_ms()

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            # Lanes bound what is under way; a bound for all would let one slow subscriber hold up the others.
            connector = aiohttp.TCPConnector(limit=0, limit_per_host=0)
            self._session = aiohttp.ClientSession(connector=connector, timeout=TIMEOUT)
        return self._session

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()


class Outbox:
    """What one subscription still has to get, in lanes; a lane has a worker while there is work."""

    def __init__(self, is_wanted: Callable[[], bool], poster: Poster) -> None:
        self._is_wanted = is_wanted
        self._poster = poster
        self._lanes: list[asyncio.Queue[Delivery]] = [asyncio.Queue() for _ in range(LANES)]
        self._workers: dict[int, asyncio.Task[None]] = {}
        self.waiting = 0

    def put(self, delivery: Delivery, caller_id: str) -> None:
        """Queue a delivery behind the earlier ones of the same caller; beyond the bound it is dropped, and noted so."""
        if self.waiting >= MOST_WAITING:
            delivery.outcome = "dropped: subscriber too slow"
            return
        # Not hash(), which differs from run to run.
        lane = crc32(caller_id.encode()) % LANES
        self.waiting += 1
        self._lanes[lane].put_nowait(delivery)
        if lane not in self._workers:
            self._workers[lane] = asyncio.create_task(self._work(lane))

    async def _work(self, lane: int) -> None:
        queue = self._lanes[lane]
        try:
            while not queue.empty():
                delivery = queue.get_nowait()
                self.waiting -= 1
                if self._is_wanted():
                    await self._poster.post(delivery)
                else:
                    delivery.outcome = "not sent: subscription ended"
        finally:
            # Nothing is awaited between the last look at the queue and this, so no delivery stays without a worker.
            del self._workers[lane]

    def close(self) -> None:
        for worker in list(self._workers.values()):
            worker.cancel()
