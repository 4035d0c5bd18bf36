"""Keeping a token: sealed, renewed in time by one caller at a time, kept before it is used.

The provider's client asks a keeper for its token. A keeper answers from the row; when the row has nothing usable, one
caller takes a lease and asks the token endpoint, outside any transaction, while the others watch the row.
"""

import logging
import time
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import leases
from accounts.encryption import sealed
from accounts.models import StoredToken
from accounts.tokens import patience
from wallboard.telephony import errors, oauth

log = logging.getLogger(__name__)

MARGIN_SECONDS = 60  # a token is renewed this long before it ends
LEASE_SECONDS = 30  # well above the total deadline of a provider call
WAIT_SECONDS = 15  # how long others wait for the one who asks
POLL_SECONDS = 0.05
SHORTEST_LIFE_SECONDS = 10.0  # a token that is said to end sooner is used all the same …
SHORT_LIVED_SECONDS = 60.0  # … for so long or until it is refused; no other one is asked for meanwhile
KINDS: dict[str, type[errors.ProviderError]] = {
    kind.kind: kind
    for kind in (
        errors.Unreachable,
        errors.InTrouble,
        errors.RateLimited,
        errors.Unavailable,
        errors.NotAuthorized,
        errors.GrantDoubted,
        errors.GrantRefused,
        errors.NotFound,
        errors.BadResponse,
        errors.RequestRefused,
        errors.ShortLivedToken,
    )
}


class TokenSource:
    """Gives out the token of one row: what `telephony.Client` calls `get_token`."""

    def __init__(self, row: StoredToken, *, is_just_read: bool = False) -> None:
        self._just_read: Any = row if is_just_read else None
        self._model = type(row)
        self._pk = row.pk
        self._was_rejected = False
        self.lease_name = f"token:{row._meta.model_name}:{row.pk}"

    def __call__(self, rejected: str | None = None) -> str:
        """The token in use; in the place of a rejected one another, or the same where none is to be had now.

        Raises a ProviderError where there is no token, with `wait_seconds` until the token endpoint is asked again.
        """
        give_up_at = time.monotonic() + WAIT_SECONDS
        while True:
            if token := self._usable(rejected):
                return token
            if lease := leases.acquire(self.lease_name, LEASE_SECONDS):
                with lease:
                    # Looked at again: whoever had the lease before may have stored a token meanwhile.
                    if token := self._usable(rejected) or self._renew(rejected):
                        return token
            if time.monotonic() > give_up_at:
                raise errors.Unreachable("Another process is asking for a token and has not finished.")
            time.sleep(POLL_SECONDS * patience.jitter(1, 2))

    def record_rejection(self) -> None:
        """The API refused a call, whatever token it came with: from now on tokens are replaced more rarely."""
        self._model._default_manager.filter(pk=self._pk, rejected_since=None).update(rejected_since=timezone.now())

    def record_success(self) -> None:
        """A call succeeded: a token that is refused after this is replaced at once again. Mostly costs nothing."""
        if self._was_rejected:
            self._model._default_manager.filter(pk=self._pk).update(rejected_since=None)
            self._was_rejected = False

    def _read(self) -> Any:
        return self._model._default_manager.get(pk=self._pk)

    def _usable(self, rejected: str | None) -> str:
        """The token of the row, empty when a new one has to be fetched; raises while fetching is pointless."""
        # Whoever has read it a moment ago need not do so again, once.
        row, self._just_read = self._just_read or self._read(), None
        self.check(row)
        now = timezone.now()
        self._was_rejected = row.rejected_since is not None
        token: str = row.access_token.open()
        is_in_time = bool(token and row.usable_until and row.usable_until > now)
        if is_in_time and not (_is_suspect(row, token, rejected) and patience.may_replace(row, now)):
            return token
        if patience.is_pausing(row, now):
            if is_in_time and token != rejected:
                return token
            error = KINDS.get(row.failure, errors.Unreachable)("The token endpoint failed lately; it is left in peace.")
            error.wait_seconds = (row.retry_at - now).total_seconds()
            raise error
        return ""

    def _renew(self, rejected: str | None) -> str:
        """Ask for a successor and keep it; empty when the row changed under us and has to be read again."""
        row = self._read()
        is_replacement = _is_suspect(row, row.access_token.open(), rejected)
        try:
            token = self.fetch(row)
        except errors.ProviderError as error:
            return self._fail(row, error, is_replacement)
        received = timezone.now()
        changes = stored_columns(token, received) | self.extras(row, token, received)
        if is_replacement:
            changes |= {"replaced_at": received, "replacements": patience.recent_replacements(row, received) + 1}
        if not self._change(row, **changes):
            return ""
        if row.failures:
            log.info("%s: tokens are given out again", self.lease_name)
        return token.access_token

    def _fail(self, row: Any, error: errors.ProviderError, is_replacement: bool) -> str:
        """Plan the next try. A token that was refused and cannot be replaced is not used again meanwhile."""
        now = timezone.now()
        # Failures of another kind before it are no doubts.
        is_new_doubt = isinstance(error, errors.GrantDoubted) and row.failure != error.kind
        failures = (0 if is_new_doubt else row.failures) + 1
        error.wait_seconds = patience.pause_seconds(error, failures)
        changes = {
            "retry_at": now + timedelta(seconds=error.wait_seconds),
            "failing_since": (None if is_new_doubt else row.failing_since) or now,
            "failures": failures,
            "failure": error.kind,
        }
        if is_replacement or isinstance(error, errors.NotAuthorized):
            changes["usable_until"] = None
        if not self._change(row, **changes):
            return ""
        if not row.failures:
            log.warning("%s: no token, %s", self.lease_name, error.kind)
        self.on_failure(row, error)
        raise error

    def _change(self, row: Any, **changes: Any) -> bool:
        """Commit the changes unless the row moved on since it was read: who writes late changes nothing."""
        # durable: a rollback around this would lose a token after the provider ended the one before.
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


def stored_columns(token: oauth.Token, received: datetime) -> dict[str, Any]:
    """The columns that keep a token answer received at the given time; any failure is over.

    A token that ends at once, or is said to, is tried for a minute; refused sooner, it is not replaced before that.
    """
    left = (token.expires_at - received).total_seconds()
    is_short = left < SHORTEST_LIFE_SECONDS
    # A token that lives for a minute would be over before the margin begins.
    used_for = SHORT_LIVED_SECONDS if is_short else max(left - MARGIN_SECONDS, left / 2)
    return {
        "access_token": sealed(token.access_token),
        "usable_until": received + timedelta(seconds=used_for),
        "retry_at": received + timedelta(seconds=SHORT_LIVED_SECONDS) if is_short else None,
        "failing_since": received if is_short else None,
        "failures": 0,
        "failure": errors.ShortLivedToken.kind if is_short else "",
    }


def _is_suspect(row: StoredToken, token: str, rejected: str | None) -> bool:
    """Whether the API refused this token, or refuses every call lately."""
    return bool(token) and (token == rejected or row.rejected_since is not None)
