"""Deliveries become rows: kept and applied in one transaction, for all that arrived together.

One writer at a time per domain: several web processes give the same state as one. What fails for one delivery is kept
with its problem and harms no other.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, transaction
from django.utils import timezone

from accounts.models import Domain
from accounts.statements import bulk_rows, planned
from wallboard.calls import detail_records, leg_store, legs
from wallboard.calls.leg_store import Changes, Pair
from wallboard.calls.models import Delivery
from wallboard.calls.subscriptions import health
from wallboard.calls.webhooks import outsiders, reading_ahead, retelling
from wallboard.telephony import messages
from wallboard.telephony.errors import BadMessage
from wallboard.telephony.messages import CallEvent, CallRecord, Initialization

log = logging.getLogger(__name__)

Message = Initialization | CallEvent | tuple[CallRecord, ...]
ChangesByDomain = dict[int, Changes]  # by domain
AWAY = (OperationalError, InterfaceError)  # the database is not there, or not now; everything else is a fault of data
WORTH_RETRYING = {"40001", "40P01"}  # PostgreSQL: serialization failure, deadlock
RETRIES = 4
LONGEST_PROBLEM = 200  # characters, as wide as the column


@dataclass(frozen=True, slots=True)
class Arrival:
    """A delivery that is not kept yet. `message` is None for nonsense."""

    identity: UUID
    subscription_id: int
    domain_id: int
    received_at: datetime
    body: str
    message: Message | None


def parse(body: bytes | str) -> Message | None:
    """The message in a body; None where it is nonsense."""
    try:
        return messages.read(body.encode() if isinstance(body, str) else body)
    except BadMessage:
        return None


def commit(arrivals: list[Arrival], foresee: Callable[[ChangesByDomain], None] | None = None) -> ChangesByDomain:
    """Keep and apply; gives what changed. Raises one of AWAY when the database takes nothing.

    `foresee` is called before the database is asked to keep it, with what will have changed if it does.
    """
    for attempt in range(1, RETRIES + 1):
        try:
            return _together(arrivals, foresee)
        except AWAY as error:
            # A deadlock ends by itself; any other word of AWAY means that nothing will be taken now.
            if attempt == RETRIES or getattr(error.__cause__, "sqlstate", None) not in WORTH_RETRYING:
                raise
            # Longer each time, so that two writers who met do not meet again.
            time.sleep(0.01 * 2**attempt)
        except (DatabaseError, ValueError, TypeError, LookupError) as error:
            if isinstance(error, IntegrityError) and len(fresh := _not_stored(arrivals)) < len(arrivals):
                return _commit_rest(arrivals, fresh)
            log.warning("Deliveries could not be kept together (%s); keeping them one by one.", type(error).__name__)
            # One of them is poisonous, and only one by one it shows which.
            break
    return _one_by_one(arrivals)


def _commit_rest(arrivals: list[Arrival], fresh: list[Arrival]) -> ChangesByDomain:
    """Commit what is not stored yet; of the others it is not known whether anybody was told what they changed.

    A spool that is replayed, or a commit whose answer was lost, brings what is stored already.
    """
    before = Delivery.objects.filter(identity__in=[each.identity for each in arrivals], applied_at__isnull=False)
    applied = set(before.values_list("identity", flat=True))
    changes = commit(fresh) if fresh else {}
    by_domain = _by_domain(each for each in arrivals if each.identity in applied)
    for domain in Domain.objects.filter(pk__in=by_domain):
        facts, _ = _stated(by_domain[domain.pk], domain)
        merge_changes(changes, {domain.pk: retelling.as_they_stand(domain, facts)})
    return changes


def reapply(deliveries: Iterable[Delivery]) -> ChangesByDomain:
    """Apply what is kept and was never applied. The deliveries come with their subscriptions."""
    collected: ChangesByDomain = {}
    for row in deliveries:
        domain_id, message = row.subscription.domain_id, parse(row.body)
        arrival = Arrival(row.identity, row.subscription_id, domain_id, row.received_at, row.body, message)
        _apply_alone(row.pk, arrival, collected)
    return collected


def _together(arrivals: list[Arrival], foresee: Callable[[ChangesByDomain], None] | None) -> ChangesByDomain:
    now = timezone.now()
    # Stored as applied at once, since both are one transaction; problems are the exception.
    rows = [_values(arrival, now) for arrival in arrivals]
    with transaction.atomic(), _stored(rows, arrivals):
        changes, problems = apply(arrivals)
        for identity, problem in problems.items():
            Delivery.objects.filter(identity=identity).update(applied_at=None, problem=problem)
        if foresee is not None:
            foresee(changes)
    return changes


def _stored(rows: list[dict[str, Any]], arrivals: list[Arrival]) -> AbstractContextManager[None]:
    """Store the deliveries; on PostgreSQL what applying them will read comes back with the same round trip."""
    if not planned.is_possible():
        bulk_rows.insert_values(Delivery, rows)
        return nullcontext()
    questions = reading_ahead.questions((each.domain_id, each.subscription_id, _told(each)) for each in arrivals)
    return planned.asked_ahead([bulk_rows.worded_insertion(Delivery, rows)], questions)


def _told(arrival: Arrival) -> Collection[CallEvent | CallRecord]:
    message = arrival.message
    return message if isinstance(message, tuple) else [message] if isinstance(message, CallEvent) else []


def _not_stored(arrivals: list[Arrival]) -> list[Arrival]:
    """Those that are not in the database yet: an unclear commit or a spool may bring some of them twice."""
    identities = [arrival.identity for arrival in arrivals]
    stored = set(Delivery.objects.filter(identity__in=identities).values_list("identity", flat=True))
    return [arrival for arrival in arrivals if arrival.identity not in stored]


def _one_by_one(arrivals: list[Arrival]) -> ChangesByDomain:
    """Each in a transaction of its own: a repeated one is passed over, a poisonous one is kept with its problem."""
    collected: ChangesByDomain = {}
    for arrival in arrivals:
        # Stored by itself first: whatever applying it brings about, it stays.
        row = Delivery(**_values(arrival, None))
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError:
            if not Delivery.objects.filter(identity=arrival.identity).exists():
                # Its company was deleted while the delivery waited.
                about = {"delivery": arrival.identity}
                log.error("A delivery for a subscription that is gone was dropped.", extra=about)
            continue
        _apply_alone(row.pk, arrival, collected)
    return collected


def _apply_alone(delivery_id: int, arrival: Arrival, collected: ChangesByDomain) -> None:
    delivery = Delivery.objects.filter(pk=delivery_id)
    try:
        with transaction.atomic():
            changes, problems = apply([arrival])
            problem = problems.get(arrival.identity, "")
            delivery.update(applied_at=None if problem else timezone.now(), problem=problem or remarks(arrival.message))
    # No fault of this delivery: it is left for the sweeper.
    except AWAY:
        raise
    except Exception as error:  # whatever a body can bring about: it stays kept, and the next one goes on
        about = {"delivery": arrival.identity}
        log.error("A delivery cannot be applied (%s); it is kept.", type(error).__name__, extra=about)
        delivery.update(problem=type(error).__name__)
    else:
        merge_changes(collected, changes)


def _values(arrival: Arrival, applied_at: datetime | None) -> dict[str, Any]:
    return {
        "identity": arrival.identity,
        "subscription_id": arrival.subscription_id,
        "received_at": arrival.received_at,
        "body": arrival.body,
        "applied_at": applied_at,
        "problem": remarks(arrival.message) if applied_at else "",
    }


def remarks(message: Message | None) -> str:
    """What of a message could not be read as it came, though the rest of it is applied; "" for nothing."""
    parts = message if isinstance(message, tuple) else (message,)
    found = [problem for part in parts if part is not None for problem in part.problems]
    if skipped := getattr(message, "skipped", 0):
        found.append(f"{skipped} records could not be read")
    return "; ".join(found)[:LONGEST_PROBLEM]


def merge_changes(collected: ChangesByDomain, more: ChangesByDomain) -> None:
    """Add what else changed."""
    for domain_id, changes in more.items():
        collected.setdefault(domain_id, Changes()).add(changes)


def apply(arrivals: list[Arrival]) -> tuple[ChangesByDomain, dict[UUID, str]]:
    """Apply to legs, people, records and subscriptions, inside the caller's transaction.

    Gives what changed, and by identity the problem of each delivery that is kept but not applied.
    """
    by_domain = _by_domain(arrivals)
    problems: dict[UUID, str] = {}
    changes = {
        domain.pk: _apply_to(domain, by_domain[domain.pk], problems) for domain in leg_store.lock_domains(by_domain)
    }
    return changes, problems


def _by_domain(arrivals: Iterable[Arrival]) -> dict[int, list[Arrival]]:
    by_domain: dict[int, list[Arrival]] = defaultdict(list)
    for arrival in arrivals:
        by_domain[arrival.domain_id].append(arrival)
    return by_domain


def _apply_to(domain: Domain, arrivals: list[Arrival], problems: dict[UUID, str]) -> Changes:
    problems |= {arrival.identity: problem for arrival in arrivals if (problem := problem_of(domain, arrival.message))}
    # Only these prove the subscription, too: anybody's nonsense must not turn boards to live.
    good = [arrival for arrival in arrivals if arrival.identity not in problems]
    facts, details = _stated(good, domain)
    changes = leg_store.merge_facts(domain, facts) if facts else Changes()
    if changes.queues is not None:
        reading_ahead.queue_numbers[domain.pk] = changes.queues.keys()
    if details:
        detail_records.store(domain, details)
    changes.is_health = health.record_heard(
        (arrival.subscription_id, arrival.received_at, _set_up_state(arrival.message)) for arrival in good
    )
    return changes


def problem_of(domain: Domain, message: Message | None) -> str:
    """Why a message must not be applied; "" where it may.

    Endpoints that name domains of which none is ours (where ours is known) are somebody else's calls.
    """
    if message is None:
        return "nonsense"
    if isinstance(message, Initialization) or not domain.provider_domain:
        return ""
    events = message if isinstance(message, tuple) else (message,)
    named = {end.domain.casefold() for event in events for end in (event.from_, event.to) if end.domain}
    # Stored with its problem all the same: the domain in the settings may be the wrong one.
    return "other domain" if named and domain.provider_domain.casefold() not in named else ""


def _set_up_state(message: Message | None) -> str:
    return message.state if isinstance(message, Initialization) else ""


def _stated(
    arrivals: list[Arrival], domain: Domain
) -> tuple[dict[Pair, legs.Facts], list[tuple[CallRecord, datetime]]]:
    """The facts per pair of call ids, and the detail records with their times of receipt."""
    facts: dict[Pair, legs.Facts] = {}
    details: list[tuple[CallRecord, datetime]] = []
    is_person = outsiders.people_of(domain)
    for arrival in arrivals:
        message, at = arrival.message, arrival.received_at
        if isinstance(message, CallEvent):
            event = outsiders.seen_from(domain, message, is_person)
            _state(facts, event, legs.facts_of_event(event, at))
        elif isinstance(message, tuple):
            for record in (outsiders.seen_from(domain, each, is_person) for each in message):
                _state(facts, record, legs.facts_of_record(record, at))
                details.append((record, at))
    return facts, details


def _state(facts: dict[Pair, legs.Facts], about: CallEvent | CallRecord, fresh: legs.Facts) -> None:
    pair = about.from_.call_id, about.to.call_id
    facts[pair] = legs.merge(facts[pair], fresh) if pair in facts else fresh
