"""The call legs of a domain as rows: facts go in, and what changed comes out."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TypeVar

from django.db import connection
from django.utils import timezone

from accounts.models import Domain
from wallboard.calls import bulk, legs, numbers, presence, strangers
from wallboard.calls.models import Leg, Presence
from wallboard.queues.models import Queue

Pair = tuple[str, str]
K = TypeVar("K", int, str)
R = TypeVar("R", Leg, Presence)
HEARD_EVERY = timedelta(seconds=5)  # a mere sign of life is written no more often: a flood of repeats costs nothing
SHOW_OUTCOME = timedelta(minutes=60)  # how long a desk still shows a call that has ended


@dataclass
class News:
    """What changed in a domain, as rows: all that is needed to tell the feeds after the commit.

    `context` are the other legs of the same calls: who took a call decides what is told about the rest.
    """

    legs: dict[int, Leg] = field(default_factory=dict)
    context: dict[int, Leg] = field(default_factory=dict)
    presences: dict[str, Presence] = field(default_factory=dict)
    is_health: bool = False

    def add(self, other: "News") -> None:
        """Take in what else changed; of two rows the newer one counts."""
        _newer(self.legs, other.legs)
        _newer(self.context, other.context)
        _newer(self.presences, other.presences)
        self.is_health |= other.is_health


def _newer(kept: "dict[K, R]", fresh: "dict[K, R]") -> None:
    for key, row in fresh.items():
        if key not in kept or kept[key].version < row.version:
            kept[key] = row


def locked(domain_ids: Iterable[int]) -> list[Domain]:
    """These domains, ours alone until the transaction ends; always taken in one order, so that nobody waits in a ring.

    On SQLite there is one writer anyway. The lock lets rows that refer to the domain be written meanwhile.
    """
    rows = Domain.objects.filter(pk__in=set(domain_ids)).order_by("pk")
    return list(rows.select_for_update(no_key=True)) if connection.vendor == "postgresql" else list(rows)


def queue_numbers_of(domain: Domain) -> set[str]:
    """The numbers by which a leg is known to lead to a queue."""
    return {queue.number for queue in bulk.read(Queue, {"domain_id": domain.pk})}


def keep(domain: Domain, facts: dict[Pair, legs.Facts]) -> News:
    """Merge facts into the domain's legs and bring their people up to date. The caller holds the domain's lock."""
    queue_numbers = queue_numbers_of(domain)
    known = _known_legs(domain, facts)
    forgotten = {leg.from_call_id: leg for leg in known.values() if leg.forgotten_at and leg.from_call_id}
    merged = (_merged(domain, known, pair, facts[pair], queue_numbers, forgotten) for pair in sorted(facts))
    changed = [leg for leg in merged if leg is not None]
    told = changed + _siblings_told_anew(changed, known)
    save(told)
    calls = {leg.from_call_id for leg in told}
    context = {leg.pk: leg for leg in known.values() if leg.from_call_id in calls}
    return News({leg.pk: leg for leg in told}, context, refresh_parties(domain, changed, queue_numbers))


def save(changed: list[Leg]) -> None:
    """Keep these legs in one statement, each with a newer version; new ones get their ids."""
    for leg in changed:
        leg.version += 1
    bulk.put(changed, ("domain_id", "from_call_id", "to_call_id"))


def refresh_parties(domain: Domain, changed: list[Leg], queue_numbers: set[str]) -> dict[str, Presence]:
    """Work out the presence of everyone on these legs; gives what changed, by extension."""
    named: dict[str, str] = {}
    for leg in changed:
        for extension, name in presence.parties(leg, queue_numbers).items():
            named[extension] = named.get(extension) or name
    told = presence.refresh(domain, named, queue_numbers, timezone.now()) if named else []
    return {row.person.extension: row for row in told}


def queue_of(leg: Leg, queue_numbers: set[str]) -> str:
    """The number of the queue that the leg leads to, "" for none: the API names no queue, a number may equal one."""
    return next((number for number in (leg.to_user, leg.to_number) if number in queue_numbers), "")


def _known_legs(domain: Domain, facts: dict[Pair, legs.Facts]) -> dict[Pair, Leg]:
    """The legs of these pairs, and their siblings: the same caller's legs to other phones."""
    heads = {head for head, _ in facts if head}
    rows = bulk.read(Leg, {"domain_id": domain.pk, "from_call_id__in": heads})
    if lone := {tail for head, tail in facts if not head}:
        rows += bulk.read(Leg, {"domain_id": domain.pk, "from_call_id": "", "to_call_id__in": lone})
    return {(row.from_call_id, row.to_call_id): row for row in rows}


def _merged(
    domain: Domain,
    known: dict[Pair, Leg],
    pair: Pair,
    fresh: legs.Facts,
    queue_numbers: set[str],
    forgotten: dict[str, Leg],
) -> Leg | None:
    """The leg with the facts in it, or None where they are no news. What was forgotten of its call stays forgotten."""
    leg, is_new = known.get(pair), pair not in known
    if leg is None:
        leg = known[pair] = Leg(domain=domain, from_call_id=pair[0], to_call_id=pair[1])
        after = fresh
    else:
        before = legs.facts_of(leg)
        after = legs.merge(before, fresh)
        if _is_no_news(leg, before, after):
            return None
    kept = strangers.kept(leg)
    legs.write(leg, after)
    leg.is_unconfirmed = leg.is_unconfirmed and leg.ended_at is not None
    place(leg, domain, queue_numbers)
    if is_new and (same_call := forgotten.get(leg.from_call_id)):
        strangers.forget(leg, same_call.caller_e164 or strangers.new_mark(), timezone.now())
    for column, value in kept.items():
        setattr(leg, column, value)
    return leg


def place(leg: Leg, domain: Domain, queue_numbers: set[str]) -> None:
    """Fill what follows from the leg's facts: its queue, and the stranger's number as machines compare it."""
    leg.queue = queue_of(leg, queue_numbers)
    stranger = leg.to_number if legs.direction(leg) == "out" else leg.from_number
    leg.caller_e164 = numbers.e164(stranger, domain.country)


def _is_no_news(leg: Leg, before: legs.Facts, after: legs.Facts) -> bool:
    is_same = after == replace(before, heard_at=after.heard_at)
    return is_same and not leg.is_unconfirmed and after.heard_at - before.heard_at < HEARD_EVERY


def _siblings_told_anew(changed: list[Leg], known: dict[Pair, Leg]) -> list[Leg]:
    """Ended siblings of a leg that was answered: for their people "missed" turns into "taken"."""
    answered = {leg.from_call_id for leg in changed if leg.is_answered and leg.from_call_id}
    touched = {id(leg) for leg in changed}
    earliest = timezone.now() - SHOW_OUTCOME
    return [
        leg
        for leg in known.values()
        if leg.from_call_id in answered and id(leg) not in touched and leg.ended_at and leg.ended_at > earliest
    ]
