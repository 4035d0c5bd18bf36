"""The service level of some days per queue and team, as one viewer may see it, or why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
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
from wallboard.reports.rollups import sum_keys
from wallboard.reports.rollups.queue_sums import OfQueues
from wallboard.reports.rollups.sum_keys import Members
from wallboard.reports.rollups.sums_of_sets import EVERYBODY, Queues
from wallboard.reports.service import counting, targets
from wallboard.reports.service_level import Rules, ServiceFigures, of_all, of_sums

AT_ONCE = 60  # queues whose sums are in memory
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

    `left_out` are times of the days whose calls do not count, from when until when; `rows_left_out` how many queues
    with calls have no row.
    """

    ground: Ground
    rows: list[Row] = field(default_factory=list)
    teams: list[Row] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    too_many: bool = False
    rows_left_out: int = 0


def of(report: Report, by: Rules, most: int | None = None) -> Levels:
    """The figures of the queues and teams that the viewer sees, where what they rest on is proven.

    Of more than `most` queues only those with the most calls have a row; the one of all of them counts the others too.
    """
    ground = counting.ground(report.domain.pk)
    left_out = _left_out(report.period, ground)
    if not ground.is_firm:
        return Levels(ground, left_out=left_out)
    try:
        sums = counting.sums(report.domain, report.period, ground)
    except queue_calls.TooMany:
        return Levels(ground, left_out=left_out, too_many=True)
    numbers = frozenset(filter(partial(_counts, report), sums.all_shown))
    counter = Counter(sums, by, sums.together(numbers))
    # Who sees a team sees a part of each queue's calls: a share of those is no service level of the queue.
    if report.viewer.limit.people is not None:
        return Levels(ground, [], _teams(report, counter, numbers), left_out)
    offered = counter.offered(numbers)
    rows = _rows(report, counter, _with_row(offered, most), frozenset(offered))
    fewer = len(offered) - sum(isinstance(queue, Queue) for queue, *_rest in rows)
    return Levels(ground, rows, _teams(report, counter, numbers), left_out, rows_left_out=fewer)


@dataclass(frozen=True)
class Counter:
    """Counts several queues together: from few rows where there are sums of all of them (`together`)."""

    sums: OfQueues
    by: Rules
    together: Queues | None

    def offered(self, numbers: frozenset[str]) -> Mapping[str, int]:
        """How many calls came to each of these queues; only those with any."""
        return self.sums.offered(numbers) if self.together is None else self.together.offered

    def count(self, numbers: frozenset[str], members: Members | None = None) -> ServiceFigures:
        """The figures of these queues; of a team only of calls that rang at its phones."""
        if self.together is None:
            return of_sums("", self.sums.of(numbers, members), self.by)
        own = self.sums.of({number for number in self.by.own if number in numbers}, members)
        team = EVERYBODY if members is None else sum_keys.team_key(members)
        return of_all(self.together.counts(team), self.together.repeated(team), own, self.by)


def _with_row(offered: Mapping[str, int], most: int | None) -> frozenset[str]:
    """The queues with the most calls."""
    return frozenset(sorted(offered, key=lambda number: (-offered[number], number))[:most])


def _left_out(period: Period, ground: Ground) -> list[tuple[str, str]]:
    """From when until when calls of the period do not count, as the company writes times."""
    found = [(max(since, period.begin), min(until, period.end)) for since, until in ground.gaps]
    return [(_moment(since, period), _moment(until, period)) for since, until in found if since < until]


def _moment(at: datetime, period: Period) -> str:
    local = at.astimezone(period.zone)
    return f"{date_format(local, 'j M')}, {clock_text(period.clock, local)}"


def _counts(report: Report, number: str) -> bool:
    """Whether the viewer may see calls of that queue, and asked for it."""
    return report.viewer.limit.shows_queue(number) and (not report.queues or number in report.queues)


def _rows(report: Report, counter: Counter, with_row: frozenset[str], with_calls: frozenset[str]) -> list[Row]:
    """A row for each of these queues, and one for all queues with calls where there are several."""
    rows: list[Row] = []
    standards = levels.standards(report.domain.pk)
    renumbered = renumbering.found(report.domain.pk)
    time = report.period.begin, report.period.end

    def standing(told: ServiceFigures, numbers: frozenset[str], bounds: Pair) -> Standing:
        return _standing(told, bounds, is_split=any(each.splits(numbers, *time) for each in renumbered))

    queues = [each for each in Queue.objects.filter(domain=report.domain, is_hidden=False) if each.number in with_row]
    for begin in range(0, len(queues), AT_ONCE):
        some = queues[begin : begin + AT_ONCE]
        found = counter.sums.of({queue.number for queue in some})
        for queue in (each for each in some if each.number in found):
            told = of_sums(queue.number, {queue.number: found[queue.number]}, counter.by)
            bounds = standards.of(queue.number).service_below
            rows.append((queue, told, standing(told, frozenset({queue.number}), bounds)))
    if len(with_calls) > 1:
        told = counter.count(with_calls)
        rows.append((None, told, standing(told, with_calls, targets.bounds_over(standards, with_calls))))
    return rows


def _standing(told: ServiceFigures, bounds: Pair, *, is_split: bool) -> Standing:
    level = targets.level_of(told.met, told.base, bounds)
    watch, late = bounds
    return Standing(level, watch if level == WATCH or late is None else late, is_split)


def _teams(report: Report, counter: Counter, numbers: frozenset[str]) -> list[Row]:
    """A row for each team that the viewer sees: of the calls that rang at one of its phones."""
    rows: list[Row] = []
    for team in Team.objects.filter(domain=report.domain).prefetch_related("people"):
        members = frozenset(person.extension for person in team.people.all())
        if all(map(report.viewer.limit.shows_person, members)):
            rows.append((team, counter.count(numbers, members), Standing()))
    return rows
