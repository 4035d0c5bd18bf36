"""What a transaction of deliveries will read, worded from the deliveries alone, so that all of it is asked at once.

A guess may be wrong: what was not asked ahead, or in other words, is asked when it is needed. So nothing depends on it
but time: each question by itself is a way to the database and back.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from accounts.models import Domain, Person
from accounts.statements import bulk_rows
from accounts.statements.pipeline import Question
from wallboard.calls import leg_store
from wallboard.calls.leg_store import Pair
from wallboard.calls.models import Leg, Presence, Subscription
from wallboard.calls.presence import states
from wallboard.queues.models import Queue
from wallboard.telephony.messages import CallEvent, CallRecord

Told = tuple[int, int, Collection[CallEvent | CallRecord]]  # domain, subscription, what is told of legs

queue_numbers: dict[int, Collection[str]] = {}  # by domain, as last seen: who dials a queue asks for no person


def questions(deliveries: Iterable[Told]) -> list[Question]:
    """The lock of the companies, then what is read under it: not before, or it could be older than the lock."""
    subscriptions: dict[int, set[int]] = defaultdict(set)
    events: dict[int, list[CallEvent | CallRecord]] = defaultdict(list)
    for domain_id, subscription_id, told in deliveries:
        subscriptions[domain_id].add(subscription_id)
        events[domain_id] += told
    found = [bulk_rows.worded_lock(Domain, subscriptions)]
    for domain_id, ids in subscriptions.items():
        found.append(bulk_rows.worded(Subscription, ({"id__in": ids},)))
        if events[domain_id]:
            found += _of_calls(domain_id, events[domain_id])
    return found


def _of_calls(domain_id: int, events: list[CallEvent | CallRecord]) -> Iterable[Question]:
    pairs: set[Pair] = {(event.from_.call_id, event.to.call_id) for event in events}
    yield bulk_rows.worded(Queue, ({"domain_id": domain_id},), leg_store.QUEUE_NAMES)
    yield bulk_rows.worded(Leg, leg_store.legs_of(domain_id, pairs))
    yield bulk_rows.worded_ids(Leg, len(pairs))
    callers = {event.from_.user for event in events}
    called = {event.to.user for event in events if event.to.is_human is not False}
    if people := {*callers, *called} - {"", *queue_numbers.get(domain_id, ())}:
        yield bulk_rows.worded_beside(Person, Presence, "person_id", states.of_people(domain_id, people))
        yield bulk_rows.worded(Leg, states.live_of(domain_id, people))
