"""Past alerts as rows of a sheet."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from accounts.models import Domain
from wallboard.alerts.models import Alert

FIGURES = {"reaction s": "alerts.reaction", "lasted s": "alerts.lasted"}  # by column


def lines(alerts: Iterable[Alert], domain: Domain) -> Iterator[tuple[object, ...]]:
    """A line per alert, with a head; times in the company's zone."""
    zone = ZoneInfo(domain.time_zone)
    yield (
        *("queue", "name", "worst", "reason", f"raised ({zone})", "acknowledged by", "acknowledged"),
        *("reaction s", "ended", "ended why", "lasted s", "kind"),
    )
    for each in alerts:
        yield (
            *(each.queue.number if each.queue else "", each.name, each.worst, each.reason),
            _local(each.raised_at, zone),
            *(each.acknowledged_name, _local(each.acknowledged_at, zone), each.reaction_seconds),
            *(_local(each.ended_at, zone), each.ended_why, each.seconds, each.kind),
        )


def _local(moment: datetime | None, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S}" if moment else ""
