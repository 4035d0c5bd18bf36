"""What the feeds hold about calls, as docs/architecture.md words it; always read from the database."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import Q
from django.utils import timezone

from accounts.models import Domain, Person
from accounts.statements import bulk_rows
from wallboard.calls import floors, leg_store, legs, numbers
from wallboard.calls.floors import Floor
from wallboard.calls.leg_store import SHOW_OUTCOME, Changes
from wallboard.calls.models import Leg
from wallboard.calls.subscriptions import health
from wallboard.calls.webhooks import replays
from wallboard.live.feeds import milliseconds

Documents = dict[str, tuple[int, Any]]
DocumentOf = Callable[[Leg, "Directory"], "LegDocument"]
# Events of one moment may come in any order: an answer this early still counts as a taking.
ANSWER_TOLERANCE = timedelta(seconds=2)


class EventsDocument(msgspec.Struct, frozen=True):
    """Whether call events can be trusted now: `events` of the feeds `people`, `calls` and `wall`. Times in ms.

    `state` is live, starting or down.
    """

    state: str
    since: int | None
    heard_at: int | None


class PartyDocument(msgspec.Struct, frozen=True):
    """One end of a call leg; "" for what is not known or not to be seen."""

    name: str
    number: str
    extension: str


class LegDocument(msgspec.Struct, frozen=True, kw_only=True, rename={"source": "from", "target": "to"}):
    """A live call leg of the feeds `calls` and `wall`. Times in ms; `heard` is the age of its last news.

    `via` are the queues that the call came through, `queue` the one it waits in.
    """

    id: int
    call: str
    state: str
    direction: str
    source: PartyDocument
    target: PartyDocument
    queue: str | None
    via: list[str]
    since: int
    started: int
    heard: int | None
    unconfirmed: bool


class PopDocument(msgspec.Struct, frozen=True):
    """What rings one person's desk, and says no more than that: a leg of the feed `desk:<extension>`.

    `as_of` is the last news of a leg that is unconfirmed, which rings no more, or whose end was lost; else null.
    """

    leg: int
    call: str
    state: str
    since: int
    outcome: str
    by: str
    as_of: int | None = None


@dataclass(frozen=True)
class Directory:
    """Who and what the extensions of a domain are; `via` are the queues that a call came through, by its id."""

    domain: Domain
    people: dict[str, Person]
    queues: dict[str, str]
    via: dict[str, set[str]] = field(default_factory=dict)

    def name(self, extension: str) -> str:
        """What a colleague or queue is called; "" for strangers and for people who are not shown."""
        person = self.people.get(extension)
        if extension in self.queues:
            return self.queues[extension]
        # Whoever is hidden from boards is hidden in the calls of others, too.
        return "" if person is None or person.is_hidden else person.name


def directory(domain_id: int, extensions: Iterable[str], changes: Changes | None = None) -> Directory:
    """The domain's queues, and those of its people who have one of the extensions; what `changes` know is not asked."""
    changes = changes or Changes()
    people, queues = changes.people, changes.queues
    queues = leg_store.queue_names_of(domain_id) if queues is None else queues
    domain = changes.domain or bulk_rows.select(Domain, {"id": domain_id})[0]
    if wanted := {each for each in extensions if each} - people.keys() - queues.keys():
        found = bulk_rows.select(Person, {"domain_id": domain_id, "extension__in": wanted})
        people = people | {person.extension: person for person in found}
    return Directory(domain, people, queues)


def directory_of(domain_id: int, rows: Iterable[Leg], changes: Changes | None = None) -> Directory:
    """The directory for everyone on these legs, and the queues that their calls came through."""
    rows = list(rows)
    known = directory(domain_id, (end for leg in rows for end in (leg.from_user, leg.to_user)), changes)
    return replace(known, via=_via(rows))


def directory_on(floor: Floor) -> Directory:
    """The same of what is read already."""
    named = [row.leg for row in floor.presences if row.leg]
    return Directory(floor.domain, floor.people, floor.queues, _via([*floor.live, *floor.queued, *named]))


def _via(rows: Iterable[Leg]) -> dict[str, set[str]]:
    via: dict[str, set[str]] = defaultdict(set)
    for leg in rows:
        if leg.queue:
            via[call_of(leg)].add(leg.queue)
    return via


def calls(domain_id: int) -> Documents:
    """Every live call with its numbers, and the health of the events."""
    return calls_of(floors.read([domain_id], with_everyone=False)[domain_id])


def wall(domain_id: int) -> Documents:
    """As calls(), with numbers masked and only our own people named."""
    return wall_of(floors.read([domain_id], with_everyone=False)[domain_id])


def calls_of(floor: Floor) -> Documents:
    """As calls(), of what is read already."""
    return leg_documents(floor.live, call_document, directory_on(floor)) | events_document(floor.health)


def wall_of(floor: Floor) -> Documents:
    """As wall(), of what is read already."""
    return leg_documents(floor.live, wall_document, directory_on(floor)) | events_document(floor.health)


def desk(domain_id: int, extension: str) -> Documents:
    """What rings or rang for one person during the last hour."""
    earliest = timezone.now() - SHOW_OUTCOME
    is_shown = Q(ended_at__isnull=True) | Q(ended_at__gt=earliest)
    shown = list(Leg.objects.filter(is_shown, domain_id=domain_id, to_user=extension))
    # Who took a call decides whether it reads missed or taken.
    siblings = _answered_siblings(domain_id, shown)
    known = directory_of(domain_id, siblings)
    return {str(leg.pk): (leg.version, desk_document(leg, siblings, known)) for leg in shown}


def leg_documents(rows: Iterable[Leg], document: DocumentOf, known: Directory) -> Documents:
    """Legs as documents; those that have ended are removals."""
    return {str(leg.pk): (leg.version, None if leg.ended_at else document(leg, known)) for leg in rows}


def events(domain_id: int) -> Documents:
    """Whether call events can be trusted now."""
    return events_document(health.of(domain_id))


def events_document(now: health.Health) -> Documents:
    """The same of a health that is known."""
    since, heard_at = milliseconds(now.since), milliseconds(now.heard_at)
    return {"events": (now.version, EventsDocument(now.state, since, heard_at))}


def call_document(leg: Leg, known: Directory) -> LegDocument:
    """A live leg for supervisors."""
    return _leg_document(
        leg,
        known,
        _end(leg.from_user, leg.from_name, leg.from_number, known),
        _end(leg.to_user, leg.to_name, leg.to_number, known),
    )


def wall_document(leg: Leg, known: Directory) -> LegDocument:
    """A live leg for everyone who passes by: what a caller's network tells of them stays private."""
    return _leg_document(
        leg,
        known,
        _masked_end(leg.from_user, leg.from_number, known),
        _masked_end(leg.to_user, leg.to_number, known),
    )


def desk_document(leg: Leg, siblings: list[Leg], known: Directory) -> PopDocument | None:
    """What one person's bell needs of a leg to them; None where nothing ever rang, or a machine took the call, or the
    call is an old one that is replayed.
    """
    # Unknown states of the provider ring nowhere: a pop that nobody can explain is worse than none.
    state = _DESK.get(legs.state_of(leg))
    if state is None or not legs.reaches_person(leg) or not (leg.ringing_at or leg.active_at):
        return None
    if replays.is_old(leg, known.domain.call_time_zone):
        return None
    outcome, taker = outcome_of(leg, siblings) if state == "ended" else ("", None)
    by = known.name(taker.to_user) or taker.to_user if taker else ""
    as_of = milliseconds(legs.known_until(leg))
    return PopDocument(leg.pk, call_of(leg), state, milliseconds(legs.since(leg)), outcome, by, as_of)


_DESK = {Leg.State.RINGING.value: "ringing", Leg.State.ACTIVE.value: "talking", Leg.State.ENDED.value: "ended"}


def outcome_of(leg: Leg, siblings: Iterable[Leg]) -> tuple[str, Leg | None]:
    """How an ended leg went for its person: answered (here or on another device of theirs), missed, or taken by a
    colleague, whose leg comes with it.
    """
    taker = None if leg.is_answered else taken_on(leg, siblings)
    if taker and taker.to_user != leg.to_user:
        return "taken", taker
    return ("answered" if leg.is_answered or taker else "missed"), None


def taken_on(leg: Leg, siblings: Iterable[Leg]) -> Leg | None:
    """The same caller's leg to another phone, answered while this one rang (or about then)."""
    return next((each for each in siblings if each.pk != leg.pk and _takes(each, leg)), None)


def _takes(other: Leg, leg: Leg) -> bool:
    if call_of(other) != call_of(leg) or not legs.reaches_person(other):
        return False
    if other.active_at:
        return other.active_at >= leg.first_seen_at - ANSWER_TOLERANCE
    # The one event with the answer was lost: it was answered at some time until its end.
    return other.is_answered and (other.ended_at is None or other.ended_at >= leg.first_seen_at)


def answered_at(leg: Leg) -> tuple[datetime, int]:
    """Sorts answered legs: who was first took the call."""
    return leg.active_at or leg.first_seen_at, leg.pk


def call_of(leg: Leg) -> str:
    """The call that a leg belongs to: legs with the same caller's id are one call to many phones."""
    return leg.from_call_id or leg.to_call_id


def _answered_siblings(domain_id: int, shown: list[Leg]) -> list[Leg]:
    calls_of_them = {leg.from_call_id for leg in shown if leg.from_call_id and not leg.is_answered}
    if not calls_of_them:
        return []
    was_answered = Q(active_at__isnull=False) | Q(is_answered=True)
    rows = Leg.objects.filter(was_answered, domain_id=domain_id, from_call_id__in=calls_of_them)
    return sorted(rows, key=answered_at)


def shown_state(leg: Leg) -> str:
    """The floor's own word: a live leg to a queue waits, whatever the provider says; else calling, ringing, talking."""
    state = legs.state_of(leg)
    return "waiting" if leg.queue else _SHOWN.get(state, state)


_SHOWN = {Leg.State.PROGRESSING.value: "calling", Leg.State.ACTIVE.value: "talking"}


def _leg_document(leg: Leg, known: Directory, source: PartyDocument, target: PartyDocument) -> LegDocument:
    return LegDocument(
        id=leg.pk,
        call=call_of(leg),
        state=shown_state(leg),
        direction=legs.direction(leg),
        source=source,
        target=target,
        queue=leg.queue or None,
        via=sorted(known.via.get(call_of(leg), ())),
        since=milliseconds(legs.since(leg)),
        started=milliseconds(leg.first_seen_at),
        heard=milliseconds(leg.heard_at),
        unconfirmed=leg.is_unconfirmed,
    )


def _end(user: str, name: str, number: str, known: Directory) -> PartyDocument:
    their_name = numbers.telling_name(name, number)
    # No word for a number that is withheld: each browser has it in its own language.
    shown = "" if numbers.is_withheld(number) else numbers.shown(number, known.domain.country)
    return PartyDocument(known.name(user) or their_name, shown, user)


def _masked_end(user: str, number: str, known: Directory) -> PartyDocument:
    # The name that the network sends is the caller's, so only names of ours go on a wall.
    if user in known.people or user in known.queues:
        return PartyDocument(known.name(user), "", user)
    return PartyDocument("", "" if numbers.is_withheld(number) else numbers.masked(number), "")
