"""Posting to subscribers. Each one has queues and workers of its own, so that a slow or dead one delays nobody else."""

import asyncio
import json
from collections.abc import Callable, Iterable
from functools import partial
from time import time
from zlib import crc32

import aiohttp

from wallboard.simulator.faults import Faults
from wallboard.simulator.ledger import SENT, Delivery, Ledger
from wallboard.simulator.legs import JSON, Leg
from wallboard.simulator.spoiling import Spoiler
from wallboard.simulator.subscriptions import Kind, Subscription, Subscriptions

# Messages of one caller go one after the other in one lane; callers are spread over the lanes.
LANES = 8
WAITING_AT_MOST = 2_000
TIMEOUT = aiohttp.ClientTimeout(total=10, connect=5)
PREPARING_SECONDS, READY_SECONDS = 0.3, 0.5
RECORD_SECONDS = 2.0
WORDS = {"preparing": "Subscription is being prepared.", "ready": "Subscription is ready."}
HEADERS = {"Content-Type": "application/json", "User-Agent": "telephony-service"}


def milliseconds() -> int:
    return int(time() * 1000)


class Outbox:
    """What one subscription still has to get, in lanes; a lane has a worker while there is work."""

    def __init__(self, is_wanted: Callable[[], bool], poster: "Poster") -> None:
        self._is_wanted = is_wanted
        self._poster = poster
        self._lanes: list[asyncio.Queue[Delivery]] = [asyncio.Queue() for _ in range(LANES)]
        self._workers: dict[int, asyncio.Task[None]] = {}
        self.waiting = 0

    def put(self, delivery: Delivery, key: str) -> None:
        """Queue a delivery behind the earlier ones of the same caller; beyond the bound it is dropped, and noted so."""
        if self.waiting >= WAITING_AT_MOST:
            delivery.outcome = "dropped: subscriber too slow"
            return
        lane = crc32(key.encode()) % LANES
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
            del self._workers[lane]

    def close(self) -> None:
        for worker in list(self._workers.values()):
            worker.cancel()


class Poster:
    """Makes one attempt per delivery; the document promises no retries, so there are none."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    async def post(self, delivery: Delivery) -> None:
        """POST the body once and note what came back."""
        session = self._opened()
        delivery.sent_at = milliseconds()
        delivery.outcome = SENT
        try:
            async with session.post(
                delivery.post_uri, data=delivery.body, headers=HEADERS, allow_redirects=False
            ) as response:
                delivery.status = response.status
                delivery.outcome = "acknowledged" if delivery.is_acknowledged else "refused"
        except TimeoutError:
            delivery.outcome = "no answer in time"
        except (aiohttp.ClientError, ValueError, OSError) as error:
            delivery.outcome = f"failed: {type(error).__name__}"
        delivery.answered_at = milliseconds()

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=0, limit_per_host=0)
            self._session = aiohttp.ClientSession(connector=connector, timeout=TIMEOUT)
        return self._session

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()


class Deliveries:
    """Turns what happens into deliveries for whoever subscribed to it."""

    def __init__(self, subscriptions: Subscriptions, ledger: Ledger, faults: Faults) -> None:
        self._subscriptions, self._ledger, self._faults = subscriptions, ledger, faults
        self._poster = Poster()
        self._spoiler = Spoiler(ledger.copy)
        self._outboxes: dict[int, Outbox] = {}
        self._ended: list[Leg] = []
        self._record_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def leg_changed(self, leg: Leg) -> list[Delivery]:
        """Tell a leg's new state to those who subscribed to calls, and gather its record when it ended."""
        if leg.time_end is not None:
            self._gather(leg)
        listeners = self._listeners("calls", leg.users)
        if not listeners:
            return []
        message = leg.message()
        return [self._send(subscription, "calls", message, leg.source.call_id) for subscription in listeners]

    def created(self, subscription: Subscription) -> None:
        """Set a new subscription up: preparing, then ready, each after a short while; then it gets messages."""
        task = asyncio.create_task(self._initialize(subscription))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _initialize(self, subscription: Subscription) -> None:
        for seconds, state in ((PREPARING_SECONDS, "preparing"), (READY_SECONDS, "ready")):
            await asyncio.sleep(seconds)
            if not self._subscriptions.is_live(subscription):
                return
            message: JSON = {"msg": WORDS[state], "state": state}
            delivery = self._send(subscription, "initialization", message, "initialization")
            while delivery.is_pending:
                await asyncio.sleep(0.01)
        subscription.is_ready = True

    def _gather(self, leg: Leg) -> None:
        """Records become available a short while after the end; those of one moment travel in one array."""
        self._ended.append(leg)
        if self._record_timer is None:
            self._record_timer = asyncio.get_running_loop().call_later(RECORD_SECONDS, self._send_records)

    def _send_records(self) -> None:
        ended, self._ended, self._record_timer = self._ended, [], None
        for subscription in self._subscriptions.live():
            records = [leg.record() for leg in ended if subscription.wants("cdrs", leg.users)]
            if records:
                self._send(subscription, "cdrs", records, "cdrs")

    def _listeners(self, kind: Kind, users: Iterable[str | None]) -> list[Subscription]:
        users = tuple(users)
        return [subscription for subscription in self._subscriptions.live() if subscription.wants(kind, users)]

    def _send(self, subscription: Subscription, kind: str, message: JSON | list[JSON], key: str) -> Delivery:
        outbox = self._outboxes.get(subscription.id)
        if outbox is None:
            self._forget_ended()
            is_wanted = partial(self._subscriptions.is_live, subscription)
            outbox = self._outboxes[subscription.id] = Outbox(is_wanted, self._poster)
        delivery = self._ledger.due(
            subscription=subscription.id,
            post_uri=subscription.wish.post_uri,
            kind=kind,
            body=json.dumps(message, separators=(",", ":")).encode(),
            due_at=milliseconds(),
        )
        fault = self._faults.take("deliveries", subscription.id, kind)
        self._spoiler.pass_on(delivery, key, outbox.put, fault)
        return delivery

    def _forget_ended(self) -> None:
        live = {subscription.id for subscription in self._subscriptions.live()}
        self._outboxes = {key: box for key, box in self._outboxes.items() if key in live or box.waiting}

    async def close(self) -> None:
        """Stop all work; what was not sent is not sent."""
        if self._record_timer is not None:
            self._record_timer.cancel()
        for outbox in self._outboxes.values():
            outbox.close()
        for task in self._tasks:
            task.cancel()
        await self._poster.close()
