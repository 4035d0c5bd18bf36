"""What the reports page shows of the time ahead: a row per queue, and the answer to a what-if."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import company_day
from accounts.languages.lists import listed
from accounts.models import Domain
from accounts.sheets.cells import MINUTE, Lasting, stamp
from wallboard.calibration import locks
from wallboard.desk.time_phrases import duration
from wallboard.forecast import forecasting, history, waits, what_if
from wallboard.forecast.calls_ahead import FEWEST_DAYS, WEEKS
from wallboard.forecast.courses import DAY
from wallboard.forecast.models import NextHour
from wallboard.forecast.outlook import Estimate, Outlook
from wallboard.forecast.waits import Sums
from wallboard.forecast.what_if import Answer, Came
from wallboard.queues import renumbering
from wallboard.queues.hours import calendar
from wallboard.queues.models import Queue
from wallboard.queues.targets import levels
from wallboard.reports import queue_calls

MOST_ROWS = 60  # of a table on the page; the sheet holds all
FRESH = timedelta(minutes=30)  # a forecast is made every quarter of an hour
GONE_FOR = timedelta(minutes=5)  # an answer may lack rows for a while
TARGET_SECONDS = 20  # of a what-if, where the queue has no target
AN_HOUR = timedelta(hours=1)
FIGURES = {  # of the sheet, by column
    "calls estimated": "forecast.calls",
    "people needed estimated": "forecast.people",
    "people as usual estimated": "forecast.usual_people",
    "longest wait s estimated": "forecast.longest",
}
TO = "\u2060–\u2060"  # between the ends of a range, which is not broken there


@dataclass(frozen=True)
class Row:
    """A queue with its forecast; `why` in words where there is none."""

    queue: Queue
    begins_at: datetime | None = None
    outlook: Outlook | None = None
    why: str = ""

    @property
    def why_waits(self) -> str:
        """Why there is no wait, in words."""
        return "" if self.outlook is None or self.outlook.longest else _("too few calls seen to tell")

    @property
    def why_people(self) -> str:
        """Why no number of people is shown, in words."""
        if self.outlook is None or self.outlook.people:
            return ""
        texts = {
            "no target": _("no target for its longest wait"),
            "too many": _("no number of people keeps it"),
        }
        return texts.get(self.outlook.why_people, _("too few calls seen to tell"))


def rows(queues: Sequence[Queue], now: datetime) -> list[Row]:
    """Each of these queues."""
    stored = {row.queue_id: row for row in NextHour.objects.filter(queue__in=queues)}
    gone = {pk: renumbering.missing_since(pk) for pk in {queue.domain_id for queue in queues}}
    return [_row(queue, stored.get(queue.pk), now, gone[queue.domain_id].get(queue.number)) for queue in queues]


def with_most_calls(found: Sequence[Row]) -> list[Row]:
    """As many rows as a page shows: those with the most calls ahead, in the company's order."""
    by_calls = sorted(found, key=lambda row: -row.outlook.calls.middle if row.outlook and row.outlook.calls else 0.0)
    shown = {row.queue.pk for row in by_calls[:MOST_ROWS]}
    return [row for row in found if row.queue.pk in shown]


def _row(queue: Queue, stored: NextHour | None, now: datetime, gone_since: datetime | None) -> Row:
    if gone_since is not None and now - gone_since > GONE_FOR:
        return Row(queue, why=_("The provider no longer names this queue, so nothing is forecast for it."))
    if stored is None:
        return Row(queue, why=_("Not calculated yet: the first forecast follows within a few minutes."))
    if now - stored.begins_at > FRESH:
        return Row(queue, why=_("No forecast was calculated in the last half hour, so none is shown."))
    outlook = msgspec.convert(stored.outlook, Outlook)
    if outlook.why == "closed":
        return Row(queue, stored.begins_at, why=_("Closed by its business hours."))
    if outlook.why == "short":
        return Row(queue, stored.begins_at, why=short_text(outlook.days))
    return Row(queue, stored.begins_at, outlook)


def short_text(days: int) -> str:
    """Too few weeks, in words."""
    text = ngettext(
        "Too short a history: this hour of this weekday was seen once, and %(wanted)d times are needed.",
        "Too short a history: this hour of this weekday was seen %(days)d times, and %(wanted)d are needed.",
        days,
    )
    return text % {"days": days, "wanted": FEWEST_DAYS}


def sheet(queues: Sequence[Queue], now: datetime, domain: Domain, waits: locks.Ground) -> list[tuple[object, ...]]:
    """The forecast as rows with a head, which ends with what an administrator set; `waits` is what waits rest on."""
    zone = company_day.zone_of(domain)
    head = ["queue", "name", f"hour from ({zone})", "calls estimated", "from", "to", "people needed estimated", "from"]
    head += ["to", "people as usual estimated", Lasting("longest wait s estimated", "longest wait estimated")]
    head += [Lasting("from", "from"), Lasting("to", "to"), "weeks seen", "why none"]
    if waits.overruled:
        head.append(_("set by an administrator, not measured: %(titles)s") % {"titles": listed(waits.overruled)})
    locked = _("waits not provable here: %(titles)s") % {"titles": listed(lock.title for lock in waits.locks)}
    found: list[tuple[object, ...]] = [tuple(head)]
    for row in rows(queues, now):
        begin = stamp(row.begins_at, zone, MINUTE)
        out = row.outlook or Outlook()
        # They were calculated when that was still proven.
        if not waits.is_firm:
            out = msgspec.structs.replace(out, people=None, usual_people=None, longest=None)
        figures = [*_cells(out.calls), *_cells(out.people), _rounded(out.usual_people), *_cells(out.longest)]
        of_waits = (row.why_people, row.why_waits) if waits.is_firm else (locked,)
        why = row.why or "; ".join(filter(None, of_waits))
        found.append((row.queue.number, str(row.queue), begin, *figures, out.days or "", why))
    return found


def _cells(estimate: Estimate | None) -> tuple[object, ...]:
    if estimate is None:
        return "", "", ""
    return round(estimate.middle, 1), round(estimate.low, 1), round(estimate.high, 1)


def _rounded(value: float | None) -> object:
    return "" if value is None else round(value, 1)


@dataclass(frozen=True)
class Line:
    """One figure of a what-if in three columns, as text; the interval of each that has one."""

    name: str
    measured: str
    as_it_was: tuple[str, str]
    changed: tuple[str, str]


def target_of(domain: Domain, number: str) -> int:
    """Seconds within which callers of the queue should be answered."""
    return levels.standards(domain.pk).of(number).longest_wait[1] or TARGET_SECONDS


def asked(domain: Domain, values: dict[str, Any]) -> tuple[Answer | None, str]:
    """The answer to the cleaned values of a WhatIfForm, or a sentence that says why there is none."""
    zone = company_day.zone_of(domain)
    day: date = values["what_day"]
    last = values["what_until"]
    end = datetime.combine(day + DAY, time(), zone) if last == 24 else datetime.combine(day, time(last), zone)
    # In UTC, where an hour is an hour on the day on which clocks change, too.
    begin, end = datetime.combine(day, time(values["what_from"]), zone).astimezone(UTC), end.astimezone(UTC)
    queue = Queue.objects.get(domain=domain, number=values["what_queue"])
    if queue.number in renumbering.split_in(domain.pk, begin - AN_HOUR, end):
        return None, _(
            "The number of this queue seems to have changed in these hours: only some of its calls are here."
        )
    days = history.stored([queue], day - WEEKS * 7 * DAY).get(queue.pk, {})
    times = waits.behaviour(sum((each.times for each in days.values()), Sums()))
    if times is None:
        return None, _("Too few calls of this queue were seen to know how long they take.")
    try:
        came = _came(domain, queue, begin, end)
    except queue_calls.TooMany:
        came = None
    if came is None or len(came) > what_if.MOST_CALLERS:
        return None, _("There were too many calls in these hours to replay at once: choose fewer.")
    found = what_if.answer(came, begin, end, values["what_change"], times, target_of(domain, queue.number))
    return found, "" if found else _("Nobody called this queue in these hours.")


def _came(domain: Domain, queue: Queue, begin: datetime, end: datetime) -> list[Came]:
    """The callers of these hours and of the one before, with which the floor is filled."""
    music = locks.ground(domain.pk, forecasting.WAIT_NEEDS).answers["queue_leg_answered"] == "answered"
    span = Hours(begin - AN_HOUR, end)
    is_open = calendar.schedule(domain).is_open
    calls = queue_calls.queue_calls(domain, span, is_open, from_music=music, number=queue.number)
    # From the music on, a caller may have come a little after the span of the leg.
    inside = (call for call in calls if span.begin <= call.entered_at < end)
    return [Came(call.entered_at, call.wait_seconds, call.is_answered) for call in inside]


@dataclass(frozen=True)
class Hours:
    """From when until when calls came."""

    begin: datetime
    end: datetime


def lines(answer: Answer, target: int) -> list[Line]:
    """The figures beside each other."""
    was, more, seen = answer.as_it_was, answer.changed, answer.measured
    longest = duration(seen.longest_seconds)
    return [
        Line(_("Average wait"), duration(seen.mean_seconds), _times(was.mean_seconds), _times(more.mean_seconds)),
        Line(_("Longest wait"), longest, _times(was.longest_seconds), _times(more.longest_seconds)),
        Line(_("Left unanswered"), f"{seen.left:.0f}", _numbers(was.left), _numbers(more.left)),
        Line(
            _("Answered within %(seconds)s s") % {"seconds": target},
            f"{seen.within_percent:.0f} %",
            _numbers(was.within_percent, " %"),
            _numbers(more.within_percent, " %"),
        ),
    ]


def _times(expected: waits.Expected) -> tuple[str, str]:
    middle, low, high = map(duration, expected)
    return middle, f"{low}{TO}{high}"


def _numbers(expected: waits.Expected, unit: str = "") -> tuple[str, str]:
    middle, low, high = (f"{value:.0f}" for value in expected)
    return f"{middle}{unit}", f"{low}{TO}{high}{unit}"
