"""Past alerts as rows of a sheet."""

from collections.abc import Iterable, Iterator
from zoneinfo import ZoneInfo

from accounts.models import Domain
from accounts.sheets.cells import Lasting, stamp
from wallboard.alerts.models import Alert

FIGURES = {"reaction s": "alerts.reaction", "lasted s": "alerts.lasted"}  # by column


def lines(alerts: Iterable[Alert], domain: Domain) -> Iterator[tuple[object, ...]]:
    """A line per alert, with a head; times in the company's zone."""
    zone = ZoneInfo(domain.time_zone)
    yield (
        *("queue", "name", "worst", "reason", f"raised ({zone})", "acknowledged by", "acknowledged"),
        *(Lasting("reaction s", "reaction"), "ended", "ended why", Lasting("lasted s", "lasted"), "kind"),
    )
    for each in alerts:
        yield (
            *(each.queue.number if each.queue else "", each.name, each.worst, each.reason),
            stamp(each.raised_at, zone),
            *(each.acknowledged_name, stamp(each.acknowledged_at, zone), each.reaction_seconds),
            *(stamp(each.ended_at, zone), each.ended_why, each.seconds, each.kind),
        )
