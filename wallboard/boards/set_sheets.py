"""Targets and people as rows of a sheet, each with a head."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import F

from accounts import limits
from accounts.limits import Limit
from accounts.models import Domain, Person
from wallboard.boards import target_rows
from wallboard.calls.models import Presence
from wallboard.queues import naming

Row = tuple[object, ...]


def of_targets(domain: Domain) -> Iterator[Row]:
    """A line for the default and one per queue; an empty cell is inherited from the default."""
    yield ("queue", "name", *naming.TARGET_FIELDS)
    for row in target_rows.rows_of(domain):
        bounds = (row.bounds.get(name) for name in naming.TARGET_FIELDS)
        yield (row.queue.number if row.queue else "", row.name, *bounds)


def of_people(domain: Domain, sight: Limit) -> Iterator[Row]:
    """A line per person whom somebody with this limit sees: what the phone does, and what they say of themselves."""
    zone = ZoneInfo(domain.time_zone)
    yield ("extension", "name", "state", f"since ({zone})", "says", "note", "back")
    people = Person.objects.filter(domain=domain, is_hidden=False).annotate(told=F("presence__id"))
    for person in limits.only(people, "extension", sight.people).select_related("presence").order_by("extension"):
        at = person.presence if person.told else Presence()
        said = (at.said, at.said_note, _told(at.said_until, zone))
        yield (person.extension, person.name, at.state, _told(at.since, zone), *said)


def _told(moment: datetime | None, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S}" if moment else ""
