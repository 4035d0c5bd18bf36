"""Deliveries: every message goes to whoever subscribed to it; a new subscription is initialized first."""

import asyncio
import json
from functools import partial

from wallboard.simulator.deliveries.delivery_log import Delivery, DeliveryLog
from wallboard.simulator.deliveries.outbox import Outbox, Poster
from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.faults.delivery_faults import DeliveryFaults
from wallboard.simulator.faults.faults import Faults
from wallboard.simulator.messages.initialization import initialization_steps
from wallboard.simulator.messages.publisher import Message
from wallboard.simulator.service.subscriptions import Subscription, Subscriptions
from wallboard.simulator.types import JSON


class Deliveries:
    """Fans messages out to the outboxes of subscriptions."""

    def __init__(self, subscriptions: Subscriptions, log: DeliveryLog, faults: Faults, dialect: Dialect) -> None:
        self._subscriptions, self._log, self._faults, self._dialect = subscriptions, log, faults, dialect
        self._poster = Poster(log.add_copy, dialect)
        self._delivery_faults = DeliveryFaults(log.add_copy)
        self._outboxes: dict[int, Outbox] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def send(self, message: Message) -> list[Delivery]:
        """Queue a message for those who subscribed to it."""
        sent = []
        for subscription in self._subscriptions.live():
            body = message.body(partial(subscription.wants, message.kind))
            if body is not None:
                delivery = self._enter(subscription, message.kind, body)
                # It stands in the log all the same, so that a test can tell what should have come.
                if message.is_lost:
                    delivery.outcome = "lost"
                else:
                    self._put(subscription, delivery, message.caller_id)
                sent.append(delivery)
        return sent

    async def initialize(self, subscription: Subscription) -> None:
        """Set a new subscription up: preparing, then ready, each after a short while; then it gets messages."""
        subscription.is_ready = self._dialect.events_before_ready
        steps = initialization_steps(self._dialect)
        if self._dialect.initialization == "before_answer":
            await self._initialize(subscription, steps[:1])
            steps = steps[1:]
        task = asyncio.create_task(self._complete(subscription, steps))
        # The event loop itself refers to tasks only weakly: this one could be collected while it waits.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _complete(self, subscription: Subscription, steps: list[tuple[float, JSON | None]]) -> None:
        await self._initialize(subscription, steps)
        subscription.is_ready = True

    async def _initialize(self, subscription: Subscription, steps: list[tuple[float, JSON | None]]) -> None:
        """Wait for each step, and for the answer to its message."""
        for seconds, body in steps:
            await asyncio.sleep(seconds)
            if body is None or not self._subscriptions.is_live(subscription):
                continue
            delivery = self._enter(subscription, "initialization", body)
            self._put(subscription, delivery, "initialization")
            while delivery.is_pending:
                await asyncio.sleep(0.01)

    def _enter(self, subscription: Subscription, kind: str, body: JSON | list[JSON]) -> Delivery:
        return self._log.add(
            subscription=subscription.id,
            post_uri=subscription.request.post_uri,
            kind=kind,
            body=json.dumps(body, separators=(",", ":")).encode(),
        )

    def _put(self, subscription: Subscription, delivery: Delivery, caller_id: str) -> None:
        outbox = self._outboxes.get(subscription.id) or self._new_outbox(subscription)
        fault = self._faults.take("deliveries", subscription.id, delivery.kind)
        self._delivery_faults.put(delivery, caller_id, outbox.put, fault)

    def _new_outbox(self, subscription: Subscription) -> Outbox:
        live = {each.id for each in self._subscriptions.live()}
        self._outboxes = {key: box for key, box in self._outboxes.items() if key in live or box.waiting}
        outbox = Outbox(partial(self._subscriptions.is_live, subscription), self._poster)
        self._outboxes[subscription.id] = outbox
        return outbox

    async def close(self) -> None:
        """Stop all work; what was not sent is not sent."""
        for outbox in self._outboxes.values():
            outbox.close()
        for task in self._tasks:
            task.cancel()
        await self._poster.close()
