"""Hours as people write them, `08:00–12:00, 13:00–17:00`, and the one place that changes them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import Domain
from wallboard.queues.hours.calendar import DAY_MINUTES, Range, end_of
from wallboard.queues.models import Hours, Queue

# Far more than any shop has; a bound for what a form may make the database keep.
MOST_RANGES = 6
MOST_DAYS = 200
LONGEST_NAME = 60
HALF_DAY = DAY_MINUTES // 2
# People type 8-12, 8.00–12.00 or “8 to 12”.
RANGE = re.compile(r"^(\d{1,2})(?:[:.](\d{2}))?\s*(?:-|–|—|to)\s*(\d{1,2})(?:[:.](\d{2}))?$", re.IGNORECASE)
ClosedDay = tuple[str, str]  # 2026-12-25, and what for


class BadHours(Exception):
    """What was written makes no hours; the sentence says what to write instead."""


@dataclass(frozen=True)
class Timetable:
    """All that can be said about the hours of a queue or of the company; see models.Hours."""

    week: tuple[tuple[Range, ...], ...] = ((),) * 7
    closed_days: tuple[ClosedDay, ...] = field(default=())
    keeps_closed_days: bool = True
    counts_outside: bool = False


def read_ranges(text: str) -> tuple[Range, ...]:
    """The ranges of one day, in order; none for an empty text. Raises BadHours."""
    pieces = [piece.strip() for piece in re.split(r"[,;\n]", text) if piece.strip()]
    if len(pieces) > MOST_RANGES:
        raise BadHours(_("Write at most %(most)s ranges for one day.") % {"most": MOST_RANGES})
    ranges = tuple(sorted(_range(piece) for piece in pieces))
    # Overlaps are mostly typing errors, and which of two ends was meant nobody could tell later.
    for (begin, until), (following, _until) in pairwise(ranges):
        if end_of(begin, until) > following:
            raise BadHours(_("Two ranges of this day overlap: let one end before the next begins."))
    return ranges


def _range(piece: str) -> Range:
    found = RANGE.match(piece)
    if found is None:
        raise BadHours(_("“%(text)s” is no range. Write it like 08:00–17:00.") % {"text": piece[:40]})
    numbers = [int(each or 0) for each in found.groups()]
    begin, until = numbers[0] * 60 + numbers[1], numbers[2] * 60 + numbers[3]
    if max(numbers[1], numbers[3]) > 59 or begin >= DAY_MINUTES or until > DAY_MINUTES or begin == until:
        raise BadHours(_("“%(text)s” is no range of a day: 00:00 to 24:00.") % {"text": piece[:40]})
    return begin, until


def is_doubtful(span: Range) -> bool:
    """Whether a range goes past midnight and lasts longer than half a day, as 8 to 5 does where 17:00 was meant.

    A night, as 22:00 to 6:00, is shorter; and 00:00 is midnight on every clock.
    """
    begin, until = span
    return 0 < until < begin and end_of(begin, until) - begin > HALF_DAY


def in_the_afternoon(span: Range) -> Range | None:
    """The same range if its end was meant by a clock of twelve hours: 08:00 to 17:00; None where it cannot be."""
    begin, until = span
    return (begin, until + HALF_DAY) if until < HALF_DAY else None


def shown_ranges(ranges: Sequence[Sequence[int]]) -> str:
    """Ranges as read_ranges takes them."""
    return ", ".join(f"{_clock(begin)}–{_clock(until)}" for begin, until in ranges)


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def read_days(text: str) -> tuple[ClosedDay, ...]:
    """Closed days, one in each line: a date, and what for where that is known. Raises BadHours."""
    lines = [line.strip() for line in text.replace("\0", "").splitlines() if line.strip()]
    if len(lines) > MOST_DAYS:
        raise BadHours(_("Write at most %(most)s closed days.") % {"most": MOST_DAYS})
    # A day that is written twice counts once, with its last name.
    return tuple(sorted({day: (day, name) for day, name in map(_day, lines)}.values()))


def _day(line: str) -> ClosedDay:
    written, _space, name = line.partition(" ")
    try:
        day = date.fromisoformat(written)
    except ValueError:
        raise BadHours(_("“%(text)s” is no date. Write it like 2026-12-25.") % {"text": line[:40]}) from None
    return day.isoformat(), name.strip()[:LONGEST_NAME]


def shown_days(days: Sequence[Sequence[str]]) -> str:
    """Closed days as read_days takes them."""
    return "\n".join(" ".join(each).strip() for each in days)


def timetable_of(row: Hours) -> Timetable:
    """What is stored, in the form that `set_hours` takes."""
    week = tuple(tuple((each[0], each[1]) for each in ranges) for ranges in row.week)
    days = tuple((each[0], each[1]) for each in row.closed_days)
    return Timetable(week, days, row.keeps_closed_days, row.counts_outside)


def save_hours(domain: Domain, queue: Queue | None, timetable: Timetable) -> None:
    """Set hours as somebody wrote them; a company that is never closed needs none."""
    says_nothing = not any(timetable.week) and not timetable.closed_days and not timetable.counts_outside
    # No row means the same, and then nothing has to be read at each poll.
    if queue is None and says_nothing:
        drop_hours(domain, None)
    else:
        set_hours(domain, queue, timetable)


def set_hours(domain: Domain, queue: Queue | None, timetable: Timetable) -> Hours:
    """Set the hours of one queue, or with None those of every other. Boards follow with the next reading."""
    values = {
        "week": [[list(each) for each in ranges] for ranges in timetable.week],
        "closed_days": [list(each) for each in timetable.closed_days],
        "keeps_closed_days": timetable.keeps_closed_days,
        "counts_outside": timetable.counts_outside,
    }
    with transaction.atomic():
        before = Hours.objects.filter(domain=domain, queue=queue).first()
        row, _is_new = Hours.objects.update_or_create(domain=domain, queue=queue, defaults=values)
        changes = audit.differences(_audited(before), _audited(row))
        audit.log_changes(domain.pk, "hours changed", _about(queue), changes)
    return row


def drop_hours(domain: Domain, queue: Queue | None) -> None:
    """The queue has the company's hours again, or the company none: then it is always open."""
    with transaction.atomic():
        rows = Hours.objects.filter(domain=domain, queue=queue)
        # Nothing dropped is nothing to log.
        if rows.exists():
            rows.delete()
            audit.log(domain.pk, "hours dropped", _about(queue))


def _about(queue: Queue | None) -> str:
    return queue.number if queue else "every queue"


def _audited(row: Hours | None) -> dict[str, object]:
    """Hours as the audit log has them."""
    stored = timetable_of(row) if row else Timetable()
    week = "; ".join(shown_ranges(ranges) or "–" for ranges in stored.week)
    days = ", ".join(day for day, _name in stored.closed_days)
    return {"week": week if row else "", "closed days": days, "keeps closed days": stored.keeps_closed_days,
            "counts outside": stored.counts_outside}  # fmt: skip
