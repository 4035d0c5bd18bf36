"""The tables of a report as rows of a sheet, each with a head."""

from collections.abc import Iterable, Iterator
from zoneinfo import ZoneInfo

from accounts.models import Team
from accounts.sheets.cells import MINUTE, TIME, Lasting, stamp
from wallboard.reports.day_figures import CallDay, QueueFigures
from wallboard.reports.person_figures import PersonFigures
from wallboard.reports.service.by_queue import Row as LevelRow
from wallboard.reports.service_level import ServiceFigures

Row = tuple[object, ...]
FIGURES = {  # of each sheet, by column
    "queues": {
        "minutes over target": "reports.late",
        "minutes on watch": "reports.watch",
        "minutes with callers and nobody available": "reports.nobody",
        "most waiting": "reports.most",
        "longest wait in seconds": "reports.longest",
        "highest average wait in seconds": "reports.average",
        "minutes measured": "reports.measured",
    },
    "people": {
        "answered": "persons.answered",
        "missed": "persons.missed",
        "talk s": "persons.talk",
        "average talk s": "persons.average_talk",
        "average ring s": "persons.average_ring",
    },
    "calls": {
        "ended": "outside.ended",
        "answered by a person": "outside.answered",
        "unanswered": "outside.unanswered",
        "minutes of call events missing": "calls.missing",
    },
}
FIGURES["parts"] = FIGURES["queues"]
FIGURES["alerts"] = {
    "alerts": "responses.raised",
    "acknowledged": "responses.acknowledged",
    "median seconds to acknowledge": "responses.reaction",
    "median seconds until over": "responses.lasted",
}
FIGURES["service"] = {
    "service level %": "service.percent",
    "offered": "service.offered",
    "answered": "service.answered",
    "unanswered": "service.unanswered",
    "left early": "service.left_early",
    "average speed of answer s": "service.answer_speed",
    "repeat callers": "service.repeated",
}
QUEUE_COLUMNS = (
    "queue",
    "name",
    "minutes over target",
    "minutes on watch",
    "minutes with callers and nobody available",
    "most waiting",
    Lasting("longest wait in seconds", "longest wait"),
    "minutes measured",
    Lasting("highest average wait in seconds", "highest average wait"),
)


def part_rows(parts: Iterable[QueueFigures], zone: ZoneInfo) -> Iterator[Row]:
    """A line per queue and hour, or per queue and day."""
    yield (f"from ({zone})", *QUEUE_COLUMNS)
    for part in parts:
        yield (stamp(part.at, zone, MINUTE), *_of_queue(part))


def queue_rows(queues: Iterable[QueueFigures]) -> Iterator[Row]:
    """A line per queue over the whole period."""
    yield QUEUE_COLUMNS
    yield from map(_of_queue, queues)


def person_rows(people: Iterable[PersonFigures], missing: Iterable[str]) -> Iterator[Row]:
    """A line per person; the head ends with what of the calls is missing, in words."""
    talked = (Lasting("talk s", "talk"), Lasting("average talk s", "average talk"))
    yield ("extension", "name", "answered", "missed", *talked, Lasting("average ring s", "average ring"), *missing)
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


def call_rows(days: Iterable[CallDay], zone: ZoneInfo) -> Iterator[Row]:
    """A line per day, with how much of the day no call event told and since when they are counted on the first one."""
    yield ("day", "ended", "answered by a person", "unanswered", "minutes of call events missing", f"since ({zone})")
    for each in days:
        calls, missing, since = each.calls, each.coverage.missing, each.coverage.counted_since
        minutes = missing.minutes if missing else 0
        counts = (calls.ended, calls.answered, calls.unanswered) if each.is_told else ("", "", "")
        yield (each.day, *counts, minutes, stamp(since, zone, TIME))


def service_rows(levels: Iterable[LevelRow]) -> Iterator[Row]:
    """A line per queue, then one per team; of a queue that is only partly told, the name alone."""
    asked = Lasting("average speed of answer s", "average speed of answer")
    counts = (
        "service level %",
        "met",
        "of",
        "offered",
        "answered",
        "unanswered",
        "left early",
        asked,
        "repeat callers",
    )
    yield ("queue", "team", *counts)
    for each, told, standing in levels:
        of_team = isinstance(each, Team)
        names = ("" if of_team else str(each or "all of these"), str(each) if of_team else "")
        yield (*names, *(() if standing.is_split else _of_service(told)))


def _of_service(told: ServiceFigures) -> Row:
    return (
        "" if told.percent is None else told.percent,
        told.met,
        told.base,
        told.offered,
        told.answered,
        told.unanswered,
        told.left_early,
        "" if told.answer_seconds is None else round(told.answer_seconds),
        told.repeated,
    )


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
        row.average_wait_seconds or "",  # most often nobody waited, or the provider does not tell it
    )
