"""Day figures of queues and calls for the reports, by the company's own days and hours."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from accounts import domains, limits
from accounts.access import Viewer
from accounts.limits import EVERYTHING, Limit
from accounts.models import Domain
from wallboard.calibration import locks
from wallboard.calls.gaps import coverage
from wallboard.calls.gaps.coverage import Coverage
from wallboard.figures.phrases import ONE_CALL_ID
from wallboard.queues.level_minutes import minutes
from wallboard.queues.models import Queue
from wallboard.reports.external_calls import ExternalCalls, external_calls_by_span
from wallboard.reports.period_parts import Period
from wallboard.reports.rollups import calls, days, samples
from wallboard.reports.rollups.sample_sums import average_of, longest_of

MAX_DAYS = 92  # days in one report


@dataclass(frozen=True)
class QueueFigures:
    """A queue over some time; everything measured at the poll. Minutes, people, seconds.

    Waits are None where somebody waited and it is not known for how long, and where they must not be shown
    (accounts.domains.hides_wait).
    """

    queue: Queue
    at: datetime | None
    late_minutes: int
    watch_minutes: int
    nobody_minutes: int
    most_waiting: int
    longest_wait_seconds: int | None
    measured_minutes: int
    average_wait_seconds: int | None = 0  # the highest of any minute, as a target for it is reached then

    @property
    def heat(self) -> int:
        """0 to 4: how much of the time was late, for a shade that stands behind the figure."""
        share = self.late_minutes / self.measured_minutes if self.measured_minutes else 0
        return sum(share > limit for limit in (0, 0.05, 0.15, 0.4))


def visible_queues(viewer: Viewer) -> list[Queue]:
    """Those that the viewer may choose from."""
    shown = Queue.objects.filter(domain_id=viewer.domain_id, is_hidden=False)
    return list(limits.restrict(shown, "number", viewer.limit.queues))


def by_queue(domain: Domain, period: Period) -> list[QueueFigures]:
    """One row per queue over the whole period, in the company's order."""
    return _figures(domain, samples.totals(domain, period))


def by_part(domain: Domain, period: Period, only: Collection[int] | None = None) -> list[QueueFigures]:
    """One row per queue and hour of a single day, or per queue and day of a longer period; of these, or of all."""
    parts = samples.by_hour if period.is_one_day else samples.by_day
    return _figures(domain, parts(domain, period, only))


def by_day_and_week(domain: Domain, period: Period, only: Collection[int] | None = None) -> list[list[QueueFigures]]:
    """One row per queue and day, and one per queue and week; of these queues, or of all."""
    rows = samples.by_day(domain, period, only)
    return [_figures(domain, rows), _figures(domain, samples.by_week(rows, period))]


def _figures(domain: Domain, rows: Iterable[dict[str, Any]]) -> list[QueueFigures]:
    queues = days.known_on_page(("queues", domain.pk)) or {row.pk: row for row in Queue.objects.filter(domain=domain)}
    days.keep_on_page(("queues", domain.pk), queues)
    hides_longest, hides_average = (domains.hides_wait(domain, name) for name in ("longest", "average"))
    order = {pk: index for index, pk in enumerate(queues)}
    return [
        QueueFigures(
            queues[row["queue_id"]],
            row.get("at"),
            minutes(row["late"]),
            minutes(row["watch"]),
            minutes(row["nobody"]),
            row["most"] or 0,
            None if hides_longest else longest_of(row),
            row["measured"],
            None if hides_average else average_of(row),
        )
        for row in sorted(rows, key=lambda row: order[row["queue_id"]])
    ]


def grid(rows: list[QueueFigures]) -> tuple[list[datetime], list[tuple[Queue, list[QueueFigures | None]]]]:
    """The parts as a table: the moments across, a line per queue, None where nothing was measured."""
    moments = sorted({row.at for row in rows if row.at is not None})
    found = {(row.queue.pk, row.at): row for row in rows}
    queues = list({row.queue.pk: row.queue for row in rows}.values())
    return moments, [(queue, [found.get((queue.pk, moment)) for moment in moments]) for queue in queues]


@dataclass(frozen=True)
class CallDay:
    """Calls from outside of one day, how far they were told, and whether their legs can be counted as calls at all."""

    day: date
    calls: ExternalCalls
    coverage: Coverage
    is_countable: bool = True

    @property
    def is_told(self) -> bool:
        """Whether call events came yet, and show which legs are one call: not known is not the same as none."""
        return self.is_countable and self.coverage.untold_until is None


def calls_by_day(domain: Domain, period: Period, limit: Limit = EVERYTHING) -> list[CallDay]:
    """Calls from outside per day, oldest first; with a limit those that may be seen."""
    wanted = period.days
    rolled, others = calls.of_days(domain, period, limit)
    counted = {day: ExternalCalls(each.ended, each.answered) for day, each in rolled.items()}
    if spans := {day.first: (day.begin, day.end) for each in others for day in each.days}:
        counted |= zip(spans, external_calls_by_span(domain.pk, list(spans.values()), limit), strict=True)
    told = coverage.of_spans(domain.pk, [(day.begin, day.end) for day in wanted])
    is_countable = not locks.against(domain.pk, ONE_CALL_ID)
    return [
        CallDay(day.first, counted[day.first], each, is_countable)
        for day, each in zip(wanted, told, strict=True)
        if day.first in counted
    ]
