"""What was found out becomes the company's setting: the unit of the waits and the zone of the call times."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

from accounts import domains
from accounts.models import Domain
from wallboard.calibration.questions.times import CallZone, offset_minutes
from wallboard.calibration.questions.waits import WaitUnit


class Answered(Protocol):
    """An answer and whether it may be relied on."""

    @property
    def answer(self) -> str: ...

    @property
    def is_certain(self) -> bool: ...


def apply(domain: Domain, standings: Mapping[str, Answered]) -> None:
    """Set what is certain and set otherwise."""
    unit, zone = standings[WaitUnit.name], standings[CallZone.name]
    wait_unit = unit.answer if unit.is_certain and unit.answer in Domain.WaitUnit.values else domain.wait_unit
    call_zone = fitting_zone(domain, zone.answer, timezone.now()) if zone.is_certain else domain.call_time_zone
    domains.set_reading(domain, wait_unit, call_zone)


def fitting_zone(domain: Domain, offset: str, now: datetime) -> str:
    """A zone with this offset now: the one that is set, that of the company, UTC, or the first that fits."""
    wanted = timedelta(minutes=offset_minutes(offset))
    for name in (domain.call_time_zone, domain.time_zone, "UTC", *sorted(available_timezones())):
        if now.astimezone(ZoneInfo(name)).utcoffset() == wanted:
            return str(name)
    return domain.call_time_zone
