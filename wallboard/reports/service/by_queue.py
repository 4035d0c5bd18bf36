"""The service level of some days per queue and team, as one viewer may see it, or why there is none."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from accounts.access import Viewer
from accounts.company_day import clock_text
from accounts.languages.dates import written as date_format
from accounts.models import Domain, Team
from wallboard.calibration.locks import Ground
from wallboard.queues import renumbering
from wallboard.queues.models import Queue
from wallboard.queues.targets import levels
from wallboard.queues.targets.levels import LATE, NORMAL, WATCH, Pair
from wallboard.reports import queue_calls
from wallboard.reports.period_parts import Period
from wallboard.reports.queue_calls import QueueCall
from wallboard.reports.service import counting, targets
from wallboard.reports.service_level import Rules, ServiceFigures, figures

Row = tuple[Queue | Team | None, ServiceFigures, "Standing"]


@dataclass(frozen=True)
class Standing:
    """How a service level stands against its target: the level, and the bound that it is below or that is asked for."""

    level: str = NORMAL
    target: int | None = None
    is_split: bool = False  # only a part of the calls is here

    @property
    def is_late(self) -> bool:
        return self.level == LATE


class Report(Protocol):
    """What a report is asked about."""

    @property
    def viewer(self) -> Viewer: ...

    @property
    def domain(self) -> Domain: ...

    @property
    def period(self) -> Period: ...

    @property
    def queues(self) -> frozenset[str]: ...


@dataclass(frozen=True)
class Levels:
    """What can be told of some days: rows of queues and of teams; none of either where there were too many calls.

    `left_out` are times of the days whose calls do not count, from when until when.
    """

    ground: Ground
    rows: list[Row] = field(default_factory=list)
    teams: list[Row] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    too_many: bool = False


def of(report: Report, by: Rules) -> Levels:
    """The figures of the queues and teams that the viewer sees, where what they rest on is proven."""
    ground = counting.ground(report.domain.pk)
    left_out = _left_out(report.period, ground)
    if not ground.is_firm:
        return Levels(ground, left_out=left_out)
    try:
        calls = [call for call in counting.calls(report.domain, report.period, ground) if _counts(report, call)]
    except queue_calls.TooMany:
        return Levels(ground, left_out=left_out, too_many=True)
    # Who sees a team sees a part of each queue's calls: a share of those is no service level of the queue.
    rows = [] if report.viewer.limit.people is not None else _rows(report, calls, by)
    return Levels(ground, rows, _teams(report, calls, by), left_out)


def _left_out(period: Period, ground: Ground) -> list[tuple[str, str]]:
    """From when until when calls of the period do not count, as the company writes times."""
    found = [(max(since, period.begin), min(until, period.end)) for since, until in ground.gaps]
    return [(_moment(since, period), _moment(until, period)) for since, until in found if since < until]


def _moment(at: datetime, period: Period) -> str:
    local = at.astimezone(period.zone)
    return f"{date_format(local, 'j M')}, {clock_text(period.clock, local)}"


def _counts(report: Report, call: QueueCall) -> bool:
    """Whether the viewer may see this call, and asked for its queue."""
    is_chosen = not report.queues or call.queue in report.queues
    return is_chosen and report.viewer.limit.shows_call({call.queue}, call.people)


def _rows(report: Report, calls: list[QueueCall], by: Rules) -> list[Row]:
    """A row for each queue with calls, and one for all of them where there are several."""
    rows: list[Row] = []
    standards = levels.standards(report.domain.pk)
    renumbered = renumbering.found(report.domain.pk)
    time = report.period.begin, report.period.end

    def standing(told: ServiceFigures, numbers: set[str], bounds: Pair) -> Standing:
        return _standing(told, bounds, is_split=any(each.splits(numbers, *time) for each in renumbered))

    of_queue: dict[str, list[QueueCall]] = defaultdict(list)
    for call in calls:
        of_queue[call.queue].append(call)
    for queue in Queue.objects.filter(domain=report.domain, is_hidden=False):
        if some := of_queue[queue.number]:
            told = figures(queue.number, some, by)
            bounds = standards.of(queue.number).service_below
            rows.append((queue, told, standing(told, {queue.number}, bounds)))
    if len(rows) > 1:
        shown = {queue.number for queue, *_rest in rows if isinstance(queue, Queue)}
        told = figures("", [call for call in calls if call.queue in shown], by)
        rows.append((None, told, standing(told, shown, targets.bounds_over(standards, shown))))
    return rows


def _standing(told: ServiceFigures, bounds: Pair, *, is_split: bool) -> Standing:
    level = targets.level_of(told.met, told.base, bounds)
    watch, late = bounds
    return Standing(level, watch if level == WATCH or late is None else late, is_split)


def _teams(report: Report, calls: list[QueueCall], by: Rules) -> list[Row]:
    """A row for each team that the viewer sees: of the calls that rang at one of its phones."""
    rows: list[Row] = []
    hidden = set(Queue.objects.filter(domain=report.domain, is_hidden=True).values_list("number", flat=True))
    for team in Team.objects.filter(domain=report.domain).prefetch_related("people"):
        members = {person.extension for person in team.people.all()}
        if all(map(report.viewer.limit.shows_person, members)):
            rung = [call for call in calls if call.people & members and call.queue not in hidden]
            rows.append((team, figures("", rung, by), Standing()))
    return rows
