"""A few days of a small company by chance: around the change of clocks, with calls over the beginning of days.

And everything that reports count of them, over any of the days, for those who see all and for those who do not.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction

from accounts import limits
from accounts.access import Viewer
from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain, Person
from wallboard.calls.models import Leg
from wallboard.queues.models import Queue, Sample
from wallboard.reports import day_figures, hour_figures, person_figures
from wallboard.reports.models import CallDay, QueueCallDay, SampleDay
from wallboard.reports.period_parts import Period
from wallboard.reports.service import by_queue, counting, rules
from wallboard.reports.service_level import Rule, Rules, figures

ZONE = ZoneInfo("Europe/Berlin")
FIRST, DAYS = date(2026, 3, 27), 4  # clocks change on the 29th
AFTER = datetime(2026, 4, 2, 12, tzinfo=ZONE)
PEOPLE, QUEUES = ("101", "102", "103"), ("501", "502", "503")
LIMITS = (
    EVERYTHING,
    Limit(queues=frozenset({"501"})),
    Limit(people=frozenset({"101"})),
    Limit(frozenset({"502"}), frozenset({"102"})),
)
SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class Asked:
    """What a report is asked about."""

    viewer: Viewer
    domain: Domain
    period: Period
    queues: frozenset[str] = frozenset()


def viewer(domain: Domain, limit: Limit = EVERYTHING) -> Viewer:
    """A supervisor with this limit."""
    return Viewer(domain.pk, Person.Role.SUPERVISOR, limit=limit)


def make(domain: Domain, chance: Random) -> None:
    """Make the days; `domain` has its zone and the hour at which its days begin."""
    for number in QUEUES:
        Queue.objects.create(domain=domain, number=number, is_hidden=number == "503")
    for extension in PEOPLE:
        Person.objects.get_or_create(domain=domain, extension=extension)
    for name, extensions in (("Sales", PEOPLE[:2]), ("Service", PEOPLE[2:])):
        limits.save_team(domain, name, extensions)
    rules.save(domain, Rule("B"), {"502": rules.OwnSeconds(target=7)})
    begin = Period(FIRST, FIRST, ZONE, domain.day_starts_hour).begin
    Sample.objects.bulk_create(_samples(domain, begin, chance))
    legs: list[Leg] = []
    for place in range(40):
        # Most of them close to where a day ends.
        day = begin + timedelta(days=chance.randrange(DAYS + 1), seconds=chance.choice((-90, -20, 5, 40_000)))
        legs += _call(domain, f"call {place}", day + SECOND * chance.randrange(90), chance)
    Leg.objects.bulk_create(legs)


def limit_people(domain: Domain) -> None:
    """Somebody has each of the limits that the figures are counted for."""
    for place, limit in enumerate(LIMITS[1:]):
        person = Person.objects.create(domain=domain, extension=f"9{place}", role=Person.Role.SUPERVISOR)
        team = limits.save_team(domain, f"Limit {place}", limit.people) if limit.people is not None else None
        limits.set_limit(person, limit.queues, team)


def periods(domain: Domain) -> list[Period]:
    """All of the days, the two in the middle, and each of two by itself."""
    dates = [FIRST + timedelta(days=index) for index in range(DAYS)]
    spans = [(dates[0], dates[-1]), (dates[1], dates[2]), (dates[0], dates[0]), (dates[2], dates[2])]
    return [Period(first, last, ZONE, domain.day_starts_hour) for first, last in spans]


def agree(domain: Domain, told: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    """Every figure over any of the days is what the rows tell: that comes back, for when they are asked unchanged."""
    wanted = periods(domain)
    told = told or from_rows(domain, wanted)
    assert [counted(domain, each) for each in wanted] == told
    return told


def counted(domain: Domain, period: Period) -> dict[str, Any]:
    """Everything that reports count of these days."""
    shown = list(Queue.objects.filter(domain=domain, is_hidden=False))
    calls = counting.calls(domain, period, counting.ground(domain.pk))
    by = rules.rules(domain.pk)
    service = [figures(number, [each for each in calls if each.queue == number], by) for number in QUEUES]
    asked = [Asked(viewer(domain, limit), domain, period) for limit in LIMITS]
    asked += [replace(asked[0], queues=frozenset({"502"}))]
    return {
        "totals": day_figures.by_queue(domain, period),
        "parts": sorted(day_figures.by_part(domain, period), key=lambda row: (row.queue.number, row.at)),
        "weeks": sorted(day_figures.by_day_and_week(domain, period)[1], key=lambda row: (row.queue.number, row.at)),
        "hours": hour_figures.together(shown, period),
        "hours of one": hour_figures.together(shown[:1], period),
        "hours of queues": hour_figures.by_queue(shown[:1], period),
        "outside": [day_figures.calls_by_day(domain, period, limit) for limit in LIMITS],
        "people": [person_figures.by_person(domain, period, limit) for limit in LIMITS],
        "service": [_rounded(each) for each in (*service, figures("", calls, by))],
        "levels": [_told(by_queue.of(each, by, most)) for each in asked for most in (None, 1)],
        "levels by another rule": _told(by_queue.of(asked[0], Rules(Rule("E", 30, 10)))),
        "rung": sorted((each.queue, each.entered_at, each.wait_seconds, sorted(each.people)) for each in calls),
    }


def from_rows(domain: Domain, wanted: Iterable[Period]) -> list[dict[str, Any]]:
    """The same with nothing that was added up before."""
    with transaction.atomic():
        for table in (SampleDay, CallDay, QueueCallDay):
            table._default_manager.filter(domain=domain).delete()
        found = [counted(domain, each) for each in wanted]
        transaction.set_rollback(True)
    return found


def _told(found: by_queue.Levels) -> Any:
    return [[(str(each), told, standing) for each, told, standing in rows] for rows in (found.rows, found.teams)]


def _rounded(told: Any) -> Any:
    return [getattr(told, name) for name in ("queue", "offered", "answered", "left_early", "repeated", "met", "base")]


def _samples(domain: Domain, begin: datetime, chance: Random) -> list[Sample]:
    queues = list(Queue.objects.filter(domain=domain))
    minutes = [begin + timedelta(minutes=each) for each in range(-60, (DAYS + 1) * 1440, 23)]
    return [_sample(chance.choice(queues), minute, chance) for minute in minutes]


def _sample(queue: Queue, minute: datetime, chance: Random) -> Sample:
    waiting = chance.choice((0, 0, 1, 3))
    return Sample(
        queue=queue,
        minute=minute,
        readings=12,
        waiting=waiting,
        most_waiting=waiting,
        longest_wait_seconds=chance.choice((None, chance.randrange(500))) if waiting else 0,
        average_wait_seconds=chance.choice((None, chance.uniform(1, 90))) if waiting else None,
        agents=3,
        least_available=1,
        watch_seconds=round(chance.uniform(0, 60), 3),
        late_seconds=chance.choice((0.0, 30.0, round(chance.uniform(0, 60), 3))),
        nobody_seconds=chance.choice((0.0, 7.5)),
    )


def _call(domain: Domain, name: str, at: datetime, chance: Random) -> list[Leg]:
    """From outside through queues to phones, which ring one after the other or again; or straight to a phone."""
    head = chance.choice((name, name, name, ""))
    number = chance.choice(("+4930901820", "+4930901821", "anonymous", f"+49309{chance.randrange(10**6)}"))
    legs = []
    for place in range(chance.randrange(1, 6)):
        seen = at + SECOND * chance.choice((0, 1, 7, 40, 80)) * place
        queue = chance.choice(QUEUES) if place == 0 and chance.random() < 0.8 else ""
        is_answered = chance.random() < (0.9 if queue else 0.4)
        answer = seen + timedelta(milliseconds=chance.randrange(9000))
        active = answer if is_answered and chance.random() < 0.9 else None
        over = seen + SECOND * chance.choice((10, 20, 3600)) + timedelta(microseconds=7)
        ended = None if chance.random() < 0.04 else over
        legs.append(
            Leg(
                domain=domain,
                from_call_id=head,
                to_call_id=f"{name} {place}",
                from_number=number,
                from_user=chance.choice(("", "", "", "101")) if not queue else "",
                to_user=queue or chance.choice(PEOPLE),
                queue=queue,
                is_answered=is_answered,
                is_human=False if queue else chance.choice((None, True, True, False)),
                first_seen_at=seen,
                ringing_at=chance.choice((None, seen + SECOND)),
                active_at=active,
                ended_at=ended,
                heard_at=ended if ended and place != 2 else seen,  # the end of some was never told
            )
        )
    return legs
