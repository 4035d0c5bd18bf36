"""People with what their phones do, as rows of a sheet with a head."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.db.models import F

from accounts import limits
from accounts.limits import Limit
from accounts.models import Domain, Person
from accounts.sheets.cells import stamp
from wallboard.calls.models import Presence

Row = tuple[object, ...]


def of_people(domain: Domain, limit: Limit) -> Iterator[Row]:
    """A line per person whom somebody with this limit sees: what the phone does, and what they say of themselves."""
    zone = ZoneInfo(domain.time_zone)
    yield ("extension", "name", "state", f"since ({zone})", "says", "note", "back")
    # Whether there is a presence at all: asking the relation of somebody without one raises an error.
    people = Person.objects.filter(domain=domain, is_hidden=False).annotate(presence_pk=F("presence__id"))
    for person in limits.restrict(people, "extension", limit.people).select_related("presence").order_by("extension"):
        at = person.presence if person.presence_pk else Presence()
        status = (at.status, at.status_note, stamp(at.status_until, zone))
        yield (person.extension, person.name, at.state, stamp(at.since, zone), *status)
