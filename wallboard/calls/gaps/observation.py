"""Gaps that show in the state of the subscriptions: one that ended or vanished, a provider that does not answer.

Silence is found by subscriptions/missed_events_watch.py, refusals by webhooks/intake_watch.py.
"""

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone

from accounts.models import Domain
from wallboard.calls.gaps import recording
from wallboard.calls.gaps.recording import Reason
from wallboard.calls.models import EventGap, Subscription
from wallboard.calls.subscriptions import health
from wallboard.queues.models import PollState
from wallboard.telephony.errors import Unreachable

State = Subscription.State
Cause = tuple[str, datetime]  # why, and since when


def observe(domain: Domain) -> None:
    """Begin a gap where events cannot come, and end the one that is open once they can again."""
    now = timezone.now()
    rows = list(Subscription.objects.filter(domain=domain, kind=Subscription.Kind.CALLS).exclude(state=State.RETIRED))
    poll = PollState.objects.filter(domain=domain).only("failing_since", "failure").first()
    if cause := _cause(poll, rows, now):
        reason, since = cause
        recording.begin(domain.pk, since, reason)
    elif any(row.state == State.READY and row.silent_at is None for row in rows):
        _end(domain.pk, [row.heard_at for row in rows if row.heard_at], now)


def sees_cause(domain: Domain, of_calls: Iterable[Subscription]) -> bool:
    """Whether observe() would begin a gap, of a company that was read together with its poll state."""
    rows = [row for row in of_calls if row.state != State.RETIRED]
    state: PollState | None = getattr(domain, "poll_state", None)
    return _cause(state, rows, timezone.now()) is not None


def vanished(row: Subscription) -> None:
    """A subscription that the provider does not know any more told nothing since it was last known to stand."""
    stood = [at for at in (row.ready_at, row.heard_at, row.checked_at, row.renewed_at) if at]
    if row.kind == Subscription.Kind.CALLS and row.ready_at:
        recording.begin(row.domain_id, max(stood), Reason.SUBSCRIPTION)


def _end(domain_id: int, heard: list[datetime], now: datetime) -> None:
    gap = EventGap.objects.filter(domain_id=domain_id, until=None).first()
    if gap is not None:
        # The first sign of life since, which is a little older than this look.
        recording.end(domain_id, min((at for at in heard if at > gap.since), default=now))


def _cause(poll: PollState | None, rows: list[Subscription], now: datetime) -> Cause | None:
    """Why no event can come now; None where one can, and before the first subscription ever worked."""
    known = [row for row in rows if row.ready_at is not None]
    if not known:
        return None
    heard_at = max((row.heard_at for row in known if row.heard_at), default=None)
    is_away = poll is not None and poll.failure == Unreachable.kind
    # Who cannot be reached does not reach us either, unless it just did.
    if poll and is_away and poll.failing_since and not _is_proven(heard_at, poll.failing_since, now):
        return Reason.PROVIDER, max(filter(None, (poll.failing_since, heard_at)))
    causes = [_cause_of(row, now) for row in known]
    # While an address is replaced two subscriptions stand; one that works is enough.
    return None if None in causes else causes[0]


def _cause_of(row: Subscription, now: datetime) -> Cause | None:
    is_lapsed = health.is_lapsed(row, now)
    if row.expires_at and is_lapsed and not _is_proven(row.heard_at, row.expires_at, now):
        return Reason.SUBSCRIPTION, max(filter(None, (row.expires_at, row.heard_at)))
    if row.failing_since and health.has_failed(row) and not _is_proven(row.heard_at, row.failing_since, now):
        return Reason.PROVIDER, max(filter(None, (row.failing_since, row.heard_at)))
    return None


def _is_proven(heard_at: datetime | None, since: datetime, now: datetime) -> bool:
    """Whether a delivery came since then, and a moment ago."""
    return heard_at is not None and heard_at > since and now - heard_at < health.PROVEN_FOR
