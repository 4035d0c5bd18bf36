"""Keeping a token: sealed, renewed in time by one caller at a time, kept before it is used.

The provider's client asks a keeper for its token. A keeper answers from the row; when the row has nothing usable, one
caller takes a lease and asks the token endpoint, outside any transaction, while the others watch the row.
"""

import logging
import random
import time
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import leases
from accounts.crypto import sealed
from accounts.models import HeldToken
from wallboard.telephony import errors, oauth

log = logging.getLogger(__name__)
jitter = random.SystemRandom().uniform

MARGIN_SECONDS = 60  # a token is renewed this long before it ends
LEASE_SECONDS = 30  # well above the total deadline of a provider call
WAIT_SECONDS = 15  # how long others wait for the one who asks
POLL_SECONDS = 0.05
REFUSED_SECONDS = 300  # pause after a refusal: asking again cannot help before somebody acts
BACK_OFF_SECONDS = 60  # longest pause after other failures
RETRY_AFTER_SECONDS = 3600  # longest pause that the provider may ask for
KINDS: dict[str, type[errors.ProviderError]] = {
    kind.kind: kind
    for kind in (
        errors.Unreachable,
        errors.NotAuthorized,
        errors.GrantDoubted,
        errors.GrantRefused,
        errors.NotFound,
        errors.BadResponse,
    )
}


class Keeper:
    """Gives out the token of one row: what `telephony.Client` calls `get_token`."""

    def __init__(self, row: HeldToken) -> None:
        self._model = type(row)
        self._pk = row.pk
        self.lease_name = f"token:{row._meta.model_name}:{row.pk}"
        self.replacement = ""  # what was given out last, if that was in exchange for a rejected token

    def __call__(self, rejected: str | None = None) -> str:
        """A token other than the rejected one. Raises ProviderError when there is none to be had now."""
        token = self._token(rejected)
        self.replacement = token if rejected else ""
        return token

    def distrust(self) -> None:
        """The replacement was rejected as well: nobody needs to try it again before the pause is over."""
        row = self._read()
        if self.replacement and self.replacement == row.access_token.open():
            with suppress(errors.NotAuthorized):
                self._fail(row, errors.NotAuthorized("The API refuses fresh tokens."))

    def _token(self, rejected: str | None) -> str:
        give_up_at = time.monotonic() + WAIT_SECONDS
        while True:
            if token := self._usable(rejected):
                return token
            if lease := leases.acquire(self.lease_name, LEASE_SECONDS):
                with lease:
                    if token := self._usable(rejected) or self._renew(rejected):
                        return token
            if time.monotonic() > give_up_at:
                raise errors.Unreachable("Another process is asking for a token and has not finished.")
            time.sleep(POLL_SECONDS * jitter(1, 2))

    def _read(self) -> Any:
        return self._model._default_manager.get(pk=self._pk)

    def _usable(self, rejected: str | None) -> str:
        """The token of the row, empty when a new one has to be fetched; raises while fetching is pointless."""
        row = self._read()
        self.check(row)
        now = timezone.now()
        token: str = row.access_token.open()
        if token and token != rejected and row.usable_until and row.usable_until > now:
            return token
        if is_pausing(row, now):
            raise KINDS.get(row.failure, errors.Unreachable)("The token endpoint failed lately; it is left in peace.")
        return ""

    def _renew(self, rejected: str | None) -> str:
        """Ask for a successor and keep it; empty when the row changed under us and has to be read again."""
        row = self._read()
        now = timezone.now()
        was_refused = rejected is not None and rejected == row.access_token.open()
        if was_refused and row.replaced_at and abs(now - row.replaced_at) < timedelta(seconds=REFUSED_SECONDS):
            return self._fail(row, errors.NotAuthorized("The API refuses fresh tokens."))
        try:
            token = self.fetch(row)
        except errors.ProviderError as error:
            return self._fail(row, error)
        changes = held(token, now) | self.extras(row, token, now)
        if was_refused:
            changes["replaced_at"] = now
        if not self._change(row, **changes):
            return ""
        if row.failures:
            log.info("%s: tokens are given out again", self.lease_name)
        return token.access_token

    def _fail(self, row: Any, error: errors.ProviderError) -> str:
        now = timezone.now()
        is_new_doubt = isinstance(error, errors.GrantDoubted) and row.failure != error.kind
        changes = {
            "retry_at": now + timedelta(seconds=pause_seconds(error, row.failures)),
            "failing_since": (None if is_new_doubt else row.failing_since) or now,
            "failures": (0 if is_new_doubt else row.failures) + 1,
            "failure": error.kind,
        }
        if isinstance(error, errors.NotAuthorized):
            changes["usable_until"] = None
        if not self._change(row, **changes):
            return ""
        if not row.failures:
            log.warning("%s: no token, %s", self.lease_name, error.kind)
        self.on_failure(row, error)
        raise error

    def _change(self, row: Any, **changes: Any) -> bool:
        """Commit the changes unless the row moved on since it was read: who writes late changes nothing."""
        with transaction.atomic(durable=True):
            unchanged = self._model._default_manager.filter(pk=row.pk, version=row.version)
            return unchanged.update(version=row.version + 1, **changes) == 1

    def check(self, row: Any) -> None:
        """Raise where this row can never give a token again."""

    def fetch(self, row: Any) -> oauth.Token:
        """Ask the token endpoint."""
        raise NotImplementedError

    def extras(self, row: Any, token: oauth.Token, received: datetime) -> dict[str, Any]:
        """Further columns to keep of an answer."""
        return {}

    def on_failure(self, row: Any, error: errors.ProviderError) -> None:
        """What a failure means beyond the pause, which is committed by now."""


def held(token: oauth.Token, received: datetime) -> dict[str, Any]:
    """The columns that keep a token answer received at the given time; any failure is over.

    A token that is dead on arrival may be tried once by who asked; the endpoint is then left in peace for a while.
    """
    left = (token.expires_at - received).total_seconds()
    is_dead = left <= 0
    return {
        "access_token": sealed(token.access_token),
        "usable_until": received + timedelta(seconds=max(left - MARGIN_SECONDS, left / 2)),
        "retry_at": received + timedelta(seconds=BACK_OFF_SECONDS) if is_dead else None,
        "failing_since": received if is_dead else None,
        "failures": 0,
        "failure": errors.BadResponse.kind if is_dead else "",
    }


def is_pausing(row: HeldToken, now: datetime) -> bool:
    """Whether the token endpoint is to be left in peace; a pause longer than any is of a clock that was set back."""
    longest = RETRY_AFTER_SECONDS if row.failure == errors.RateLimited.kind else REFUSED_SECONDS
    return row.retry_at is not None and now < row.retry_at <= now + timedelta(seconds=longest)


def pause_seconds(error: errors.ProviderError, failures: int) -> float:
    """How long to leave the token endpoint in peace after a failure that followed so many others."""
    if isinstance(error, errors.RateLimited) and error.retry_after_seconds:
        return min(error.retry_after_seconds, RETRY_AFTER_SECONDS)
    if isinstance(error, errors.NotAuthorized | errors.GrantRefused | errors.NotFound):
        return REFUSED_SECONDS
    return jitter(0.5, 1) * min(BACK_OFF_SECONDS, 2.0 ** min(failures + 1, 10))
