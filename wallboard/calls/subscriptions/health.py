"""Whether call events can be trusted now: what deliveries prove, and one word for a whole domain."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from accounts.statements import bulk_rows
from wallboard.calls.gaps import recording
from wallboard.calls.models import Subscription
from wallboard.live.feeds import milliseconds
from wallboard.queues.models import PollState
from wallboard.telephony.errors import RateLimited, Unreachable

State = Subscription.State
WRITE_EVERY = timedelta(seconds=5)  # how exact `heard_at` is: a row that every delivery touched would be a bottleneck
PROOFS = {"ready", ""}  # "" stands for any other message than those of the set-up
PROVEN_FOR = timedelta(minutes=5)  # so long after a delivery nothing that the provider says of it speaks against it
AFTER = timedelta(milliseconds=1)  # versions are moments: what ends a silence is newer than its beginning
OF_POLLS = ("domain_id", "failing_since", "failure")
NOT_READY = "not_ready"  # the subscription stands, but the provider never said that it works
# Three looks that did not happen: the worker is gone, and nobody would notice a subscription that ends.
UNCHECKED_LIMIT = timedelta(seconds=max(180, 3 * settings.CHECK_SECONDS))


@dataclass(frozen=True)
class Health:
    """live, starting or down; since when, and when a delivery was last heard. `version` grows with every change."""

    state: str
    since: datetime | None
    heard_at: datetime | None
    version: int


def record_heard(heard: Iterable[tuple[int, datetime, str]]) -> bool:
    """Note signs of life: (subscription, received at, set-up state or ""). True when a subscription moved on.

    What it delivers proves a subscription: its set-up messages may have been lost, and some providers send none.
    """
    newest: dict[int, datetime] = {}
    earliest: dict[int, datetime] = {}
    states: dict[int, set[str]] = defaultdict(set)
    for subscription_id, received_at, state in heard:
        newest[subscription_id] = max(received_at, newest.get(subscription_id, received_at))
        earliest[subscription_id] = min(received_at, earliest.get(subscription_id, received_at))
        states[subscription_id].add(state)
    moved = False
    rows = bulk_rows.select(Subscription, {"id__in": newest})
    for subscription in sorted(rows, key=lambda row: row.pk):
        if subscription.silent_at is not None:
            recording.end(subscription.domain_id, earliest[subscription.pk])
        moved |= _move(subscription, states[subscription.pk], newest[subscription.pk])
    return moved


def _move(subscription: Subscription, states: set[str], heard_at: datetime) -> bool:
    """Preparing, then ready, in whatever order the messages came in; both may come before the create's answer."""
    before = subscription.state, subscription.heard_at is None
    is_stale = subscription.heard_at is None or heard_at - subscription.heard_at >= WRITE_EVERY
    if states & PROOFS and subscription.state in (State.NEW, State.CREATED, State.PREPARING):
        subscription.state, subscription.ready_at = State.READY, heard_at
        # Other failures are of our own requests, which a delivery does not disprove.
        if subscription.failure == NOT_READY:
            subscription.failure, subscription.failing_since = "", None
    elif "preparing" in states and subscription.state in (State.NEW, State.CREATED):
        subscription.state = State.PREPARING
    # The first delivery and the end of a silence turn boards to live, so they are published at once.
    has_moved = before != (subscription.state, False) or subscription.silent_at is not None
    if has_moved or is_stale:
        # What arrived late must not set the last sign of life back.
        moments = [heard_at, subscription.heard_at, subscription.silent_at and subscription.silent_at + AFTER]
        subscription.heard_at = max(moment for moment in moments if moment)
        subscription.silent_at = None
        # Only these: the worker that looks after subscriptions writes other columns of the row meanwhile.
        subscription.save(update_fields=["state", "ready_at", "failure", "failing_since", "heard_at", "silent_at"])
    return has_moved


def of(domain_id: int) -> Health:
    """The health of a domain's call events: that of the best subscription for calls, and of the provider itself."""
    return of_all([domain_id])[domain_id]


def of_all(domain_ids: Collection[int]) -> dict[int, Health]:
    """The same of many, by id; in two queries."""
    rows, polls = of_calls(domain_ids), PollState.objects.filter(domain__in=domain_ids).only(*OF_POLLS)
    by_domain = {poll.domain_id: poll for poll in polls}
    return {pk: judged(rows[pk], by_domain.get(pk)) for pk in domain_ids}


def of_calls(domain_ids: Collection[int]) -> dict[int, list[Subscription]]:
    """What of_all() judges: the subscriptions for calls that are not retired, by company."""
    rows = Subscription.objects.filter(domain__in=domain_ids, kind=Subscription.Kind.CALLS)
    found: dict[int, list[Subscription]] = defaultdict(list)
    for row in rows.exclude(state=State.RETIRED).defer("secret", "request_body").order_by("pk"):
        found[row.domain_id].append(row)
    return found


def judged(subscriptions: Iterable[Subscription], poll: PollState | None) -> Health:
    """The same of what was read already: all subscriptions for calls, and how polling goes."""
    rows = [row for row in subscriptions if row.state != State.RETIRED]
    # While an address is replaced two subscriptions stand; one that works is enough.
    best = max(rows, key=lambda row: (_state_of(row) == "live", _state_of(row) == "starting", row.pk), default=None)
    state = _state_of(best) if best else "starting"
    since = _since(best, state) if best else None
    now = timezone.now()
    # A provider that cannot be reached does not reach us either, as far as anybody can tell, unless it just did.
    away_since = poll.failing_since if poll and poll.failure == Unreachable.kind else None
    if away_since and not any(_has_delivered(row, [away_since], now) for row in rows):
        state, since = "down", away_since
    moments = [moment for row in rows for moment in (*_moments(row), *_ends(row, now))]
    moments += [poll.failing_since] if poll else []
    # The version has to grow with each change, on every machine: the newest moment of any row does.
    newest = max((moment for moment in moments if moment), default=None)
    heard_at = max((row.heard_at for row in rows if row.heard_at), default=None)
    return Health(state, since, heard_at, milliseconds(newest) if newest else 0)


def _state_of(row: Subscription) -> str:
    now = timezone.now()
    if row.silent_at is not None:
        return "down"
    is_unchecked = row.checked_at is not None and now - row.checked_at > UNCHECKED_LIMIT
    if row.state == State.LOST or is_unchecked:
        return "down"
    if (is_lapsed(row, now) or has_failed(row)) and not _is_proven(row, now):
        return "down"
    if row.state == State.READY:
        return "live"
    return "down" if row.failing_since else "starting"


def has_failed(row: Subscription) -> bool:
    """Whether what went wrong may keep events away.

    To be asked for patience does not: what was known stays, until the last look that succeeded is too long ago.
    """
    return row.failing_since is not None and row.failure not in (NOT_READY, RateLimited.kind)


def is_lapsed(row: Subscription, now: datetime) -> bool:
    """Whether the subscription has ended, as far as the provider's word goes."""
    return row.expires_at is not None and row.expires_at <= now


def _is_proven(row: Subscription, now: datetime) -> bool:
    """Whether it has delivered since it is said to have ended or since it fails, and a moment ago."""
    begins = [moment for moment in (row.expires_at if is_lapsed(row, now) else None, row.failing_since) if moment]
    return _has_delivered(row, begins, now)


def _has_delivered(row: Subscription, since: list[datetime], now: datetime) -> bool:
    """Whether it has delivered since all of these moments, and a moment ago."""
    heard_at = row.heard_at
    return heard_at is not None and now - heard_at < PROVEN_FOR and all(heard_at > moment for moment in since)


def _since(row: Subscription, state: str) -> datetime | None:
    if state == "live":
        return row.ready_at
    if row.silent_at is not None:
        return row.heard_at or row.ready_at
    return row.failing_since or (row.expires_at if state == "down" else None) or row.created_at


def _moments(row: Subscription) -> tuple[datetime | None, ...]:
    return row.created_at, row.checked_at, row.ready_at, row.heard_at, row.failing_since, row.retired_at, row.silent_at


def _ends(row: Subscription, now: datetime) -> list[datetime]:
    """When something that was known of it ran out: the state may change then, though nobody writes to the row."""
    ends = [row.expires_at]
    ends.append(row.checked_at and row.checked_at + UNCHECKED_LIMIT)
    ends.append(row.heard_at and row.heard_at + PROVEN_FOR)
    return [end for end in ends if end and end <= now]
