"""The tables of a report as rows of a sheet, each with a head."""

from collections.abc import Iterable, Iterator
from datetime import date
from zoneinfo import ZoneInfo

from wallboard.reports.day_figures import QueueFigures
from wallboard.reports.external_calls import ExternalCalls
from wallboard.reports.person_figures import PersonFigures

Row = tuple[object, ...]
QUEUE_COLUMNS = (
    "queue",
    "name",
    "minutes over target",
    "minutes on watch",
    "minutes with callers and nobody available",
    "most waiting",
    "longest wait in seconds",
    "minutes measured",
)


def part_rows(parts: Iterable[QueueFigures], zone: ZoneInfo) -> Iterator[Row]:
    """A line per queue and hour, or per queue and day."""
    yield (f"from ({zone})", *QUEUE_COLUMNS)
    for part in parts:
        yield (f"{part.at.astimezone(zone):%Y-%m-%d %H:%M}" if part.at else "", *_of_queue(part))


def queue_rows(queues: Iterable[QueueFigures]) -> Iterator[Row]:
    """A line per queue over the whole period."""
    yield QUEUE_COLUMNS
    yield from map(_of_queue, queues)


def person_rows(people: Iterable[PersonFigures]) -> Iterator[Row]:
    """A line per person."""
    yield ("extension", "name", "answered", "missed", "talk s", "average talk s", "average ring s")
    for each in people:
        yield (
            each.person.extension,
            each.person.name,
            each.answered,
            each.missed,
            each.talk_seconds,
            each.average_talk_seconds,
            each.average_ring_seconds,
        )


def call_rows(days: Iterable[tuple[date, ExternalCalls]]) -> Iterator[Row]:
    """A line per day."""
    yield ("day", "ended", "answered by a person", "unanswered")
    for day, calls in days:
        yield (f"{day}", calls.ended, calls.answered, calls.unanswered)


def _of_queue(row: QueueFigures) -> Row:
    return (
        row.queue.number,
        str(row.queue),
        row.late_minutes,
        row.watch_minutes,
        row.nobody_minutes,
        row.most_waiting,
        row.longest_wait_seconds,
        row.measured_minutes,
    )
