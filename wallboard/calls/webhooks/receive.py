"""What the provider posts comes in here: a secret path, a bounded body, and an answer only once it is durable.

Between the POST and the answer stands nothing but the commit: no Redis, no Celery, no other service.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from uuid import uuid4

from django.utils import timezone

from wallboard.calls.webhooks import intake, intake_watch, spool
from wallboard.calls.webhooks.committer import ACCEPTED, UNAVAILABLE, PendingAnswer, committer
from wallboard.calls.webhooks.hook_secrets import DatabaseAway, HookSecrets, HookTarget
from wallboard.calls.webhooks.intake import Arrival
from wallboard.calls.webhooks.secret_throttle import TooManyGuesses

log = logging.getLogger(__name__)
MOST_BYTES = 1_048_576  # about 1,500 detail records
MOST_OF_NONSENSE = 65_536  # characters that are kept of what is no message
PATIENCE_SECONDS = 10.0  # for the commit, without a spool
SPOOL_AFTER_SECONDS = 2.0  # for the commit, where the delivery can go to the spool instead
BODY_SECONDS = 10.0  # for the whole body to come in; the provider's are a kilobyte
NOT_FOUND, WRONG_METHOD, TOO_LARGE, TOO_SLOW, TOO_MANY, LATE = 404, 405, 413, 408, 429, 0

hook_secrets = HookSecrets()


async def answer(
    secret: str,
    method: str,
    announced_length: str,
    read: Callable[[], Awaitable[bytes]],
    sender: Callable[[], str] = str,
) -> int:
    """The status for a request. A wrong secret is told nothing, whatever the method, and its body is not looked at."""
    try:
        target = await hook_secrets.find(secret, sender)
    except DatabaseAway:
        return UNAVAILABLE
    except TooManyGuesses:
        return TOO_MANY
    # Before anything else about the request: a stranger learns nothing from sizes or methods.
    if target is None:
        return NOT_FOUND
    if method != "POST":
        return WRONG_METHOD
    if not announced_length.isdecimal() or int(announced_length) > MOST_BYTES:
        return _refused(target, TOO_LARGE)
    try:
        # For the whole body: a timeout for each piece never ends while a byte drips.
        async with asyncio.timeout(BODY_SECONDS):
            body = await read()
    except TimeoutError:
        return _refused(target, TOO_SLOW)
    return await accept(target, body)


async def accept(target: HookTarget, body: bytes) -> int:
    """The status for a delivery whose secret is right; a 2xx is given only for what is durable."""
    # The announced length may lie, or be missing.
    if len(body) > MOST_BYTES:
        return _refused(target, TOO_LARGE)
    # Nobody's calls: the probe only wants to be answered.
    if target.is_probe:
        return ACCEPTED
    arrival = arrival_of(target, body)
    if arrival.message is None:
        about = {"delivery": arrival.identity}
        words = "A delivery to subscription %d is no message; it is kept as it came."
        log.warning(words, target.subscription_id, extra=about)
    status = await _make_durable(arrival)
    return status if status == ACCEPTED else _refused(target, status)


def _refused(target: HookTarget, status: int) -> int:
    """The same status, and a note that what was sent may be lost: whoever counts calls says so."""
    if not target.is_probe:
        intake_watch.watch.refused(target.domain_id)
    return status


def arrival_of(target: HookTarget, body: bytes) -> Arrival:
    """The delivery as it is kept, whatever it is: who knows the secret does not send it again where it is refused.

    What a database cannot hold as text (NUL, broken UTF-8) stands as JSON escapes, so that it reads as it did before.
    """
    message = intake.parse(body)
    # Escaped and not dropped, so that whoever looks into a fault sees what really came.
    text = body.decode("utf-8", "surrogateescape").encode("utf-8", "backslashreplace").decode().replace("\0", "\\u0000")
    stored = text if message is not None else text[:MOST_OF_NONSENSE]
    return Arrival(uuid4(), target.subscription_id, target.domain_id, timezone.now(), stored, message)


async def _make_durable(arrival: Arrival) -> int:
    # How long the provider waits is documented nowhere; with a disk at hand there is no need to find out.
    patience = SPOOL_AFTER_SECONDS if spool.is_on() else PATIENCE_SECONDS
    status = LATE if committer.is_stuck(patience) else await _committed(arrival, patience)
    if status != LATE:
        return status
    # In a thread, as fsync may take seconds. The commit may still happen: the identity keeps it single.
    is_spooled = await asyncio.to_thread(committer.write_to_spool, [arrival])
    return ACCEPTED if is_spooled else UNAVAILABLE


async def _committed(arrival: Arrival, patience: float) -> int:
    """The status once the committer is done with it; LATE when that takes too long (it may still get there)."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[int] = loop.create_future()
    # Too many wait already: to the spool, or an honest 503.
    if not committer.submit(PendingAnswer(arrival, loop, answer)):
        return LATE
    alarm = loop.call_later(patience, lambda: None if answer.done() else answer.set_result(LATE))
    try:
        return await answer
    finally:
        alarm.cancel()
