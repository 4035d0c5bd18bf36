"""What was found out becomes the company's setting: the unit of the waits, the zone of the call times, hidden waits."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

from accounts import domains
from accounts.models import Domain
from wallboard.calibration.evidence import Run
from wallboard.calibration.questions.times import CallZone, offset_minutes
from wallboard.calibration.questions.waits import LATELY, AverageWaitOf, LongestWaitOf, WaitUnit
from wallboard.queues import rereading

WAITS = {"longest": LongestWaitOf.name, "average": AverageWaitOf.name}


class Answered(Protocol):
    """An answer and whether it may be relied on."""

    @property
    def answer(self) -> str: ...

    @property
    def verdict(self) -> str: ...

    @property
    def is_overruled(self) -> bool: ...

    @property
    def is_certain(self) -> bool: ...

    @property
    def is_lost(self) -> bool: ...

    @property
    def is_set_otherwise(self) -> bool: ...

    @property
    def since(self) -> datetime | None: ...

    @property
    def value(self) -> float | None: ...

    @property
    def runs(self) -> tuple[Run, ...]: ...


def apply(domain: Domain, standings: Mapping[str, Answered]) -> None:
    """Set what is certain and set otherwise."""
    unit, zone = standings[WaitUnit.name], standings[CallZone.name]
    wait_unit = unit.answer if unit.is_certain and unit.answer in Domain.WaitUnit.values else domain.wait_unit
    # Right after a change of clocks what was proven before says nothing about the zone that is set.
    call_zone = fitting_zone(domain, zone.answer, _said_at(zone)) if zone.is_certain else domain.call_time_zone
    was_unit = domain.wait_unit
    domains.set_reading(domain, wait_unit, call_zone, hidden_waits(standings), period_waits(standings))
    if wait_unit != was_unit:
        rereading.reread(domain, [_span(run) for run in unit.runs if run.until is not None])


def _span(run: Run) -> rereading.Held:
    """In which times a unit held that was proven then."""
    since, until = (datetime.fromtimestamp(each, UTC) for each in (run.since, run.until or run.since))
    return rereading.Held(run.answer, since, until)


def _said_at(found: Answered) -> datetime:
    """When somebody overruled it, or a call agreed with it last."""
    if found.is_overruled or found.value is None:
        return found.since or timezone.now()
    return datetime.fromtimestamp(found.value, UTC)


def hidden_waits(standings: Mapping[str, Answered]) -> set[str]:
    """The waits that must not be shown as waits of now: of a period as far as can be seen, or in doubt."""
    if _is_unit_in_doubt(standings):
        return set(WAITS)
    return {name for name, question in WAITS.items() if standings[question].is_lost} | period_waits(standings)


def period_waits(standings: Mapping[str, Answered]) -> set[str]:
    """The waits that are told as waits of a period: likely or certain to be such, in a unit that is not in doubt."""
    if _is_unit_in_doubt(standings):
        return set()
    return {name for name, question in WAITS.items() if _is_of_period(standings[question])}


def _is_unit_in_doubt(standings: Mapping[str, Answered]) -> bool:
    # A unit that is likely is not set before it is proven: until then waits are read in the other one.
    return standings[WaitUnit.name].is_lost or standings[WaitUnit.name].is_set_otherwise


def _is_of_period(found: Answered) -> bool:
    # One that is likely of a period judges nothing before that is proven: a wrong wait calls people without need.
    return found.answer == LATELY and (found.is_certain or found.verdict == "likely")


def fitting_zone(domain: Domain, offset: str, seen_at: datetime) -> str:
    """A zone with the offset seen then: the one that is set, that of the company, UTC, or the first that fits."""
    wanted = timedelta(minutes=offset_minutes(offset))
    for name in (domain.call_time_zone, domain.time_zone, "UTC", *sorted(available_timezones())):
        if seen_at.astimezone(ZoneInfo(name)).utcoffset() == wanted:
            return str(name)
    return domain.call_time_zone
