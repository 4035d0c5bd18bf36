"""Keeps the provider posting to us: one subscription for calls and one for detail records per domain.

Each has a secret path of its own, because the records are beta and must not endanger the calls. Renewing is sending
the same bytes again; a new path is a new subscription, and the old one stays until the new one works.
"""

import logging
import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from accounts import audit, leases
from accounts.companies import addresses
from accounts.encryption import WrongKey, sealed
from accounts.leases import HeldLease
from accounts.models import Domain
from accounts.tokens import clients
from accounts.tokens.clients import StoredTokenClient
from wallboard.calls import publisher
from wallboard.calls.gaps import observation
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import expiry, health, pauses, post_addresses
from wallboard.calls.webhooks import hook_secrets
from wallboard.queues.models import PollState
from wallboard.telephony.client import Client
from wallboard.telephony.errors import NotFound, ProviderError
from wallboard.telephony.resources import LONGEST_SUBSCRIPTION_SECONDS, SubscriptionAnswer, subscription_request

log = logging.getLogger(__name__)
State, Kind = Subscription.State, Subscription.Kind
LEASE_SECONDS = 40  # from each exchange on; above what one can take, tokens included. A killed worker leaves it behind
FRESH_SECONDS = 2  # for so long it counts as taken for the next exchange as well
READY_WITHIN = timedelta(seconds=60)
CHECKED_FOR = expiry.checked_for(settings.CHECK_SECONDS)
IN_FORCE = ~Q(state=State.RETIRED)


def check(domain: Domain) -> float | None:
    """Repair what differs from what should be; asks the provider only where something is due.

    Gives the seconds until what failed now is to be tried again, None where nothing did.
    """
    again_seconds = None
    if not (is_healed := _is_polled_well(domain.pk)):
        # The provider may lose its memory meanwhile: all is checked as soon as polls succeed.
        check_now(domain)
    # Without credentials nobody has connected it yet.
    is_needed = bool(domain.client_id) and is_due(domain, is_healed=is_healed)
    if is_needed and (lease := leases.acquire(f"subscriptions:{domain.pk}", LEASE_SECONDS)):
        with lease:
            again_seconds = _repair(domain, lease, is_healed)
    publisher.publish_health(domain.pk)
    return again_seconds


def needs_check(domain: Domain) -> bool:
    """Whether check() would do anything, of a company that was read together with its subscriptions and poll state."""
    state: PollState | None = getattr(domain, "poll_state", None)
    is_out = state is not None and state.failing_since is not None
    to_note = is_out and any(row.state != State.RETIRED and not row.must_check for row in domain.subscriptions.all())
    return to_note or (bool(domain.client_id) and is_due(domain, is_healed=not is_out))


def check_now(domain: Domain) -> None:
    """Have everything looked at by the next check, whatever was planned."""
    domain.subscriptions.filter(IN_FORCE).update(must_check=True)


def rotate(domain: Domain, kind: str) -> Subscription | None:
    """Begin a subscription with a new secret path; the old one is retired once the new one works.

    None where a replacement is under way already: a second one would only leave the first behind.
    """
    if domain.subscriptions.filter(IN_FORCE, kind=kind).count() > 1:
        return None
    # The kind, not the path: the log must not hold what it says was replaced.
    audit.log(domain.pk, "secret address replaced", kind)
    return _begin(domain, kind)


def is_due(domain: Domain, *, is_healed: bool) -> bool:
    """Whether anything needs the provider now; costs one query, and none where the subscriptions were read before."""
    rows = list(domain.subscriptions.all())
    current = [row for row in rows if row.state != State.RETIRED]
    if not domain.is_active:
        return bool(current) or any(_is_to_delete(row) for row in rows)
    are_at_home = all(post_addresses.is_at_home(row, domain) for row in current)
    if not are_at_home or {row.kind for row in current} != set(Kind.values):
        return True
    return len(current) > len(Kind) or any(_step(row, is_healed) or _is_to_delete(row) for row in rows)


def _is_polled_well(domain_id: int) -> bool:
    return not PollState.objects.filter(domain_id=domain_id, failing_since__isnull=False).exists()


def _repair(domain: Domain, lease: HeldLease, is_healed: bool) -> float | None:
    client, rows, begun = clients.company_client(domain), list[Subscription](), timezone.now()
    for kind in Kind.values if domain.is_active else ():
        rows += _maintain_kind(domain, kind, client, lease, is_healed)
    if not domain.is_active:
        _retire(domain.subscriptions.filter(IN_FORCE))
    _delete_retired(domain, client, lease)
    # A pause that was over before is of a failure that needs no try now; one that ended meanwhile is due at once.
    ahead = [row.not_before for row in rows if row.not_before and row.not_before > begun]
    return max(0.1, (min(ahead) - timezone.now()).total_seconds()) if ahead else None


def _maintain_kind(
    domain: Domain, kind: str, client: StoredTokenClient, lease: HeldLease, is_healed: bool
) -> list[Subscription]:
    """Keep each of a kind alive, and retire all but the newest once that one works; gives those that were in force."""
    rows = list(domain.subscriptions.filter(IN_FORCE, kind=kind).order_by("-pk"))
    if not rows or not post_addresses.is_at_home(rows[0], domain):
        rows.insert(0, _begin(domain, kind))
    for row in rows:
        if step := _step(row, is_healed):
            _attempt(row, client, step, lease)
    if len(rows) > 1:
        newest = rows[0]
        newest.refresh_from_db()
        if newest.provider_id and (newest.state == State.READY or newest.heard_at):
            _retire(domain.subscriptions.filter(IN_FORCE, kind=kind).exclude(pk=newest.pk))
    return rows


def _step(row: Subscription, is_healed: bool) -> "Callable[[Subscription, Client], None] | None":
    """What a subscription needs from the provider now, None for nothing.

    A check that lies ahead was made before a clock was set back, and counts for nothing.
    """
    now = timezone.now()
    is_urgent = row.must_check and is_healed
    if row.state == State.RETIRED or (pauses.is_pausing(row, now) and not is_urgent):
        return None
    if not row.provider_id or row.state in (State.NEW, State.LOST) or expiry.is_renewal_due(row, now):
        return _create
    is_checked = row.checked_at and timedelta() <= now - row.checked_at < CHECKED_FOR
    return None if is_checked and not is_urgent else _read


def _attempt(
    row: Subscription, client: StoredTokenClient, step: Callable[[Subscription, Client], None], lease: HeldLease
) -> None:
    """One exchange with the provider; a failure is noted and another try planned. Nothing without the lease."""
    if not lease.renew(LEASE_SECONDS, within=FRESH_SECONDS):
        return
    # Only a first refusal may cost a new token, so that a lasting one costs few requests.
    client.replaces_tokens = row.failures == 0
    try:
        step(row, client)
    except NotFound:
        observation.vanished(row)
        _set(row, state=State.LOST, provider_id="", checked_at=timezone.now())
        log.warning("%s of domain %d: vanished at the provider.", row.kind, row.domain_id)
        if step is not _create:
            _attempt(row, client, _create, lease)
        else:
            _record_failure(row, NotFound("a new subscription cannot be created"))
    except (ProviderError, WrongKey) as error:
        _record_failure(row, error)


def _create(row: Subscription, client: Client) -> None:
    """Create or renew. Set-up messages may come before the answer, so only a state that is still new is touched."""
    if row.state == State.LOST:
        _set(row, state=State.NEW, ready_at=None)
    answer = client.create_subscription(row.request_body.open().encode(), row.provider_id)
    _set(row, renewed_at=timezone.now(), provider_id=answer.id)
    _record_success(row, client, answer, is_renewal=True)
    Subscription.objects.filter(pk=row.pk, state=State.NEW).update(state=State.CREATED)


def _read(row: Subscription, client: Client) -> None:
    """Read back by id. An answer about another address than ours means that ours is gone."""
    answer = client.read_subscription(row.provider_id)
    if answer.post_uri and row.secret.open() not in answer.post_uri:
        raise NotFound("the subscription read back is not ours")
    _record_success(row, client, answer, is_renewal=False)


def _record_success(row: Subscription, client: Client, answer: SubscriptionAnswer, *, is_renewal: bool) -> None:
    now = timezone.now()
    expires_at, doubted = expiry.of(row, answer.expires_at, client.provider_time, now, is_renewal=is_renewal)
    if doubted and not row.doubted_expiry:
        log.warning("%s of domain %d: ends before it began, says the provider.", row.kind, row.domain_id)
    if row.failing_since and row.failure != health.NOT_READY:
        log.warning("%s of domain %d: works again.", row.kind, row.domain_id)
    is_overdue = _is_overdue(row, now)
    _set(
        row,
        checked_at=now,
        expires_at=expires_at,
        doubted_expiry=doubted,
        must_check=False,
        not_before=None,
        failures=0,
        failure=health.NOT_READY if is_overdue else "",
        failing_since=(row.failing_since or now) if is_overdue else None,
    )


def _is_overdue(row: Subscription, now: datetime) -> bool:
    """Whether the provider should have said by now that the subscription works. Once it has, it is never unsaid."""
    if row.state == State.READY:
        return False
    waits = Subscription.objects.filter(pk=row.pk, state__in=(State.CREATED, State.PREPARING)).exists()
    return waits and row.renewed_at is not None and now - row.renewed_at > READY_WITHIN


def _record_failure(row: Subscription, error: ProviderError | WrongKey) -> None:
    is_outage, kind = not _is_polled_well(row.domain_id), getattr(error, "kind", "wrong_key")
    if not row.failing_since or row.failure == health.NOT_READY:
        log.warning("%s of domain %d: %s; trying again.", row.kind, row.domain_id, kind)
    now = timezone.now()
    pause = pauses.seconds(row, error, now, is_outage=is_outage)
    _set(
        row,
        failing_since=row.failing_since or now,
        failure=kind,
        failures=row.failures + 1,
        not_before=now + timedelta(seconds=pause),
        must_check=is_outage,
    )


def _set(row: Subscription, **changes: object) -> None:
    """Write these columns only: deliveries write others of the same row meanwhile."""
    Subscription.objects.filter(pk=row.pk).update(**changes)
    for name, value in changes.items():
        setattr(row, name, value)


def _begin(domain: Domain, kind: str) -> Subscription:
    secret = secrets.token_urlsafe(32)
    body = subscription_request(
        f"{addresses.of(domain)}/hooks/{secret}/",
        LONGEST_SUBSCRIPTION_SECONDS,
        calls=kind == Kind.CALLS,
        cdrs=kind == Kind.RECORDS,
    )
    begun = Subscription.objects.create(
        domain=domain,
        kind=kind,
        secret=sealed(secret),
        secret_hash=hook_secrets.hash_of(secret),
        request_body=sealed(body.decode()),
    )
    # All of them are read for that, so only when there is another one.
    hook_secrets.save_copy(hook_secrets.from_database())
    return begun


def _retire(rows: Iterable[Subscription]) -> None:
    for row in rows:
        _set(row, state=State.RETIRED, retired_at=timezone.now(), not_before=None)


def _is_to_delete(row: Subscription) -> bool:
    return row.state == State.RETIRED and bool(row.provider_id) and not pauses.is_pausing(row, timezone.now())


def _delete_retired(domain: Domain, client: Client, lease: HeldLease) -> None:
    """Delete at the provider what we no longer want, unless the provider kept the id for one that we do want."""
    retired = list(domain.subscriptions.filter(state=State.RETIRED).exclude(provider_id=""))
    wanted = set(domain.subscriptions.filter(IN_FORCE).values_list("provider_id", flat=True)) if retired else set()
    for row in retired:
        if not _is_to_delete(row) or not lease.renew(LEASE_SECONDS):
            continue
        try:
            if row.provider_id not in wanted:
                client.delete_subscription(row.provider_id)
        except NotFound:
            pass
        except ProviderError as error:
            _record_failure(row, error)
            continue
        _set(row, provider_id="", failure="", failing_since=None)
