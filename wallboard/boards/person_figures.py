"""What each person's phone did over some days: answered, missed, how long they talked and how soon they answered.

Derived from call events, as a person's own day at the desk counts it (desk/day.py): a call that rang again counts once,
missed by its last ring; one that a colleague took is neither answered nor missed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import F, Q

from accounts import limits
from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain, Person
from wallboard.boards.figures import Period
from wallboard.calls import within
from wallboard.calls.legs import LONGEST_CALL
from wallboard.calls.models import Leg
from wallboard.calls.news import SLACK

TO_PERSON = Q(to_user__gt="") & ~Q(to_user=F("queue")) & (Q(is_human=None) | Q(is_human=True))
COLUMNS = (
    *("from_call_id", "to_call_id", "to_user", "first_seen_at"),
    *("ringing_at", "active_at", "ended_at", "is_answered"),
)
AT_ONCE = 2000  # rows that lie in memory together
Answers = dict[str, list[tuple[str, datetime]]]


@dataclass(frozen=True)
class PersonFigures:
    """A person over some days. Seconds; averages are None where nothing was answered or its times are not known."""

    person: Person
    answered: int
    missed: int
    talk_seconds: int
    average_talk_seconds: int | None
    average_ring_seconds: int | None


@dataclass(slots=True)
class Ring:
    """One ring of one phone, as the events told it."""

    from_call_id: str
    to_call_id: str
    to_user: str
    first_seen_at: datetime
    ringing_at: datetime | None
    active_at: datetime | None
    ended_at: datetime | None
    is_answered: bool

    @property
    def call(self) -> str:
        return self.from_call_id or self.to_call_id


@dataclass(slots=True)
class Tally:
    """What adds up for one person; `last` is the newest ring of each call."""

    answered: set[str] = field(default_factory=set)
    last: dict[str, Ring] = field(default_factory=dict)
    talks: list[timedelta] = field(default_factory=list)
    rings: list[timedelta] = field(default_factory=list)

    def add(self, ring: Ring) -> None:
        """Count this ring, which came after those before."""
        self.last[ring.call] = ring
        if not ring.is_answered:
            return
        self.answered.add(ring.call)
        if ring.active_at is not None:
            self.rings.append(ring.active_at - (ring.ringing_at or ring.first_seen_at))
            if ring.ended_at is not None:
                self.talks.append(ring.ended_at - ring.active_at)


def by_person(domain: Domain, period: Period, sight: Limit = EVERYTHING) -> list[PersonFigures]:
    """Everybody whose phone rang on these days, by name; with a limit those, and of those calls, that may be seen."""
    people = limits.only(Person.objects.filter(domain=domain, is_hidden=False), "extension", sight.people)
    known = {person.extension: person for person in people}
    tallies: dict[str, Tally] = defaultdict(Tally)
    for ring in _rings(domain, period, sight):
        if ring.to_user in known:
            tallies[ring.to_user].add(ring)
    answers = _answers(domain, period)
    found = [_figures(known[extension], tally, answers) for extension, tally in tallies.items()]
    return sorted(found, key=lambda each: (str(each.person).casefold(), each.person.extension))


def _rings(domain: Domain, period: Period, sight: Limit) -> Iterator[Ring]:
    legs = Leg.objects.filter(
        TO_PERSON, domain=domain, first_seen_at__gte=period.begin, first_seen_at__lt=period.end
    ).order_by("first_seen_at", "pk")
    shown = within.shown(legs, domain.pk, sight).values_list(*COLUMNS)
    return (Ring(*row) for row in shown.iterator(AT_ONCE))


def _answers(domain: Domain, period: Period) -> Answers:
    """Who answered which call and when, hidden colleagues too: a call that anybody took was not missed."""
    legs = Leg.objects.filter(
        TO_PERSON,
        domain=domain,
        first_seen_at__gte=period.begin,
        first_seen_at__lt=period.end + LONGEST_CALL,
        active_at__isnull=False,
    )
    found: Answers = defaultdict(list)
    rows = legs.values_list("from_call_id", "to_call_id", "to_user", "active_at")
    for head, tail, extension, at in rows.iterator(AT_ONCE):
        if at is not None:
            found[head or tail].append((extension, at))
    return found


def _figures(person: Person, tally: Tally, answers: Answers) -> PersonFigures:
    return PersonFigures(
        person,
        answered=len(tally.answered),
        missed=sum(_is_missed(ring, answers.get(call, ())) for call, ring in tally.last.items()),
        talk_seconds=round(sum(tally.talks, timedelta()).total_seconds()),
        average_talk_seconds=_average(tally.talks),
        average_ring_seconds=_average(tally.rings),
    )


def _is_missed(ring: Ring, answers: Iterable[tuple[str, datetime]]) -> bool:
    if ring.is_answered or ring.ended_at is None:
        return False
    return not any(who != ring.to_user and at >= ring.first_seen_at - SLACK for who, at in answers)


def _average(lengths: list[timedelta]) -> int | None:
    return round(sum(lengths, timedelta()).total_seconds() / len(lengths)) if lengths else None
