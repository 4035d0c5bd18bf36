"""Whether call events can be trusted now: what deliveries prove, and one word for a whole domain."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from wallboard.calls.models import Subscription
from wallboard.live.feeds import milliseconds
from wallboard.queues.models import PollState

State = Subscription.State
WRITE_EVERY = timedelta(seconds=5)  # how exact `heard_at` is: a row that every delivery touched would be a bottleneck
NOT_READY = "not_ready"  # the subscription stands, but the provider never said that it works
UNCHECKED_LIMIT = timedelta(seconds=max(180, 3 * settings.CHECK_SECONDS))


@dataclass(frozen=True)
class Health:
    """live, starting or down; since when, and when a delivery was last heard. `version` grows with every change."""

    state: str
    since: datetime | None
    heard_at: datetime | None
    version: int


def hear(heard: Iterable[tuple[int, datetime, str]]) -> bool:
    """Note signs of life: (subscription, received at, set-up state or ""). True when a subscription moved on."""
    newest: dict[int, datetime] = {}
    states: dict[int, set[str]] = defaultdict(set)
    for subscription_id, received_at, state in heard:
        newest[subscription_id] = max(received_at, newest.get(subscription_id, received_at))
        states[subscription_id].add(state)
    moved = [
        _move(subscription, states[subscription.pk], newest[subscription.pk])
        for subscription in Subscription.objects.filter(pk__in=newest).order_by("pk")
    ]
    return any(moved)


def _move(subscription: Subscription, states: set[str], heard_at: datetime) -> bool:
    """Preparing, then ready, in whatever order the messages came in; both may come before the create's answer."""
    before = subscription.state, subscription.heard_at is None
    is_stale = subscription.heard_at is None or heard_at - subscription.heard_at >= WRITE_EVERY
    if "ready" in states and subscription.state in (State.NEW, State.CREATED, State.PREPARING):
        subscription.state, subscription.ready_at = State.READY, heard_at
        if subscription.failure == NOT_READY:
            subscription.failure, subscription.failing_since = "", None
    elif "preparing" in states and subscription.state in (State.NEW, State.CREATED):
        subscription.state = State.PREPARING
    has_moved = before != (subscription.state, False)
    if has_moved or is_stale:
        subscription.heard_at = max(heard_at, subscription.heard_at or heard_at)
        subscription.save(update_fields=["state", "ready_at", "failure", "failing_since", "heard_at"])
    return has_moved


def of(domain_id: int) -> Health:
    """The health of a domain's call events: that of the best subscription for calls, and of the provider itself."""
    rows = list(
        Subscription.objects.filter(domain_id=domain_id, kind=Subscription.Kind.CALLS).exclude(state=State.RETIRED)
    )
    poll = PollState.objects.filter(domain_id=domain_id).first()
    best = max(rows, key=lambda row: (_word(row) == "live", _word(row) == "starting", row.pk), default=None)
    state = _word(best) if best else "starting"
    since = _since(best, state) if best else None
    if poll and poll.failing_since and poll.failure == "unreachable":
        state, since = "down", poll.failing_since
    moments = [moment for row in rows for moment in _moments(row)]
    moments += [poll.failing_since] if poll else []
    newest = max((moment for moment in moments if moment), default=None)
    heard_at = max((row.heard_at for row in rows if row.heard_at), default=None)
    return Health(state, since, heard_at, milliseconds(newest) if newest else 0)


def _word(row: Subscription) -> str:
    now = timezone.now()
    is_lapsed = row.expires_at is not None and row.expires_at <= now
    is_unchecked = row.checked_at is not None and now - row.checked_at > UNCHECKED_LIMIT
    if row.state == State.LOST or is_lapsed or is_unchecked or (row.failing_since and row.failure != NOT_READY):
        return "down"
    if row.state == State.READY:
        return "live"
    return "down" if row.failing_since else "starting"


def _since(row: Subscription, state: str) -> datetime | None:
    if state == "live":
        return row.ready_at
    return row.failing_since or (row.expires_at if state == "down" else None) or row.created_at


def _moments(row: Subscription) -> tuple[datetime | None, ...]:
    return row.created_at, row.checked_at, row.ready_at, row.heard_at, row.failing_since, row.retired_at
