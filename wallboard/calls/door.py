"""What the provider posts comes in here: a secret path, a bounded body, and an answer only once it is durable.

Between the POST and the answer stands nothing but the commit: no Redis, no Celery, no other service.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from uuid import uuid4

from django.utils import timezone

from wallboard.calls import intake, spool
from wallboard.calls.addresses import Address, Addresses, DatabaseAway
from wallboard.calls.batches import KEPT, REFUSED, Waiting, committer
from wallboard.calls.guesses import TooMany
from wallboard.calls.intake import Arrival

log = logging.getLogger(__name__)
MOST_BYTES = 65_536
PATIENCE_SECONDS = 10.0  # for the commit, without a spool
SPOOL_AFTER_SECONDS = 2.0  # for the commit, where the delivery can go to the spool instead
BODY_SECONDS = 10.0  # for the whole body to come in; the provider's are a kilobyte
NOT_FOUND, WRONG_METHOD, NONSENSE, TOO_LARGE, TOO_SLOW, SLOW_DOWN, LATE = 404, 405, 400, 413, 408, 429, 0

addresses = Addresses()


async def find(secret: str, sender: Callable[[], str] = str) -> Address | None:
    """Where a secret leads; None for a wrong one. Raises DatabaseAway when nobody can tell, guesses.TooMany."""
    return await addresses.find(secret, sender)


async def receive(secret: str, body: bytes) -> int:
    """Take a delivery in; gives the HTTP status to answer. A 2xx is given only for what is durable."""
    try:
        address = await find(secret)
    except DatabaseAway:
        return REFUSED
    return NOT_FOUND if address is None else await take(address, body)


async def answer(
    secret: str,
    method: str,
    announced_length: str,
    read: Callable[[], Awaitable[bytes]],
    sender: Callable[[], str] = str,
) -> int:
    """The status for a request. A wrong secret is told nothing, whatever the method, and its body is not looked at."""
    try:
        address = await find(secret, sender)
    except DatabaseAway:
        return REFUSED
    except TooMany:
        return SLOW_DOWN
    if address is None:
        return NOT_FOUND
    if method != "POST":
        return WRONG_METHOD
    if not announced_length.isdecimal() or int(announced_length) > MOST_BYTES:
        return TOO_LARGE
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await read()
    except TimeoutError:
        return TOO_SLOW
    return await take(address, body)


async def take(address: Address, body: bytes) -> int:
    """As receive(), for an address that was found."""
    if len(body) > MOST_BYTES:
        return TOO_LARGE
    if address.is_probe:
        return KEPT
    arrival = arrival_of(address, body)
    if arrival is None:
        log.warning("A delivery to subscription %d is no message; it was refused.", address.subscription_id)
        return NONSENSE
    return await _make_durable(arrival)


def arrival_of(address: Address, body: bytes) -> Arrival | None:
    """The delivery, or None where the body is none of the provider's messages.

    Text that PostgreSQL could not hold (NUL, broken UTF-8) is refused even where it stands in a field nobody reads.
    """
    message = intake.read(body)
    if message is None or b"\0" in body:
        return None
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return None
    return Arrival(uuid4(), address.subscription_id, address.domain_id, timezone.now(), text, message)


async def _make_durable(arrival: Arrival) -> int:
    patience = SPOOL_AFTER_SECONDS if spool.is_on() else PATIENCE_SECONDS
    status = LATE if committer.is_stuck(patience) else await _committed(arrival, patience)
    if status != LATE:
        return status
    is_kept = await asyncio.to_thread(committer.keep_on_disk, [arrival])
    return KEPT if is_kept else REFUSED


async def _committed(arrival: Arrival, patience: float) -> int:
    """The status once the committer is done with it; LATE when that takes too long (it may still get there)."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[int] = loop.create_future()
    if not committer.hand(Waiting(arrival, loop, answer)):
        return LATE
    alarm = loop.call_later(patience, lambda: None if answer.done() else answer.set_result(LATE))
    try:
        return await answer
    finally:
        alarm.cancel()
