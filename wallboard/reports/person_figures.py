"""What each person's phone did over some days: answered, missed, how long they talked and how soon they answered.

Derived from call events, as the desk counts a person's own day (desk/agent_day.py): a call that rang again counts once,
missed by its last ring; one that a colleague took is neither answered nor missed. Who took it shows only where all legs
of a call share its id.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, DurationField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce

from accounts import limits
from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain, Person
from wallboard.calibration import locks
from wallboard.calls import visible_calls
from wallboard.calls.documents import ANSWER_TOLERANCE
from wallboard.calls.legs import LONGEST_CALL, MAY_BE_HUMAN
from wallboard.calls.log.newest import CALL_OF
from wallboard.calls.models import Leg
from wallboard.figures.phrases import ONE_CALL_ID
from wallboard.reports.period_parts import Period
from wallboard.reports.rollups import calls, groups
from wallboard.reports.rollups.groups import PersonDay

TO_PERSON = Q(to_user__gt="") & ~Q(to_user=F("queue")) & MAY_BE_HUMAN
TALK = ExpressionWrapper(F("ended_at") - F("active_at"), DurationField())
# Where nobody told that it rings, the first news of the leg has to do.
RING = ExpressionWrapper(F("active_at") - Coalesce("ringing_at", "first_seen_at"), DurationField())
HAS_ANSWER = Q(is_answered=True, active_at__isnull=False)
HAS_TALK = HAS_ANSWER & Q(ended_at__lte=F("heard_at"))  # not where the end was lost: legs.is_end_lost
SAME_CALL = Q(from_call_id=OuterRef("from_call_id")) & ~Q(from_call_id="")  # without a caller's id: of its own
LATER = Q(first_seen_at__gt=OuterRef("first_seen_at")) | Q(
    first_seen_at=OuterRef("first_seen_at"), pk__gt=OuterRef("pk")
)


@dataclass(frozen=True)
class PersonFigures:
    """A person over some days. Seconds; averages are None where nothing was answered or its times are not known.

    `missed` is None where it cannot be told (tells_missed).
    """

    person: Person
    answered: int
    missed: int | None
    talk_seconds: int
    average_talk_seconds: int | None
    average_ring_seconds: int | None


def tells_missed(domain_id: int) -> bool:
    """Whether missed calls can be told from those a colleague took: not where each leg has a call id of its own."""
    return not locks.against(domain_id, ONE_CALL_ID)


def by_person(domain: Domain, period: Period, limit: Limit = EVERYTHING) -> list[PersonFigures]:
    """Everybody whose phone rang on these days, by name; with a limit those, and of those calls, that may be seen.

    From days that were added up before; where none was, the database adds up, and a row per person comes back.
    """
    rolled, others = calls.of_days(domain, period, limit)
    people = limits.restrict(Person.objects.filter(domain=domain, is_hidden=False), "extension", limit.people)
    known = {person.extension: person for person in people}
    is_told = tells_missed(domain.pk)
    if rolled or not others:
        counted = calls.persons(domain, period, limit, rolled, others)
        phones = ((known[extension], phone) for extension, phone in counted.items() if extension in known)
        found = [of_phone(person, phone, is_missed_told=is_told) for person, phone in phones]
        return sorted(found, key=_by_name)
    rings = visible_calls.shown(_legs(domain, period.begin, period.end), domain.pk, limit)
    missed = _missed(domain, period, rings) if is_told else None
    rows: QuerySet[Any, Any] = rings.values("to_user").annotate(
        answered=Count(CALL_OF, distinct=True, filter=Q(is_answered=True)),
        talk=Sum(TALK, filter=HAS_TALK),
        average_talk=Avg(TALK, filter=HAS_TALK),
        average_ring=Avg(RING, filter=HAS_ANSWER),
    )
    # Phones of hidden people, and extensions that are nobody's, ring as well.
    found = [_figures(known[row["to_user"]], row, missed) for row in rows if row["to_user"] in known]
    return sorted(found, key=_by_name)


def _by_name(each: PersonFigures) -> tuple[str, str]:
    return str(each.person).casefold(), each.person.extension


def of_phone(person: Person, phone: PersonDay | None, *, is_missed_told: bool) -> PersonFigures:
    """The figures of a person whose phone did this; all nothing where it never rang."""
    day = phone or PersonDay()
    return PersonFigures(
        person,
        answered=day.answered,
        missed=day.missed if is_missed_told else None,
        talk_seconds=_seconds(day.talk * groups.MICROSECOND) or 0,
        average_talk_seconds=_seconds(day.talk * groups.MICROSECOND / day.talks) if day.talks else None,
        average_ring_seconds=_seconds(day.ring * groups.MICROSECOND / day.rings) if day.rings else None,
    )


def _legs(domain: Domain, begin: datetime, end: datetime) -> QuerySet[Leg]:
    """What rang people's phones then."""
    return Leg.objects.filter(TO_PERSON, domain=domain, first_seen_at__gte=begin, first_seen_at__lt=end)


def _missed(domain: Domain, period: Period, rings: QuerySet[Leg]) -> dict[str, int]:
    """How many calls each phone missed: its last ring of the call was not answered, and nobody took the call.

    Hidden colleagues count, and another phone of the same person.
    """
    # A colleague may take the call after the last day is over.
    of_call = _legs(domain, period.begin, period.end + LONGEST_CALL).filter(SAME_CALL)
    again = of_call.filter(LATER, to_user=OuterRef("to_user"), first_seen_at__lt=period.end)
    is_answered_then = Q(active_at__gte=OuterRef("first_seen_at") - Value(ANSWER_TOLERANCE, DurationField()))
    # When is unknown where the event of the answer was lost.
    is_answered_somewhen = Q(is_answered=True, active_at=None) & (
        Q(ended_at=None) | Q(ended_at__gte=OuterRef("first_seen_at"))
    )
    taken = of_call.exclude(pk=OuterRef("pk")).filter(is_answered_then | is_answered_somewhen)
    over = rings.filter(is_answered=False, ended_at__isnull=False).filter(~Exists(again), ~Exists(taken))
    return {row["to_user"]: row["calls"] for row in over.values("to_user").annotate(calls=Count("pk"))}


def _figures(person: Person, row: dict[str, Any], missed: dict[str, int] | None) -> PersonFigures:
    return PersonFigures(
        person,
        answered=row["answered"],
        missed=None if missed is None else missed.get(person.extension, 0),
        talk_seconds=_seconds(row["talk"]) or 0,
        average_talk_seconds=_seconds(row["average_talk"]),
        average_ring_seconds=_seconds(row["average_ring"]),
    )


def _seconds(length: timedelta | None) -> int | None:
    return None if length is None else round(length.total_seconds())
