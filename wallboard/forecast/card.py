"""What a card of a board shows of the next hour: one figure over some queues, as the worker forecast it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import msgspec

from accounts.models import Domain
from wallboard.calibration import locks
from wallboard.forecast import forecasting
from wallboard.forecast.models import NextHour
from wallboard.forecast.outlook import Estimate, Outlook
from wallboard.forecast.page import FRESH, GONE_FOR
from wallboard.queues import renumbering
from wallboard.reports import time_windows
from wallboard.reports.time_windows import Numbers, shown_queues

CALLS, LONGEST, PEOPLE = "ahead_calls", "ahead_longest", "ahead_people"
FIGURES: dict[str, locks.Needs] = {
    CALLS: forecasting.CALL_NEEDS,
    LONGEST: forecasting.WAIT_NEEDS,
    PEOPLE: forecasting.WAIT_NEEDS,
}
CLOSED, SHORT, NO_TIMES, NO_TARGET, TOO_MANY, NONE_LATELY = (
    "ahead_closed", "ahead_short", "ahead_no_times", "ahead_no_target", "ahead_too_many", "ahead_none",
)  # fmt: skip
REASONS = {"closed": CLOSED, "short": SHORT, "no times": NO_TIMES, "no target": NO_TARGET, "too many": TOO_MANY}
Found = dict[str, Estimate | str]  # by the number of the queue: what is expected, or why that is not known


@dataclass(frozen=True)
class Ahead:
    """What is expected of the hour that begins then; None with `why` where that cannot be said.

    Calls of several queues are added up, of waits and people the queue with the most is told, in `queue`. `told` says
    of how many queues it is told, and of how many that are open.
    """

    begins_at: datetime
    expected: Estimate | None = None
    why: str = ""
    queue: str | None = None
    told: tuple[int, int] = (0, 0)
    is_overruled: bool = False


def ahead(domain: Domain, name: str, numbers: Numbers, now: datetime) -> Ahead:
    """The figure (one of FIGURES) of these queues, or of all that are shown."""
    begins_at = forecasting.quarter_begin(now)
    ground = locks.ground(domain.pk, FIGURES[name])
    if ground.locks:
        return Ahead(begins_at, why=time_windows.why_of(ground.locks))
    queues = shown_queues(domain, numbers)
    rows = {row.queue.number: row for row in NextHour.objects.filter(queue__in=queues).select_related("queue")}
    fresh = {number: row for number, row in rows.items() if now - row.begins_at <= FRESH}
    gone = {number for number, since in renumbering.missing_since(domain.pk).items() if now - since > GONE_FOR}
    found: Found = {
        number: _of(msgspec.convert(fresh[number].outlook, Outlook), name) if number in fresh else NONE_LATELY
        for number in queues.values_list("number", flat=True)
        if number not in gone
    }
    begins_at = max((row.begins_at for row in fresh.values()), default=begins_at)
    return _together(begins_at, name, found, bool(ground.overruled))


def _of(outlook: Outlook, name: str) -> Estimate | str:
    """What is expected of one queue, or why that is not known."""
    if outlook.why:
        return REASONS[outlook.why]
    of_name = {
        CALLS: (outlook.calls, ""),
        LONGEST: (outlook.longest, outlook.why_longest),
        PEOPLE: (outlook.people, outlook.why_people),
    }
    expected, why = of_name[name]
    return expected or REASONS.get(why, NO_TIMES)


def _together(begins_at: datetime, name: str, found: Found, is_overruled: bool) -> Ahead:
    """The figure of several queues; those that are closed do not count."""
    reasons = {why for why in found.values() if isinstance(why, str)}
    known = {number: each for number, each in found.items() if isinstance(each, Estimate)}
    if not known:
        others = sorted(reasons - {CLOSED})
        return Ahead(begins_at, why=others[0] if others else CLOSED if reasons else NONE_LATELY)
    told = len(known), sum(each != CLOSED for each in found.values())
    if name == CALLS:
        return Ahead(begins_at, _sum(known.values()), told=told, is_overruled=is_overruled)
    most = max(known, key=lambda number: known[number].middle)
    return Ahead(begins_at, known[most], queue=most, told=told, is_overruled=is_overruled)


def _sum(estimates: Iterable[Estimate]) -> Estimate:
    """All together. The ends are added up as well: queues of a company are busy on the same days, or less often so
    than that, and then the range is too wide rather than too narrow."""
    ends = zip(*(msgspec.structs.astuple(each) for each in estimates), strict=True)
    return Estimate(*map(sum, ends))
