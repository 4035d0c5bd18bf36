"""From the provider's statistics to what a feed holds for each queue, and which of it is new."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

from accounts.models import Domain
from wallboard.queues.hours import Schedule
from wallboard.queues.levels import CLOSED, NORMAL, Standards, judged
from wallboard.telephony.resources import QueueStats

Unit = Domain.WaitUnit
SECONDS_PER = {Unit.SECONDS.value: 1.0, Unit.MINUTES.value: 60.0, Unit.MILLISECONDS.value: 0.001}
Document = dict[str, Any]
Held = dict[str, tuple[int, Document]]  # number -> (version of its last change, document)
READ = ("waiting", "longest_wait", "average_wait", "agents", "available", "unavailable", "level", "reason")
_read = itemgetter(*READ)
LONGEST_WAIT_SECONDS = 7 * 86_400  # what is more is a counter that ran over or a clock that was set, no wait
ALWAYS_OPEN = Schedule()


@dataclass(slots=True)
class Newest:
    """What is held after an answer: everything, and the numbers whose documents changed, came or went missing."""

    held: Held
    changed: list[str] = field(default_factory=list)
    reading: dict[str, tuple[Any, ...]] = field(default_factory=dict)


def merged(
    held: Held,
    answer: Iterable[QueueStats],
    unit: str,
    standards: Standards,
    version: int,
    at: int,
    schedule: Schedule = ALWAYS_OPEN,
) -> Newest:
    """Lay an answer, read at `at` (ms), over what is held. A queue not in it keeps its last figures, as missing.

    Outside its hours a queue is neither watch nor late: its level is normal, and "closed" is the reason.
    """
    newest = Newest(dict(held))
    factor, moment = SECONDS_PER[unit], datetime.fromtimestamp(at / 1000, UTC)
    for stats in answer:
        number = stats.number
        figures = _figures(stats, factor, standards)
        counted, opens_at = figures[6], None
        if not schedule.is_open(number, moment):
            counted = counted if schedule.counts_outside else CLOSED
            figures = (*figures[:6], NORMAL, CLOSED)
            opens_at = _milliseconds(schedule.opens_after(number, moment))
        before = held[number][1] if number in held else None
        if before is None or before["missing_since"] is not None or (*figures, opens_at) != _told(before):
            newest.held[number] = version, _document(figures, before, at) | {"opens_at": opens_at}
            newest.changed.append(number)
        newest.reading[number] = (*figures[:5], counted)
    for number in held.keys() - newest.reading.keys():
        if held[number][1]["missing_since"] is None:
            newest.held[number] = version, {**held[number][1], "missing_since": at}
            newest.changed.append(number)
    return newest


def _told(document: Document) -> tuple[Any, ...]:
    return (*_read(document), document.get("opens_at"))


def _milliseconds(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.timestamp() * 1000)


def _figures(stats: QueueStats, factor: float, standards: Standards) -> tuple[Any, ...]:
    """The values of READ, in its order."""
    longest, average = (_seconds(wait, factor) for wait in (stats.longest_wait, stats.average_wait))
    verdict = judged(stats.waiting, longest, stats.available, standards.of(stats.number))
    return (stats.waiting, longest, average, stats.agents, stats.available, stats.unavailable, *verdict)


def _seconds(wait: float | None, factor: float) -> int | None:
    """A wait in seconds; None for one that was not told, and for one that nobody has ever waited."""
    seconds = None if wait is None else wait * factor
    return None if seconds is None or seconds > LONGEST_WAIT_SECONDS else round(seconds)


def _document(figures: tuple[Any, ...], before: Document | None, at: int) -> Document:
    document = dict(zip(READ, figures, strict=True))
    is_same_level = before is not None and before["level"] == document["level"]
    return {**document, "since": before["since"] if before and is_same_level else at, "missing_since": None}
