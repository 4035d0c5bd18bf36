"""Calls to a number that turned out to be a queue's: until the queue was read first, they passed for a person's.

Live legs are put right as time goes by (presence/aging.py). Here it is done with those that are over, and the person
goes of whom nothing is known but these calls.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from accounts import people as accounts_people
from accounts.models import Domain
from wallboard.calls import leg_store
from wallboard.calls.leg_store import Changes
from wallboard.calls.models import Leg, Presence
from wallboard.queues.models import Queue

NAMED_AFTER = timedelta(minutes=15)  # statistics may leave a queue out for so long after its first call
PIECE = 50  # legs in one transaction: deliveries wait for the lock


def mistaken(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those with queues that may have passed for people; in one query."""
    found = Queue.objects.filter(domain__in=domain_ids, mistaken_since__isnull=False)
    return set(found.values_list("domain_id", flat=True))


def put_right(domain: Domain) -> Iterator[Changes]:
    """Put the calls of new queues right, and the people whom they seemed to be; gives what changed, piece by piece.

    Whatever dies in between is gone on with next time. Calls from before stay: the number may have been a person's.
    """
    for queue in Queue.objects.filter(domain=domain, mistaken_since__isnull=False).order_by("pk"):
        assert queue.mistaken_since is not None
        since, names = queue.mistaken_since - NAMED_AFTER, set[str]()
        is_on_it = Q(to_user=queue.number) | Q(to_number=queue.number) | Q(from_user=queue.number)
        found = Leg.objects.filter(is_on_it, domain=domain, first_seen_at__gte=since).order_by("pk")
        ids = list(found.values_list("pk", flat=True))
        for start in range(0, len(ids), PIECE):
            yield _put_right(domain, queue.number, ids[start : start + PIECE], names)
        yield _remove_person(domain, queue, since, names)


def _put_right(domain: Domain, number: str, ids: list[int], names: set[str]) -> Changes:
    """`names` is given what the provider calls the queue."""
    with transaction.atomic():
        [domain] = leg_store.lock_domains([domain.pk])
        numbers = leg_store.queue_numbers_of(domain)
        rows = list(Leg.objects.filter(pk__in=ids).order_by("pk"))
        names |= {leg.from_name if leg.from_user == number else leg.to_name for leg in rows}
        changed = [leg for leg in rows if not leg.queue and leg_store.queue_of(leg, numbers)]
        for leg in changed:
            leg.queue = leg_store.queue_of(leg, numbers)  # and nothing else: strangers on it may be forgotten
        leg_store.save(domain, changed)
        leg_store.note_past(domain, changed)
    by_id = {leg.pk: leg for leg in changed}
    return Changes(by_id, dict(by_id))


def _remove_person(domain: Domain, queue: Queue, since: datetime, names: set[str]) -> Changes:
    with transaction.atomic():
        [domain] = leg_store.lock_domains([domain.pk])
        person = accounts_people.remove_unknown(domain, queue.number, since, names)
        Queue.objects.filter(pk=queue.pk).update(mistaken_since=None)
    presence: Presence | None = getattr(person, "presence", None)
    if presence is None:
        return Changes()
    # Told as what is no longer shown, newer than what boards have.
    presence.version, presence.is_shown, presence.leg = presence.version + 1, False, None
    return Changes(presences={queue.number: presence})
