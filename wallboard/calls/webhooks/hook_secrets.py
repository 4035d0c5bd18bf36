"""Which secret paths exist: known to each web process by hash, without a query per delivery.

A secret that is not known makes the process read all known hashes again, at most four times a second however many
strangers knock; so a wrong secret costs next to nothing, and a new one works at once. With the database away the
hashes last read still count, and after a restart those kept in SPOOL_DIR.
"""

import asyncio
import hashlib
import json
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, Error, connection
from django.db.models import Q
from django.utils import timezone

from accounts.models import IdentityProbe
from wallboard.calls.models import Subscription
from wallboard.calls.webhooks.secret_throttle import SecretThrottle

log = logging.getLogger(__name__)
REREAD_SECONDS = 0.25  # the least time between two readings on account of unknown secrets
FRESH_SECONDS = 5.0  # after this the hashes are read again, so that a retired address dies within seconds
OVERLAP = timedelta(minutes=10)  # a retired address still takes what was already on its way
WAIT_SECONDS = 5.0  # for a reading, before the database counts as away
KNOWN_WAIT_SECONDS = 0.5  # as above, for a secret that was right when it was last read
FILE = "addresses.json"


@dataclass(frozen=True, slots=True)
class HookTarget:
    """Where a delivery to a known secret belongs; a probe's messages belong nowhere."""

    subscription_id: int
    domain_id: int
    is_probe: bool = False


class DatabaseAway(Exception):
    """Nobody can tell now whether the secret is a right one."""


def hash_of(secret: str) -> str:
    """What is kept of a secret."""
    # A plain hash is enough for 256 random bits: there is nothing to guess that a slow one would protect.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class HookSecrets:
    """The known hashes of one process; used from its event loop."""

    def __init__(self) -> None:
        self._known: dict[str, HookTarget] = {}
        self._read_at = float("-inf")
        self._reading: asyncio.Task[None] | None = None
        # One thread, so that a flood of guesses is one query at a time.
        self._reader = ThreadPoolExecutor(1, "calls-addresses")
        self._throttle = SecretThrottle("wrong-secrets")

    async def find(self, secret: str, sender: Callable[[], str] = str) -> HookTarget | None:
        """Where a secret leads; None for a wrong one, by a reading not older than this call.

        `sender` gives the address that a guess comes from. Raises DatabaseAway where the database cannot be asked and
        the secret is not known from before, TooManyGuesses where a guess is one too many.
        """
        requested_at, secret_hash = time.monotonic(), hash_of(secret)
        if secret_hash in self._known:
            age = requested_at - self._read_at
            # A known secret is never throttled: whoever floods must not hold up the provider.
            if age >= FRESH_SECONDS:
                return await self._looked_up(secret_hash, requested_at)
            if age >= FRESH_SECONDS / 2:  # beside the deliveries, so that none of them has to wait for it
                self._next_reading().add_done_callback(lambda reading: reading.cancelled() or reading.exception())
            return self._known[secret_hash]
        address = sender()
        with self._throttle.attempt(address):
            found = await self._looked_up(secret_hash, requested_at)
        if found is None:
            self._throttle.count_wrong(address)
        return found

    async def _looked_up(self, secret_hash: str, requested_at: float) -> HookTarget | None:
        is_known = secret_hash in self._known
        try:
            async with asyncio.timeout(KNOWN_WAIT_SECONDS if is_known else WAIT_SECONDS):
                while not self._is_settled(secret_hash, requested_at):
                    # One caller's timeout must not cancel the reading that others wait for.
                    await asyncio.shield(self._next_reading())
        except (DatabaseError, TimeoutError):
            return self._from_before(secret_hash)
        return self._known.get(secret_hash)

    def _is_settled(self, secret_hash: str, requested_at: float) -> bool:
        # A reading that began before the question may lack a secret that was made in between; what it has is right.
        oldest = requested_at - FRESH_SECONDS if secret_hash in self._known else requested_at
        return self._read_at >= oldest

    def read_ahead(self, wait_seconds: float) -> None:
        """Read them in a process that takes no deliveries yet: the first ones, among all that come then, need not wait.

        Where that takes longer, or the database is away, the first delivery has them read.
        """
        started_at, reading = time.monotonic(), self._reader.submit(_read_and_save)
        try:
            self._known = reading.result(wait_seconds)
        except (Error, TimeoutError) as error:
            log.warning("The addresses of deliveries could not be read ahead (%s).", type(error).__name__)
        else:
            self._read_at = started_at

    def forget(self) -> None:
        """Trust nothing that was read so far."""
        self._read_at = float("-inf")

    def _next_reading(self) -> "asyncio.Task[None]":
        """The reading that is under way or about to begin; all who wait share it."""
        loop = asyncio.get_running_loop()
        # Tests and reloads bring another loop; a task of the old one would never end.
        if self._reading is None or self._reading.done() or self._reading.get_loop() is not loop:
            self._reading = loop.create_task(self._read())
        return self._reading

    async def _read(self) -> None:
        # However many strangers knock, the database is asked four times a second.
        await asyncio.sleep(self._read_at + REREAD_SECONDS - time.monotonic())
        started_at = time.monotonic()
        self._known = await asyncio.get_running_loop().run_in_executor(self._reader, _read_and_save)
        # Its beginning counts: what was written during the reading may not be in it.
        self._read_at = started_at

    def _from_before(self, secret_hash: str) -> HookTarget:
        found = self._known.get(secret_hash) or load_copy().get(secret_hash)
        if found is None:
            raise DatabaseAway
        return found


def _read_and_save() -> dict[str, HookTarget]:
    try:
        known = from_database()
    finally:
        # The thread would hold a connection of the pool while it idles.
        connection.close()
    save_copy(known)
    return known


def from_database() -> dict[str, HookTarget]:
    """Every secret that counts now, by hash."""
    now = timezone.now()
    in_force = ~Q(state=Subscription.State.RETIRED) | Q(retired_at__gt=now - OVERLAP)
    rows = Subscription.objects.filter(in_force, domain__is_active=True)
    # Messages to a probe are answered 2xx too, or the provider might give the probe up.
    probes = IdentityProbe.objects.filter(until__gt=now).values_list("secret_hash", "domain_id")
    found = {secret_hash: HookTarget(0, domain_id, is_probe=True) for secret_hash, domain_id in probes}
    return found | {
        secret_hash: HookTarget(pk, domain_id)
        for secret_hash, pk, domain_id in rows.values_list("secret_hash", "pk", "domain_id")
    }


def save_copy(known: dict[str, HookTarget]) -> None:
    """Keep the hashes in SPOOL_DIR, for a start while the database is away; written only when they changed."""
    if not settings.SPOOL_DIR:
        return
    copy = {each: [at.subscription_id, at.domain_id] for each, at in sorted(known.items()) if not at.is_probe}
    text = json.dumps(copy)
    path = Path(settings.SPOOL_DIR) / FILE
    try:
        # Every few seconds a reading comes here, and hardly ever a change.
        if path.exists() and path.read_text() == text:
            return
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Written beside and renamed, by process: no start may read half a file.
        fresh = path.with_name(f"{FILE}.{os.getpid()}")
        fresh.write_text(text)
        fresh.replace(path)
    except OSError as error:
        log.error("SPOOL_DIR cannot be written (%s).", type(error).__name__)


def load_copy() -> dict[str, HookTarget]:
    """The hashes kept in SPOOL_DIR."""
    if not settings.SPOOL_DIR:
        return {}
    try:
        copy = json.loads((Path(settings.SPOOL_DIR) / FILE).read_text())
        return {each: HookTarget(int(pk), int(domain_id)) for each, (pk, domain_id) in copy.items()}
    # A damaged copy is as good as none: then deliveries wait for the database.
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
