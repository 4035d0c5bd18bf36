"""From the provider's statistics to what a feed holds for each queue, and which of it is new."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from accounts.models import Domain
from wallboard.queues.hours.calendar import Schedule
from wallboard.queues.targets.levels import CLOSED, NORMAL, Standards, judged
from wallboard.telephony.resources import QueueStats

Unit = Domain.WaitUnit
# The API does not say in which unit its waits are, so the company's settings do.
SECONDS_PER = {Unit.SECONDS.value: 1.0, Unit.MINUTES.value: 60.0, Unit.MILLISECONDS.value: 0.001}
# What is more is a counter that ran over or a clock that was set, no wait.
LONGEST_WAIT_SECONDS = 7 * 86_400
ALWAYS_OPEN = Schedule()
WAITS = ("longest", "average")


class QueueDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A queue as it was read: `queue:<number>` of the feed `queues`. Waits in seconds, times in ms.

    `longest_lately` and `average_lately` are waits of a period that the provider does not name, told in place of those
    of now; left out elsewhere, as every reading is sent to every screen.
    `since` is when it came to its level, `missing_since` when it was left out of an answer first, `opens_at` when it
    opens again where it is closed. What the provider does not tell is None. Every field has a default: a document that
    another release stored may lack it, and must not stop the next poll.
    """

    waiting: int = 0
    longest_wait: int | None = None
    average_wait: int | None = None
    agents: int | None = None
    available: int | None = None
    unavailable: int | None = None
    level: str = NORMAL
    reason: str = ""
    since: int = 0
    missing_since: int | None = None
    opens_at: int | None = None
    longest_lately: int | msgspec.UnsetType | None = msgspec.UNSET
    average_lately: int | msgspec.UnsetType | None = msgspec.UNSET


Waits = tuple[int | None, int | None]  # longest, average, in seconds
Held = dict[str, tuple[int, QueueDocument]]  # number -> (version of its last change, document)


@dataclass(slots=True)
class Newest:
    """What is held after an answer: everything, and the numbers whose documents changed, came or went missing.

    `has_moved` says whether in any queue another number of callers waits than before, or one came or went missing.
    """

    held: Held
    has_moved: bool = False
    changed: list[str] = field(default_factory=list)
    reading: dict[str, tuple[Any, ...]] = field(default_factory=dict)


def held(stored: Any) -> Held:
    """What PollState.figures holds, as documents."""
    return msgspec.convert(stored, Held)


def merged(
    before: Held,
    answer: Iterable[QueueStats],
    unit: str,
    standards: Standards,
    version: int,
    at: int,
    schedule: Schedule = ALWAYS_OPEN,
    hidden_waits: Collection[str] = (),
    period_waits: Collection[str] = (),
) -> Newest:
    """Lay an answer, read at `at` (ms), over what is held. A queue not in it keeps its last figures, as missing.

    Of `hidden_waits` ("longest", "average") nobody is told as waits of now, no level depends on them and no sample is
    made of them; those in `period_waits`, too, are told as waits of a period.
    Outside its hours a queue is neither watch nor late: its level is normal, and "closed" is the reason.
    """
    newest = Newest(dict(before))
    factor, moment = SECONDS_PER[unit], datetime.fromtimestamp(at / 1000, UTC)
    for stats in answer:
        number = stats.number
        waits = _seconds(stats.longest_wait, factor), _seconds(stats.average_wait, factor)
        lately = {f"{name}_lately": wait for name, wait in zip(WAITS, waits, strict=True) if name in period_waits}
        waits = _shown(waits, hidden_waits)
        document = msgspec.structs.replace(_document(stats, waits, standards, at), **lately)
        # Outside hours boards are calm, yet a company may still count the minutes: two levels, shown and counted.
        counted = document.level
        if not schedule.is_open(number, moment):
            counted = counted if schedule.counts_outside else CLOSED
            opens_at = _milliseconds(schedule.opens_after(number, moment))
            document = msgspec.structs.replace(document, level=NORMAL, reason=CLOSED, opens_at=opens_at)
        known = before[number][1] if number in before else None
        # A level keeps its beginning over readings: boards say since when a queue is late.
        if known is not None and known.level == document.level:
            document = msgspec.structs.replace(document, since=known.since)
        newest.has_moved |= known is None or known.waiting != document.waiting or known.missing_since is not None
        if document != known:
            # Only what differs gets the new version, so a quiet queue costs the feed nothing.
            newest.held[number] = version, document
            newest.changed.append(number)
        newest.reading[number] = (stats.waiting, *waits, stats.agents, stats.available, counted)
    # An answer may lack rows for a while. A queue that vanished at once would look like one without callers.
    for number in before.keys() - newest.reading.keys():
        if before[number][1].missing_since is None:
            newest.held[number] = version, msgspec.structs.replace(before[number][1], missing_since=at)
            newest.changed.append(number)
            newest.has_moved = True
    return newest


def _milliseconds(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.timestamp() * 1000)


def _shown(waits: Waits, hidden: Collection[str]) -> Waits:
    longest, average = waits
    return (None if "longest" in hidden else longest, None if "average" in hidden else average)


def _document(stats: QueueStats, waits: Waits, standards: Standards, at: int) -> QueueDocument:
    longest, average = waits
    level, reason = judged(stats.waiting, longest, stats.available, standards.of(stats.number), average)
    return QueueDocument(
        waiting=stats.waiting,
        longest_wait=longest,
        average_wait=average,
        agents=stats.agents,
        available=stats.available,
        unavailable=stats.unavailable,
        level=level,
        reason=reason,
        since=at,
        missing_since=None,
    )


def _seconds(wait: float | None, factor: float) -> int | None:
    """A wait in seconds; None for one that was not told, and for one that nobody has ever waited."""
    seconds = None if wait is None else wait * factor
    return None if seconds is None or seconds > LONGEST_WAIT_SECONDS else round(seconds)
