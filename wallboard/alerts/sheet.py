"""Past attentions as rows of a sheet."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from accounts.models import Domain
from wallboard.alerts.models import Episode


def lines(episodes: Iterable[Episode], domain: Domain) -> Iterator[tuple[object, ...]]:
    """A line per attention, with a head; moments by the company's clock."""
    zone = ZoneInfo(domain.time_zone)
    yield (
        *("queue", "name", "worst", "reason", f"raised ({zone})", "acknowledged by", "acknowledged"),
        *("reaction s", "ended", "ended why", "lasted s"),
    )
    for each in episodes:
        yield (
            *(each.queue.number, str(each.queue), each.worst, each.reason, _told(each.raised_at, zone)),
            *(each.acknowledged_name, _told(each.acknowledged_at, zone), each.reaction_seconds),
            *(_told(each.ended_at, zone), each.ended_why, each.seconds),
        )


def _told(moment: datetime | None, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S}" if moment else ""
