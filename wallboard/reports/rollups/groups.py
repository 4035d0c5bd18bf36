"""Calls from outside and what people's phones did on one day, counted in one go over the legs of its calls.

The same figures as external_calls and person_figures count in the database, in pieces that add up over days. Calls are
apart by the queues and people on them, since that is what a limit decides by.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

import msgspec

from accounts.models import Domain
from wallboard.calls.documents import ANSWER_TOLERANCE
from wallboard.calls.legs import LONGEST_CALL, is_end_lost
from wallboard.calls.models import Leg
from wallboard.reports.period_parts import Period

COLUMNS = (
    *("pk", "from_call_id", "to_call_id", "from_user", "to_user", "queue", "is_answered", "is_human"),
    *("first_seen_at", "ringing_at", "active_at", "ended_at", "heard_at"),
)
MICROSECOND = timedelta(microseconds=1)


class PersonDay(msgspec.Struct, array_like=True):
    """What one phone did: calls answered and missed; talks and rings with how long they were in microseconds."""

    answered: int = 0
    missed: int = 0
    talks: int = 0
    talk: int = 0
    rings: int = 0
    ring: int = 0


class Group(msgspec.Struct, array_like=True):
    """Calls of a day with the same queues and people on them.

    `again`: [extension, days]: a call that counts as answered here was answered by them so many days before as well.
    `unsure`: [extension, days until it rings again, days since the leg that took it; None for never]: a ring
    that was missed, if neither of that is within the days that are asked for.
    """

    queues: list[str] = []
    people: list[str] = []
    ended: int = 0
    answered: int = 0
    persons: dict[str, PersonDay] = {}
    again: list[tuple[str, int]] = []
    unsure: list[tuple[str, int | None, int | None]] = []


@dataclass(frozen=True, slots=True)
class CallLeg:
    """The columns of a leg that count here."""

    pk: int
    from_call_id: str
    to_call_id: str
    from_user: str
    to_user: str
    queue: str
    is_answered: bool
    is_human: bool | None
    seen_at: datetime
    ringing_at: datetime | None
    active_at: datetime | None
    ended_at: datetime | None
    heard_at: datetime

    @property
    def rings_person(self) -> bool:
        return bool(self.to_user) and self.to_user != self.queue and self.is_human is not False

    @property
    def order(self) -> tuple[datetime, int]:
        return self.seen_at, self.pk

    def takes(self, ring: "CallLeg") -> bool:
        """Whether somebody answered here what rang there too."""
        if self.pk == ring.pk:
            return False
        if self.active_at is not None:
            return self.active_at >= ring.seen_at - ANSWER_TOLERANCE
        # When is unknown where the event of the answer was lost.
        return self.is_answered and (self.ended_at is None or self.ended_at >= ring.seen_at)


@dataclass
class _Call:
    """The legs of a call: those that share a caller's id, else a leg by itself."""

    legs: list[CallLeg] = field(default_factory=list)

    @property
    def key(self) -> tuple[frozenset[str], frozenset[str]]:
        """Its queues and people, as visible_calls looks at them."""
        queues = frozenset(leg.queue for leg in self.legs if leg.queue)
        ends = ((end, leg.queue) for leg in self.legs for end in (leg.from_user, leg.to_user))
        return queues, frozenset(end for end, queue in ends if end and end != queue)


def count(domain: Domain, day: Period) -> list[Group]:
    """The groups of one day."""
    rows = Leg.objects.filter(
        domain=domain, first_seen_at__gte=day.begin - LONGEST_CALL, first_seen_at__lt=day.end + LONGEST_CALL
    )
    calls: dict[str, _Call] = defaultdict(_Call)
    for row in rows.values_list(*COLUMNS).iterator(5000):
        leg = CallLeg(*row)
        calls[leg.from_call_id or f"\n{leg.to_call_id}"].legs.append(leg)
    found: dict[tuple[frozenset[str], frozenset[str]], Group] = {}
    for call in calls.values():
        key = call.key
        group = found.get(key) or Group(sorted(key[0]), sorted(key[1]), persons={}, again=[], unsure=[])
        if _count_outside(group, call, day) | _count_people(group, call, day):
            found[key] = group
    return list(found.values())


def together(groups: Iterable[Group]) -> Group:
    """These groups as one."""
    whole = Group(persons={}, again=[], unsure=[])
    for each in groups:
        whole.ended += each.ended
        whole.answered += each.answered
        whole.again += each.again
        whole.unsure += each.unsure
        for extension, person in each.persons.items():
            add(whole.persons.setdefault(extension, PersonDay()), person)
    return whole


def add(whole: PersonDay, other: PersonDay) -> None:
    """Count those of the other with these."""
    whole.answered += other.answered
    whole.missed += other.missed
    whole.talks += other.talks
    whole.talk += other.talk
    whole.rings += other.rings
    whole.ring += other.ring


def _count_outside(group: Group, call: _Call, day: Period) -> bool:
    """Count it if it is a call from outside that began on that day and is over."""
    legs = [leg for leg in call.legs if not leg.from_user]
    if not legs or not day.begin <= min(leg.seen_at for leg in legs) < day.end:
        return False
    if any(leg.ended_at is None for leg in legs):
        return False
    group.ended += 1
    group.answered += any(leg.is_answered and not leg.queue and leg.is_human is not False for leg in legs)
    return True


def _count_people(group: Group, call: _Call, day: Period) -> bool:
    """Count what the phones did that it rang on that day."""
    rings = [leg for leg in call.legs if leg.rings_person]
    of_day = [leg for leg in rings if day.begin <= leg.seen_at < day.end]
    by_phone: dict[str, list[CallLeg]] = defaultdict(list)
    for leg in of_day:
        by_phone[leg.to_user].append(leg)
    for extension, legs in by_phone.items():
        person = group.persons.setdefault(extension, PersonDay())
        answers = [leg for leg in legs if leg.is_answered]
        for leg in answers:
            _count_times(person, leg)
        if answers:
            person.answered += 1
            before = [leg for leg in rings if leg.is_answered and leg.to_user == extension and leg.seen_at < day.begin]
            if before and answers[0].from_call_id:
                group.again.append((extension, _days_apart(max(leg.seen_at for leg in before), day)))
        for leg in legs:
            _count_missed(group, person, leg, rings if leg.from_call_id else [], day)
    return bool(of_day)


def _count_times(person: PersonDay, leg: CallLeg) -> None:
    if leg.active_at is None:
        return
    person.rings += 1
    person.ring += (leg.active_at - (leg.ringing_at or leg.seen_at)) // MICROSECOND
    if leg.ended_at is not None and not is_end_lost(leg.ended_at, leg.heard_at):
        person.talks += 1
        person.talk += (leg.ended_at - leg.active_at) // MICROSECOND


def _count_missed(group: Group, person: PersonDay, leg: CallLeg, rings: Sequence[CallLeg], day: Period) -> None:
    """Count a ring that was missed, unless the phone rings again for this call on that day or somebody takes it."""
    if leg.is_answered or leg.ended_at is None:
        return
    later = [each.seen_at for each in rings if each.to_user == leg.to_user and each.order > leg.order]
    taken = [each.seen_at for each in rings if each.takes(leg)]
    if any(at < day.end for at in later) or any(at >= day.begin for at in taken):
        return
    if later or taken:
        until_again = _days_apart(min(later), day) if later else None
        group.unsure.append((leg.to_user, until_again, _days_apart(max(taken), day) if taken else None))
    else:
        person.missed += 1


def _days_apart(moment: datetime, day: Period) -> int:
    """How many days of the company lie between that day and the one of the moment."""
    apart = 1
    while not _day(day, apart).begin <= moment < _day(day, apart).end and not (
        _day(day, -apart).begin <= moment < _day(day, -apart).end
    ):
        apart += 1
    return apart


def _day(day: Period, apart: int) -> Period:
    other: date = day.first + timedelta(days=apart)
    return Period(other, other, day.zone, day.starts_hour, day.clock)
