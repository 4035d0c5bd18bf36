"""How calls went, over all their legs and the detail records that came later."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.access import Viewer
from accounts.models import Person
from wallboard.calls import visible_calls
from wallboard.calls.detail_records import is_asked, of_pairs, talk_of
from wallboard.calls.documents import call_of
from wallboard.calls.legs import direction, is_end_lost, is_spoken
from wallboard.calls.models import Leg, Record
from wallboard.queues.models import Queue

MOST_LEGS = 200  # a queue call that rings ten people has eleven legs; a number that calls more often is a machine


@dataclass(frozen=True)
class Names:
    """What our own extensions and queues are called."""

    people: dict[str, str]
    queues: dict[str, str]


@dataclass(frozen=True)
class PastCall:
    """One call from beginning to end; `spoke` is an extension, `queue` a queue number and `number` the other party's,
    "" where there is none. `is_end_lost`: nobody told when it ended."""

    call_id: str
    is_outgoing: bool
    is_answered: bool
    started_at: datetime
    answered_at: datetime | None
    ended_at: datetime | None
    spoke: str
    queue: str
    number: str
    is_end_lost: bool = False

    @property
    def talk_seconds(self) -> float | None:
        """How long somebody spoke; None where nobody did or where it is not known."""
        if not self.is_answered or self.answered_at is None or self.ended_at is None or self.is_end_lost:
            return None
        return (self.ended_at - self.answered_at).total_seconds()

    @property
    def rang_seconds(self) -> float | None:
        """How long it rang until the caller gave up; None for an answered call or where it is not known."""
        if self.is_answered or self.ended_at is None or self.is_end_lost:
            return None
        return (self.ended_at - self.started_at).total_seconds()


def names_of(domain_id: int, legs: Iterable[Leg]) -> Names:
    """The names of every extension and queue that these legs went to or came from."""
    extensions = {extension for leg in legs for extension in (leg.to_user, leg.from_user) if extension}
    numbers = {leg.queue for leg in legs if leg.queue}
    people = Person.objects.filter(domain_id=domain_id, extension__in=extensions) if extensions else []
    queues = Queue.objects.filter(domain_id=domain_id, number__in=numbers) if numbers else []
    return Names({person.extension: str(person) for person in people}, {queue.number: str(queue) for queue in queues})


def legs_of_call(leg: Leg) -> list[Leg]:
    """All legs of the same call, this one included, oldest first."""
    if not leg.from_call_id:
        return with_record_times([leg])
    return with_record_times(oldest_first(Leg.objects.filter(domain_id=leg.domain_id, from_call_id=leg.from_call_id)))


def oldest_first(legs: Iterable[Leg]) -> list[Leg]:
    """The legs of some calls in their order. SQLite, asked to sort so few, would read all of the company's by time."""
    return sorted(legs, key=lambda leg: (leg.first_seen_at, leg.pk))


def earlier_legs(viewer: Viewer, numbers: Iterable[str], but: Container[str]) -> list[Leg]:
    """The newest legs with any of these numbers that the viewer may see, either way round, oldest first; not of the
    calls `but`.
    """
    found: list[Leg] = []
    for number in numbers:  # each is one look into an index, which all of them at once would not be
        legs = _visible(Leg.objects.filter(domain_id=viewer.domain_id, caller_e164=number), viewer)
        found += [each for each in legs.order_by("-first_seen_at")[:MOST_LEGS] if call_of(each) not in but]
    return with_record_times(oldest_first(found)[-MOST_LEGS:])


def legs_of_calls(viewer: Viewer, calls: Iterable[str]) -> list[Leg]:
    """The legs of these calls that the viewer may see, oldest first."""
    if not (wanted := list(calls)):
        return []
    return with_record_times(
        oldest_first(_visible(Leg.objects.filter(domain_id=viewer.domain_id, from_call_id__in=wanted), viewer))
    )


def _visible(legs: QuerySet[Leg], viewer: Viewer) -> QuerySet[Leg]:
    """Calls within the viewer's limit, and those of their own phone, which they know of anyway."""
    if not viewer.limit.is_set:
        return legs
    within_limit = visible_calls.shown(legs, viewer.domain_id, viewer.limit)
    if not viewer.extension:
        return within_limit
    # By the call id: a colleague's leg of one's own call is part of it.
    own = Q(to_user=viewer.extension) | Q(from_user=viewer.extension)
    with_own = legs.filter(own).exclude(from_call_id="")
    return legs.filter(own | Q(from_call_id__in=with_own.values("from_call_id")) | Q(pk__in=within_limit.values("pk")))


def with_record_times(legs: list[Leg]) -> list[Leg]:
    """The same legs, unsaved, with the times of the detail record where no event told the answer, or none the end."""
    # Most calls need no record, and then none is asked for.
    untimed = [leg for leg in legs if leg.has_record and is_asked(leg)]
    if not untimed:
        return legs
    wanted = of_pairs((leg.from_call_id, leg.to_call_id) for leg in untimed)
    found = Record.objects.filter(wanted, domain_id=untimed[0].domain_id)
    records = {(record.from_call_id, record.to_call_id): record for record in found}
    for leg in untimed:
        record = records.get((leg.from_call_id, leg.to_call_id))
        if record and record.answered_at and (talk := talk_of(record)) is not None:
            # An end of ours with an answer of theirs would give odd lengths.
            answered_at = leg.active_at or record.answered_at
            leg.active_at, leg.ended_at, leg.heard_at = answered_at, answered_at + talk, answered_at + talk
    return legs


def past_calls(legs: list[Leg]) -> list[PastCall]:
    """One course per call, newest first."""
    calls: dict[str, list[Leg]] = {}
    for leg in legs:
        calls.setdefault(call_of(leg), []).append(leg)
    courses = [past_call(of_call) for of_call in calls.values()]
    return sorted(courses, key=lambda one: one.started_at, reverse=True)


def past_call(of_call: list[Leg]) -> PastCall:
    """The course of one call, from all its legs."""
    spoken = [leg for leg in of_call if is_spoken(leg)]
    # Of a call that was passed on, whoever spoke last knows how it ended.
    last = max(spoken, key=lambda leg: leg.active_at or leg.first_seen_at, default=None)
    is_outgoing = direction(of_call[0]) == "out"
    # Of a call that nobody answered, the last phone that stopped ringing.
    lasting = [last] if last else of_call
    ends = [leg.ended_at for leg in lasting]
    return PastCall(
        call_id=call_of(of_call[0]),
        is_outgoing=is_outgoing,
        is_answered=last is not None,
        started_at=min(leg.first_seen_at for leg in of_call),
        answered_at=last.active_at if last else None,
        ended_at=None if None in ends else max(end for end in ends if end),
        spoke=of_call[0].from_user if is_outgoing else last.to_user if last else "",
        queue=queue_of(of_call),
        number=of_call[0].caller_e164,
        is_end_lost=any(is_end_lost(leg.ended_at, leg.heard_at) for leg in lasting),
    )


def queue_of(of_call: list[Leg]) -> str:
    """The number of the queue through which a call came, or ""."""
    return next((leg.queue for leg in of_call if leg.queue), "")
