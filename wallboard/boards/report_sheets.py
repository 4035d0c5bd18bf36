"""The tables of a report as rows of a sheet, each with a head."""

from collections.abc import Iterable, Iterator
from datetime import date
from zoneinfo import ZoneInfo

from wallboard.boards.figures import QueueFigures
from wallboard.boards.outside import OutsideCalls
from wallboard.boards.person_figures import PersonFigures

Row = tuple[object, ...]
OF_A_QUEUE = (
    "queue",
    "name",
    "minutes over target",
    "minutes on watch",
    "minutes with callers and nobody available",
    "most waiting",
    "longest wait in seconds",
    "minutes measured",
)


def of_parts(parts: Iterable[QueueFigures], zone: ZoneInfo) -> Iterator[Row]:
    """A line per queue and hour, or per queue and day."""
    yield (f"from ({zone})", *OF_A_QUEUE)
    for part in parts:
        yield (f"{part.at.astimezone(zone):%Y-%m-%d %H:%M}" if part.at else "", *_of_queue(part))


def of_queues(queues: Iterable[QueueFigures]) -> Iterator[Row]:
    """A line per queue over the whole period."""
    yield OF_A_QUEUE
    yield from map(_of_queue, queues)


def of_people(people: Iterable[PersonFigures]) -> Iterator[Row]:
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


def of_calls(days: Iterable[tuple[date, OutsideCalls]]) -> Iterator[Row]:
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
