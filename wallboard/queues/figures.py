"""From the provider's statistics to what a feed holds for each queue, and which of it is new."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from accounts.models import Domain
from wallboard.queues.levels import Standards, judged
from wallboard.telephony.resources import QueueStats

SECONDS_PER = {Domain.WaitUnit.SECONDS.value: 1.0, Domain.WaitUnit.MINUTES.value: 60.0, "ms": 0.001}
Document = dict[str, Any]
Held = dict[str, tuple[int, Document]]  # number -> (version of its last change, document)


@dataclass(slots=True)
class Newest:
    """What is held after an answer: everything, and the numbers whose documents changed, came or went missing."""

    held: Held
    changed: list[str] = field(default_factory=list)
    reading: dict[str, list[Any]] = field(default_factory=dict)


def merged(held: Held, answer: Iterable[QueueStats], unit: str, standards: Standards, version: int, at: int) -> Newest:
    """Lay an answer, read at `at` (ms), over what is held. A queue not in it keeps its last figures, as missing."""
    newest = Newest(dict(held))
    factor = SECONDS_PER[unit]
    for stats in answer:
        before = held.get(stats.number)
        document = _document(stats, factor, standards, before[1] if before else None, at)
        newest.reading[stats.number] = _short(document)
        if before is None or before[1] != document:
            newest.held[stats.number] = version, document
            newest.changed.append(stats.number)
    for number in held.keys() - newest.reading.keys():
        if held[number][1]["missing_since"] is None:
            newest.held[number] = version, {**held[number][1], "missing_since": at}
            newest.changed.append(number)
    return newest


def _document(stats: QueueStats, factor: float, standards: Standards, before: Document | None, at: int) -> Document:
    longest_wait = _seconds(stats.longest_wait, factor)
    level, reason = judged(stats.waiting, longest_wait, stats.available, standards.of(stats.number))
    return {
        "waiting": stats.waiting,
        "longest_wait": longest_wait,
        "average_wait": _seconds(stats.average_wait, factor),
        "agents": stats.agents,
        "available": stats.available,
        "unavailable": stats.unavailable,
        "level": level,
        "reason": reason,
        "since": before["since"] if before is not None and before["level"] == level else at,
        "missing_since": None,
    }


def _seconds(wait: float | None, factor: float) -> int | None:
    return None if wait is None else round(wait * factor)


def _short(document: Document) -> list[Any]:
    names = ("waiting", "longest_wait", "average_wait", "agents", "available", "level")
    return [document[name] for name in names]
