"""Which secret paths exist: known to each web process by hash, without a query per delivery.

A secret that is not known makes the process read all known hashes again, at most four times a second however many
strangers knock; so a wrong secret costs next to nothing, and a new one works at once. With the database away the
hashes last read still count, and after a restart those kept in SPOOL_DIR.
"""

import hashlib
import json
import logging
import os
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q
from django.utils import timezone

from accounts.models import IdentityProbe
from wallboard.calls.models import Subscription

log = logging.getLogger(__name__)
REREAD_SECONDS = 0.25  # the least time between two readings on account of unknown secrets
FRESH_SECONDS = 5.0  # after this the hashes are read again, so that a retired address dies within seconds
OVERLAP = timedelta(minutes=10)  # a retired address still takes what was already on its way
FILE = "addresses.json"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a delivery to a known secret belongs; a probe's messages belong nowhere."""

    subscription_id: int
    domain_id: int
    is_probe: bool = False


class DatabaseAway(Exception):
    """Nobody can tell now whether the secret is a right one."""


def hash_of(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Addresses:
    """The known hashes of one process."""

    def __init__(self) -> None:
        self._known: dict[str, Address] = {}
        self._read_at = float("-inf")
        self._one_reader = threading.Lock()

    def known(self, secret: str) -> Address | None:
        """The address as far as this process knows without asking, and only while that is fresh."""
        if time.monotonic() - self._read_at > FRESH_SECONDS:
            return None
        return self._known.get(hash_of(secret))

    def find(self, secret: str) -> Address | None:
        """The address, from a reading not older than this call; may wait for it, so not for the event loop.

        Raises DatabaseAway where the database cannot be asked and the secret is not known from before.
        """
        asked_at, secret_hash = time.monotonic(), hash_of(secret)
        with self._one_reader:
            if self._read_at < asked_at:
                time.sleep(max(0.0, self._read_at + REREAD_SECONDS - time.monotonic()))
                try:
                    self._read()
                except DatabaseError:
                    connection.close()
                    return self._from_before(secret_hash)
        return self._known.get(secret_hash)

    def _read(self) -> None:
        started_at = time.monotonic()
        self._known = from_database()
        self._read_at = started_at
        remember(self._known)

    def _from_before(self, secret_hash: str) -> Address:
        found = self._known.get(secret_hash) or remembered().get(secret_hash)
        if found is None:
            raise DatabaseAway
        return found


def from_database() -> dict[str, Address]:
    """Every secret that counts now, by hash."""
    now = timezone.now()
    in_force = ~Q(state=Subscription.State.RETIRED) | Q(retired_at__gt=now - OVERLAP)
    rows = Subscription.objects.filter(in_force, domain__is_active=True)
    probes = IdentityProbe.objects.filter(until__gt=now).values_list("secret_hash", "domain_id")
    found = {secret_hash: Address(0, domain_id, is_probe=True) for secret_hash, domain_id in probes}
    return found | {
        secret_hash: Address(pk, domain_id)
        for secret_hash, pk, domain_id in rows.values_list("secret_hash", "pk", "domain_id")
    }


def remember(known: dict[str, Address]) -> None:
    """Keep the hashes in SPOOL_DIR, for a start while the database is away; written only when they changed."""
    if not settings.SPOOL_DIR:
        return
    kept = {each: [at.subscription_id, at.domain_id] for each, at in sorted(known.items()) if not at.is_probe}
    text = json.dumps(kept)
    path = Path(settings.SPOOL_DIR) / FILE
    try:
        if path.exists() and path.read_text() == text:
            return
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_name(f"{FILE}.{os.getpid()}")
        fresh.write_text(text)
        fresh.replace(path)
    except OSError as error:
        log.error("SPOOL_DIR cannot be written (%s).", type(error).__name__)


def remembered() -> dict[str, Address]:
    """The hashes kept in SPOOL_DIR."""
    if not settings.SPOOL_DIR:
        return {}
    try:
        kept = json.loads((Path(settings.SPOOL_DIR) / FILE).read_text())
        return {each: Address(int(pk), int(domain_id)) for each, (pk, domain_id) in kept.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
