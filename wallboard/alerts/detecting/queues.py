"""Callers who wait and whom nobody can answer: nobody is available, or somebody is and yet no phone rings.

Both rest on figures that are live, in queues that are open and shown; what cannot be judged stays as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.alerts import lifecycle
from wallboard.alerts.conditions import State
from wallboard.alerts.detecting.findings import Finding
from wallboard.alerts.detecting.people import TO_PERSON
from wallboard.calls.models import Leg, Presence
from wallboard.calls.subscriptions import health
from wallboard.queues import figures
from wallboard.queues.figures import QueueDocument
from wallboard.queues.models import PollState, Queue

RANG_WITHIN = timedelta(seconds=45)  # between two tries the provider lets the phones rest
LOOKED_BACK = timedelta(hours=8)  # a shift: who answered a queue's calls in it works there
FEWEST_TRIES = 2  # a single leg that ended at once may be a caller who hung up
BUSY = (Presence.State.CALLING, Presence.State.RINGING, Presence.State.TALKING)


@dataclass(frozen=True, slots=True)
class Queues:
    """The queues of a company: live figures by number of those that can be judged now, and why others are silent."""

    known: Mapping[str, Queue]
    figures: Mapping[str, QueueDocument]
    silent: Mapping[str, str]


def look(domain: Domain, *, is_blind: bool = False) -> Queues:
    """The queues as they were read last; without figures where that is not live, or where they would say nothing."""
    now = timezone.now()
    known = {queue.number: queue for queue in Queue.objects.filter(domain=domain)}
    silent = lifecycle.silent_queues(domain, known, now)
    state = PollState.objects.filter(domain=domain).first()
    if is_blind or state is None or state.read_at is None or now - state.read_at > lifecycle.max_reading_age(domain):
        # That a queue closed is known all the same.
        return Queues(known, {}, silent)
    held = {number: document for number, (_, document) in figures.held(state.figures).items()}
    shown = {
        number: document
        for number, document in held.items()
        if number in known and number not in silent and document.missing_since is None
    }
    return Queues(known, shown, silent)


def nobody(domain: Domain) -> Finding:
    """Callers wait and nobody is available."""
    found = look(domain)
    states = [
        State(number, queue=found.known[number], facts={"waiting": each.waiting})
        for number, each in found.figures.items()
        if each.waiting and each.available == 0
    ]
    return _finding(found, states)


def no_ring(domain: Domain) -> Finding:
    """Callers wait, more people count as available than are on calls, and for a while no phone has rung for them."""
    # Without call events every phone is silent.
    found, floor = look(domain, is_blind=health.of(domain.pk).state != "live"), _Floor(domain)
    states = [
        State(number, queue=found.known[number], reason=reason, facts=_facts(each))
        for number, each in found.figures.items()
        if each.waiting and each.available and (reason := _reason(floor, number, each)) is not None
    ]
    return _finding(found, states)


def _facts(document: QueueDocument) -> dict[str, str | int]:
    return {"waiting": document.waiting, "available": document.available or 0}


def _finding(found: Queues, states: list[State]) -> Finding:
    return Finding(states, {*found.figures, *found.silent}, found.silent)


class _Floor:
    """What one look needs of the company as a whole, each read once however many queues have callers who wait."""

    def __init__(self, domain: Domain) -> None:
        self.domain, self.now = domain, timezone.now()

    @property
    def legs(self) -> QuerySet[Leg]:
        """The calls of this shift: nothing looks further back, for the calls of a year are kept."""
        return Leg.objects.filter(domain=self.domain, first_seen_at__gte=self.now - LOOKED_BACK)

    @cached_property
    def rings(self) -> bool:
        """Whether any phone rings, or did a moment ago."""
        return _rings(self.legs, self.now)

    @cached_property
    def tries(self) -> int:
        """How many tries have just failed at phones that never rang."""
        return _tries(self.legs, self.now)

    @cached_property
    def busy(self) -> set[str]:
        """The extensions of those who are on a call."""
        # Where something speaks against it they must not keep this silent for hours.
        persons = Person.objects.filter(domain=self.domain, presence__state__in=BUSY, presence__is_unconfirmed=False)
        return set(persons.values_list("extension", flat=True))

    @cached_property
    def away(self) -> set[str]:
        """The extensions of those who said that they are away."""
        rows = Presence.objects.filter(person__domain=self.domain).exclude(status="")
        return set(rows.values_list("person__extension", flat=True))


def _reason(floor: _Floor, number: str, document: QueueDocument) -> str | None:
    """The likely reason why no phone rings, "" where none is likely; None where one rings, or everybody is busy."""
    legs = _legs_of_callers(floor, number)
    # Where the queue's own legs are not visible any phone that rings may ring for it.
    if _rings(legs, floor.now) if legs is not None else floor.rings:
        return None
    team = _team(floor, number)
    # Of the team, or of everybody where it is unknown.
    busy = floor.busy & team if team else floor.busy
    if document.available is None or document.available <= len(busy):
        return None
    if document.agents == 0:
        return "signed_out"
    if (_tries(legs, floor.now) if legs is not None else floor.tries) >= FEWEST_TRIES:
        return "unreachable"
    return "away" if team and team <= floor.away else ""


def _legs_of_callers(floor: _Floor, number: str) -> QuerySet[Leg] | None:
    """All legs of the calls that wait in the queue now; None where its legs are not visible."""
    waiting = floor.legs.filter(queue=number, ended_at=None, is_unconfirmed=False)
    calls = [call for call in waiting.values_list("from_call_id", flat=True) if call]
    return floor.legs.filter(from_call_id__in=calls) if calls else None


def _rings(legs: QuerySet[Leg], now: datetime) -> bool:
    rang = Q(ringing_at__gte=now - RANG_WITHIN) | Q(active_at__gte=now - RANG_WITHIN)
    # A leg that rings since long, and whose end nobody heard, must not keep this silent for hours.
    rings = Q(to_state=Leg.State.RINGING, ended_at=None, is_unconfirmed=False)
    return legs.filter(TO_PERSON, rang | rings).exists()


def _tries(legs: QuerySet[Leg], now: datetime) -> int:
    since = now - RANG_WITHIN * 2
    tried = legs.filter(TO_PERSON, ended_at__gte=since, ringing_at=None, active_at=None, is_answered=False)
    return tried.count()


def _team(floor: _Floor, number: str) -> set[str]:
    """Who answered calls of the queue in this shift; empty where that cannot be seen."""
    of_queue = floor.legs.filter(queue=number).exclude(from_call_id="")
    answered = floor.legs.filter(TO_PERSON, active_at__isnull=False, from_call_id__in=of_queue.values("from_call_id"))
    return set(answered.values_list("to_user", flat=True))
