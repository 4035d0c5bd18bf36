"""The call legs of a domain as rows: facts go in, and what changed comes out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from operator import attrgetter
from typing import Any, TypeVar

from django.utils import timezone
from msgspec import structs

from accounts import company_day
from accounts.models import Domain, Person
from accounts.statements import bulk_rows
from wallboard.calls import legs, numbers
from wallboard.calls.models import ChangedLeg, Leg, Presence
from wallboard.calls.presence import states
from wallboard.calls.retention import anonymizing
from wallboard.queues import past_changes
from wallboard.queues.models import PastChange, Queue

Pair = tuple[str, str]
K = TypeVar("K", int, str)
R = TypeVar("R", Leg, Presence)
HEARD_EVERY = timedelta(seconds=5)  # a mere sign of life is written no more often: a flood of repeats costs nothing
BY_PAIR = ("domain_id", "from_call_id", "to_call_id")  # by which a leg is known again
QUEUE_NAMES = ("number", "name")
SHOW_OUTCOME = timedelta(minutes=60)  # how long a desk still shows a call that has ended


@dataclass
class Changes:
    """What changed in a domain, as rows: all that is needed to tell the feeds after the commit.

    `context` are the other legs of the same calls: who took a call decides what is told about the rest. The company,
    `people` by extension and `queues` (name by number) were read meanwhile; what was not is read for the feeds.
    `left` are the extensions at which a leg stood before, by its id.
    """

    legs: dict[int, Leg] = field(default_factory=dict)
    context: dict[int, Leg] = field(default_factory=dict)
    presences: dict[str, Presence] = field(default_factory=dict)
    is_health: bool = False
    people: dict[str, Person] = field(default_factory=dict)
    queues: dict[str, str] | None = None
    domain: Domain | None = None
    left: dict[int, set[str]] = field(default_factory=dict)

    def add(self, other: "Changes") -> None:
        """Take in what else changed; of two rows the newer one counts."""
        _newer(self.legs, other.legs)
        _newer(self.context, other.context)
        _newer(self.presences, other.presences)
        self.is_health |= other.is_health
        # Of names those that were read last count.
        self.people |= other.people
        self.queues = self.queues if other.queues is None else other.queues
        self.domain = other.domain or self.domain
        for pk, extensions in other.left.items():
            self.left[pk] = self.left.get(pk, set()) | extensions


def _newer(known: "dict[K, R]", fresh: "dict[K, R]") -> None:
    for key, row in fresh.items():
        if key not in known or known[key].version < row.version:
            known[key] = row


def lock_domains(domain_ids: Iterable[int]) -> list[Domain]:
    """These domains, ours alone until the transaction ends, whoever else wants some of them, too."""
    # One lock per company instead of one per leg: a batch touches many legs, and their people.
    return bulk_rows.lock(Domain, domain_ids)


def queue_numbers_of(domain: Domain) -> set[str]:
    """The numbers by which a leg is known to lead to a queue."""
    return {number for (number,) in bulk_rows.columns(Queue, ("number",), {"domain_id": domain.pk})}


def queue_names_of(domain_id: int) -> dict[str, str]:
    """The same with what each queue is called, as it calls itself."""
    return {number: name or number for number, name in bulk_rows.columns(Queue, QUEUE_NAMES, {"domain_id": domain_id})}


def merge_facts(domain: Domain, facts: dict[Pair, legs.Facts]) -> Changes:
    """Merge facts into the domain's legs and bring their people up to date. The caller holds the domain's lock."""
    # Read under the lock, since a poll may have met a new queue a moment ago.
    queues = queue_names_of(domain.pk)
    queue_numbers = set(queues)
    known = _known_legs(domain, facts)
    # A new leg of a call whose caller was erased must not name them again.
    forgotten = {leg.from_call_id: leg for leg in known.values() if leg.forgotten_at and leg.from_call_id}
    left: dict[int, set[str]] = {}
    merged = (_merged(domain, known, pair, facts[pair], queue_numbers, forgotten, left) for pair in sorted(facts))
    changed = [leg for leg in merged if leg is not None]
    changed += [half for half in _ended_halves(known) if half not in changed]
    to_publish = changed + _siblings_to_republish(changed, known)
    # Before they are saved: the presences that refer to them go with them.
    bulk_rows.number(to_publish, len(facts))
    calls = {leg.from_call_id for leg in to_publish}
    context = {leg.pk: leg for leg in known.values() if leg.from_call_id in calls}
    found = Changes({leg.pk: leg for leg in to_publish}, context, queues=queues, domain=domain, left=left)
    former = {extension for extensions in left.values() for extension in extensions}
    found.presences = _presences(domain, changed, queue_numbers, heard=True, people=found.people, former=former)
    save(domain, to_publish, list(found.presences.values()))
    _note_past(domain, changed, known)
    return found


def note_past(domain: Domain, changed: list[Leg]) -> None:
    """Note that these legs have changed if their calls began on a day that is over. Inside the transaction."""
    heads = {leg.from_call_id for leg in changed if leg.from_call_id}
    begin = company_day.start(domain, timezone.now())
    before = Leg.objects.filter(domain=domain, from_call_id__in=heads, first_seen_at__lt=begin)
    moments = [leg.first_seen_at for leg in changed] + list(before.values_list("first_seen_at", flat=True))
    past_changes.note(domain, PastChange.Kind.CALLS, moments)


def _note_past(domain: Domain, changed: list[Leg], known: dict[Pair, Leg]) -> None:
    """The same for legs that were read with the others of their calls: this is asked of every delivery."""
    heads = {leg.from_call_id for leg in changed}
    # Whoever asks for another leg of a call reads them all: what one leg came to tells of the others.
    moments = (leg.first_seen_at for leg in known.values() if leg.from_call_id in heads)
    past_changes.note(domain, PastChange.Kind.CALLS, moments)


def save(domain: Domain, changed: list[Leg], presences: Sequence[Presence] = ()) -> None:
    """Save these together, each with a newer version; new legs get their ids. The domain is locked."""
    rows: tuple[Leg | Presence, ...] = (*changed, *presences)
    for row in rows:
        # Under the domain's lock, so nobody else counts from the same number.
        row.version += 1
    bulk_rows.upsert_all((changed, BY_PAIR), (presences, states.BY_PERSON))
    if domain.tells_calls:
        bulk_rows.insert([ChangedLeg(leg_id=leg.pk) for leg in changed])


def refresh_presences(
    domain: Domain, changed: list[Leg], queue_numbers: set[str], *, heard: bool = True
) -> dict[str, Presence]:
    """Bring the presence of all on these legs up to date, as states.refresh(); gives what changed, by extension."""
    presences = _presences(domain, changed, queue_numbers, heard=heard, people={})
    states.save(list(presences.values()))
    return presences


def _presences(
    domain: Domain,
    changed: list[Leg],
    queue_numbers: set[str],
    *,
    heard: bool,
    people: dict[str, Person],
    former: Iterable[str] = (),
) -> dict[str, Presence]:
    """The same without saving them, and of who was on the legs before; `people` is given all of them."""
    named: dict[str, str] = dict.fromkeys(former, "")
    for leg in changed:
        for extension, name in states.parties(leg, queue_numbers).items():
            # A name that one leg tells is not lost because another leg does not tell it.
            named[extension] = named.get(extension) or name
    if not named:
        return {}
    known = states.known(domain, named)
    people.update((extension, person) for extension, (person, _) in known.items())
    renewed = states.renewed(domain, known, queue_numbers, timezone.now(), heard=heard, fresh=changed)
    return {row.person.extension: row for row in renewed}


def queue_of(leg: Leg, queue_numbers: set[str]) -> str:
    """The number of the queue that the leg leads to, "" for none: the API names no queue, a number may equal one."""
    return next((number for number in (leg.to_user, leg.to_number) if number in queue_numbers), "")


def _known_legs(domain: Domain, facts: dict[Pair, legs.Facts]) -> dict[Pair, Leg]:
    """The legs of these pairs, and their siblings: the same caller's legs to other phones."""
    rows = bulk_rows.select(Leg, *legs_of(domain.pk, facts))
    return {(row.from_call_id, row.to_call_id): row for row in rows}


def legs_of(domain_id: int, pairs: Iterable[Pair]) -> list[dict[str, Any]]:
    """Which legs those are, as bulk_rows words it."""
    pairs = list(pairs)
    of_heads = {"domain_id": domain_id, "from_call_id__in": {head for head, _ in pairs if head}}
    if lone := {tail for head, tail in pairs if not head}:
        return [of_heads, {"domain_id": domain_id, "from_call_id": "", "to_call_id__in": lone}]
    return [of_heads]


def _merged(
    domain: Domain,
    known: dict[Pair, Leg],
    pair: Pair,
    fresh: legs.Facts,
    queue_numbers: set[str],
    forgotten: dict[str, Leg],
    left: dict[int, set[str]],
) -> Leg | None:
    """The leg with the facts in it, or None where they are no news. What was forgotten of its call stays forgotten.

    `left` is given who was on the leg before somebody or something else took their place.
    """
    leg, is_new = known.get(pair), pair not in known
    if leg is None:
        leg = known[pair] = Leg(domain=domain, from_call_id=pair[0], to_call_id=pair[1])
        after = fresh
    else:
        before = legs.facts_of_leg(leg)
        after = legs.merge(before, fresh)
        if _changes_nothing(leg, before, after):
            return None
    anonymized = anonymizing.anonymized_columns(leg)
    ends, on_it = _ends(leg), () if is_new else states.parties(leg, queue_numbers)
    legs.apply_facts(leg, after)
    if on_it and ends != _ends(leg):
        left[leg.pk] = set(on_it) - set(states.parties(leg, queue_numbers))
    # News proves a live leg; what was doubtful at its end stays so in the log.
    leg.is_unconfirmed = leg.is_unconfirmed and leg.ended_at is not None
    fill_derived(leg, domain, queue_numbers)
    if is_new and (same_call := forgotten.get(leg.from_call_id)):
        anonymizing.forget(leg, same_call.caller_e164 or anonymizing.new_mark(), timezone.now())
    # Last, so that nothing that was delivered or derived brings the number back.
    for column, value in anonymized.items():
        setattr(leg, column, value)
    return leg


_ends = attrgetter("from_user", "to_user", "is_human")


def _ended_halves(known: dict[Pair, Leg]) -> list[Leg]:
    """Legs that were told before there was another side, and are over since the same caller has a whole one."""
    halves = [leg for (head, tail), leg in known.items() if head and not tail and leg.ended_at is None]
    ended = []
    for half in halves:
        whole = [leg.first_seen_at for (head, tail), leg in known.items() if head == half.from_call_id and tail]
        if whole:
            over_at = max(half.first_seen_at, min(whole))
            legs.apply_facts(half, legs.closed(legs.facts_of_leg(half), over_at))
            half.heard_at = max(half.heard_at, over_at)  # its end was told, by the whole one
            ended.append(half)
    return ended


def fill_derived(leg: Leg, domain: Domain, queue_numbers: set[str]) -> None:
    """Fill what follows from the leg's facts: its queue, and the stranger's number as machines compare it."""
    leg.queue = queue_of(leg, queue_numbers)
    stranger = leg.to_number if legs.direction(leg) == "out" else leg.from_number
    leg.caller_e164 = numbers.e164(stranger, domain.country)


def _changes_nothing(leg: Leg, before: legs.Facts, after: legs.Facts) -> bool:
    # An end that is only assumed goes on with the news, and is no more worth writing.
    is_assumed = all(legs.is_end_lost(each.ended_at, each.heard_at) for each in (before, after))
    ended_at = after.ended_at if is_assumed else before.ended_at
    is_same = after == structs.replace(before, heard_at=after.heard_at, ended_at=ended_at)
    return is_same and not leg.is_unconfirmed and after.heard_at - before.heard_at < HEARD_EVERY


def _siblings_to_republish(changed: list[Leg], known: dict[Pair, Leg]) -> list[Leg]:
    """Legs that are told otherwise now, though nothing changed but another leg of their call.

    Ended ones of a call that was answered: for their people "missed" turns into "taken". Live ones of a call whose leg
    to a queue comes after them, as it may where deliveries were spooled: they came through that queue.
    """
    answered = {leg.from_call_id for leg in changed if leg.is_answered and leg.from_call_id}
    # By identity: new legs have no key before they are saved, and no version.
    touched = {id(leg) for leg in changed}
    queued = {leg.from_call_id for leg in changed if leg.queue and not leg.version and leg.from_call_id}
    earliest = timezone.now() - SHOW_OUTCOME

    def is_told_otherwise(leg: Leg) -> bool:
        if leg.ended_at is None:
            return leg.from_call_id in queued
        return leg.from_call_id in answered and leg.ended_at > earliest

    return [leg for leg in known.values() if id(leg) not in touched and is_told_otherwise(leg)]
