"""Callers who wait and whom nobody can answer: nobody is available, or somebody is and yet no phone rings.

Both rest on figures that are live, in queues that are open and shown; what cannot be judged stays as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.alerts import lifecycle
from wallboard.alerts.conditions import State
from wallboard.alerts.detecting.findings import NOT_JUDGED, Finding
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
    """The queues of a company that can be judged now: live figures by number, and why others are silent."""

    known: Mapping[str, Queue]
    figures: Mapping[str, QueueDocument]
    silent: Mapping[str, str]


def look(domain: Domain) -> Queues | None:
    """The queues as they were read last; None while that is not live."""
    now = timezone.now()
    state = PollState.objects.filter(domain=domain).first()
    if state is None or state.read_at is None or now - state.read_at > lifecycle.max_reading_age(domain):
        return None
    known = {queue.number: queue for queue in Queue.objects.filter(domain=domain)}
    silent = lifecycle.silent_queues(domain, known, now)
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
    if found is None:
        return NOT_JUDGED
    states = [
        State(number, queue=found.known[number], facts={"waiting": each.waiting})
        for number, each in found.figures.items()
        if each.waiting and each.available == 0
    ]
    return _finding(found, states)


def no_ring(domain: Domain) -> Finding:
    """Callers wait, more people count as available than are on calls, and for a while no phone has rung for them."""
    found = look(domain)
    # Without call events every phone is silent.
    if found is None or health.of(domain.pk).state != "live":
        return NOT_JUDGED
    states = [
        State(number, queue=found.known[number], reason=reason, facts=_facts(each))
        for number, each in found.figures.items()
        if each.waiting and each.available and (reason := _reason(domain, number, each)) is not None
    ]
    return _finding(found, states)


def _facts(document: QueueDocument) -> dict[str, str | int]:
    return {"waiting": document.waiting, "available": document.available or 0}


def _finding(found: Queues, states: list[State]) -> Finding:
    return Finding(states, {*found.figures, *found.silent}, found.silent)


def _reason(domain: Domain, number: str, document: QueueDocument) -> str | None:
    """The likely reason why no phone rings, "" where none is likely; None where one rings, or everybody is busy."""
    now = timezone.now()
    legs = _legs_of_callers(domain, number)
    # Where the queue's own legs are not visible any phone that rings may ring for it.
    if _rings(legs if legs is not None else Leg.objects.filter(domain=domain), now):
        return None
    team = _team(domain, number, now)
    if document.available is None or document.available <= _busy(domain, team):
        return None
    if document.agents == 0:
        return "signed_out"
    tried = (legs if legs is not None else Leg.objects.filter(domain=domain)).filter(
        _to_person(), ended_at__gte=now - RANG_WITHIN * 2, ringing_at=None, active_at=None, is_answered=False
    )
    if tried.count() >= FEWEST_TRIES:
        return "unreachable"
    away = Presence.objects.filter(person__domain=domain, person__extension__in=team).exclude(status="")
    return "away" if team and away.count() >= len(team) else ""


def _legs_of_callers(domain: Domain, number: str) -> QuerySet[Leg] | None:
    """All legs of the calls that wait in the queue now; None where its legs are not visible."""
    waiting = Leg.objects.filter(domain=domain, queue=number, ended_at=None, is_unconfirmed=False)
    calls = [call for call in waiting.values_list("from_call_id", flat=True) if call]
    return Leg.objects.filter(domain=domain, from_call_id__in=calls) if calls else None


def _rings(legs: QuerySet[Leg], now: datetime) -> bool:
    rang = Q(ringing_at__gte=now - RANG_WITHIN) | Q(active_at__gte=now - RANG_WITHIN)
    # A leg that rings since long, and whose end nobody heard, must not keep this silent for hours.
    rings = Q(to_state=Leg.State.RINGING, ended_at=None, is_unconfirmed=False)
    return legs.filter(_to_person(), rang | rings).exists()


def _to_person() -> Q:
    return Q(to_user__gt="", queue="")


def _team(domain: Domain, number: str, now: datetime) -> set[str]:
    """Who answered calls of the queue in this shift; empty where that cannot be seen."""
    since = now - LOOKED_BACK
    of_queue = Leg.objects.filter(domain=domain, queue=number, first_seen_at__gte=since).exclude(from_call_id="")
    answered = Leg.objects.filter(
        _to_person(), domain=domain, active_at__gte=since, from_call_id__in=of_queue.values("from_call_id")
    )
    return set(answered.values_list("to_user", flat=True))


def _busy(domain: Domain, team: set[str]) -> int:
    """How many of those who count as available may be on a call: of the team, or of everybody where it is unknown."""
    persons = Person.objects.filter(domain=domain, presence__state__in=BUSY)
    return (persons.filter(extension__in=team) if team else persons).count()
