"""The people and live calls of companies, as rows: each table is read once, for however many companies.

Presences are read before the legs that they name: what has no part in a presence's version may then be newer than it,
never older, and whoever compares a feed with it brings nothing old back.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TypeVar

from django.db.models import Q

from accounts.models import Domain, Person
from accounts.statements import bulk_rows
from wallboard.calls.models import Leg, Presence
from wallboard.calls.subscriptions import health
from wallboard.calls.subscriptions.health import Health
from wallboard.queues.models import Queue

T = TypeVar("T")
Member = tuple[Person, Presence | None]
QUEUE_COLUMNS = ("domain_id", "number", "name")


@dataclass(frozen=True)
class Floor:
    """One company. `queues` are names by number; `queued` ended legs by which a live call came through a queue.

    `people` by extension are all of the company where they were asked for, else those on these legs.
    """

    domain: Domain
    queues: dict[str, str]
    live: list[Leg]
    queued: list[Leg]
    presences: list[Presence]
    people: dict[str, Person]
    health: Health


def read(domain_ids: Collection[int], *, with_everyone: bool) -> dict[int, Floor]:
    """The floors of these companies, by id; a company that is gone has none."""
    members = everyone(domain_ids) if with_everyone else {}
    on_phones = live(domain_ids)
    presences = _presences(members, on_phones)
    queued = _queued(on_phones)
    if not with_everyone:
        members = _on_legs(domain_ids, [*on_phones.values(), *queued.values()])
    queues, healths = queue_names(domain_ids), health.of_all(domain_ids)
    return {
        domain.pk: Floor(
            domain,
            queues[domain.pk],
            on_phones[domain.pk],
            queued[domain.pk],
            presences[domain.pk],
            {person.extension: person for person, _ in members[domain.pk]},
            healths[domain.pk],
        )
        for domain in bulk_rows.select(Domain, {"id__in": domain_ids})
    }


def everyone(domain_ids: Collection[int]) -> dict[int, list[Member]]:
    """The people of each of these companies with their presences, None for whom there is no row yet."""
    rows = bulk_rows.select_beside(Person, Presence, "person_id", {"domain_id__in": domain_ids})
    return _grouped((person.domain_id, (person, presence)) for person, presence in rows)


def live(domain_ids: Collection[int]) -> dict[int, list[Leg]]:
    """The live legs of each of these companies, the oldest first."""
    rows = bulk_rows.select(Leg, {"domain_id__in": domain_ids, "ended_at": None})
    return _grouped((leg.domain_id, leg) for leg in sorted(rows, key=lambda leg: leg.pk))


def queue_names(domain_ids: Collection[int]) -> dict[int, dict[str, str]]:
    """What the queues of each of these companies are called, by number."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for domain_id, number, name in bulk_rows.columns(Queue, QUEUE_COLUMNS, {"domain_id__in": domain_ids}):
        found[domain_id][number] = name or number
    return found


def _presences(members: dict[int, list[Member]], on_phones: dict[int, list[Leg]]) -> dict[int, list[Presence]]:
    """Everyone's presence with their person and the leg that it names; whom no call has mentioned has one, too."""
    found: dict[int, list[Presence]] = defaultdict(list)
    for pk, rows in members.items():
        for person, row in rows:
            presence = row or Presence()
            bulk_rows.relate(presence, "person", person)
            found[pk].append(presence)
    legs: dict[int | None, Leg] = {leg.pk: leg for of_company in on_phones.values() for leg in of_company}
    naming = [presence for of_company in found.values() for presence in of_company if presence.leg_id]
    if ended := {presence.leg_id for presence in naming} - legs.keys():
        legs |= {leg.pk: leg for leg in bulk_rows.select(Leg, {"id__in": ended})}
    for presence in naming:
        bulk_rows.relate(presence, "leg", legs.get(presence.leg_id))
    return found


def _queued(on_phones: dict[int, list[Leg]]) -> dict[int, list[Leg]]:
    """A caller's leg into the queue ends once somebody answers, and the call still came through that queue."""
    heads = {pk: {leg.from_call_id for leg in rows} - {""} for pk, rows in on_phones.items()}
    # By company, as their index is.
    of_calls = [Q(domain=pk, from_call_id__in=each) for pk, each in heads.items() if each]
    if not of_calls:
        return defaultdict(list)
    rows = Leg.objects.filter(reduce(or_, of_calls), ended_at__isnull=False).exclude(queue="")
    return _grouped((leg.domain_id, leg) for leg in rows)


def _on_legs(domain_ids: Collection[int], legs: Iterable[Iterable[Leg]]) -> dict[int, list[Member]]:
    """The people who are on these legs, and perhaps others of these companies."""
    extensions = {end for rows in legs for leg in rows for end in (leg.from_user, leg.to_user)} - {""}
    rows = bulk_rows.select(Person, {"domain_id__in": domain_ids, "extension__in": extensions}) if extensions else []
    return _grouped((person.domain_id, (person, None)) for person in rows)


def _grouped(rows: Iterable[tuple[int, T]]) -> dict[int, list[T]]:
    found: dict[int, list[T]] = defaultdict(list)
    for domain_id, row in rows:
        found[domain_id].append(row)
    return found
