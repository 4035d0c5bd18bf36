"""How often a company's own forecasts of calls were right: each is kept as it was made, and held against what came."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import msgspec
from django.db.models import Count, Sum

from wallboard.forecast import history
from wallboard.forecast.courses import WINDOW
from wallboard.forecast.history import Counted
from wallboard.forecast.models import ForecastDay
from wallboard.forecast.outlook import Estimate
from wallboard.queues.models import Queue

FEWEST_HOURS, FEWEST_DAYS = 100, 7  # hours of one day rise and fall together, so many of a few days tell little
FULL = 0.9  # of an hour's open minutes; where more is missing, or the clock showed the hour twice, nobody knows
WEEK = timedelta(days=7)


class Made(msgspec.Struct, frozen=True, array_like=True):
    """The forecast of an hour as it was made: for how many minutes the queue was to be open, and the calls."""

    minutes: float
    calls: Estimate


@dataclass(frozen=True)
class Accuracy:
    """Of so many hours on so many days: how many fell into their range, and by how many calls the forecasts missed.

    The errors are means over the `compared` hours of which the same hour a week before was seen as well: that of the
    forecast, and that of expecting as many calls as then.
    """

    hours: int = 0
    days: int = 0
    inside: int = 0
    compared: int = 0
    error: float = 0.0
    error_last_week: float = 0.0

    @property
    def is_enough(self) -> bool:
        """Whether that says anything."""
        return self.hours >= FEWEST_HOURS and self.days >= FEWEST_DAYS

    @property
    def percent(self) -> int:
        """The share of hours that fell into their range."""
        return round(100 * self.inside / self.hours) if self.hours else 0


def keep(begin: datetime, made: Mapping[Queue, Made]) -> None:
    """Keep the forecasts of the hour that begins then by the company's clock, if it is one from full hour to full hour.

    What is forecast at the quarters in between overlaps with it and would count the same calls again.
    """
    if begin.minute:
        return
    rows = {row.queue_id: row for row in ForecastDay.objects.filter(queue__in=made, day=begin.date())}
    for queue, each in made.items():
        row = rows.setdefault(queue.pk, ForecastDay(queue=queue, day=begin.date(), hours={}))
        # The first one counts: a second within the quarter knows more.
        row.hours.setdefault(str(begin.hour), msgspec.to_builtins(each))
    ForecastDay.objects.bulk_create(
        rows.values(), update_conflicts=True, unique_fields=["queue", "day"], update_fields=["hours"]
    )


def compare(queues: Iterable[Queue], day: date) -> None:
    """Hold the forecasts of a day that is over and counted against what came."""
    counted = history.stored(queues, day - WEEK)
    rows = list(ForecastDay.objects.filter(queue__in=queues, day=day))
    for row in rows:
        days = counted.get(row.queue_id, {})
        _fill(row, days.get(day), days.get(day - WEEK))
    ForecastDay.objects.bulk_update(rows, ["seen", "inside", "compared", "error", "error_last_week"])


def of(queues: Iterable[Queue]) -> Accuracy:
    """How right the forecasts of these queues were, as far as what came is known."""
    found = ForecastDay.objects.filter(queue__in=queues, seen__gt=0).aggregate(
        hours=Sum("seen", default=0),
        days=Count("day", distinct=True),
        inside=Sum("inside", default=0),
        compared=Sum("compared", default=0),
        missed=Sum("error", default=0.0),
        missed_last_week=Sum("error_last_week", default=0.0),
    )
    missed, missed_last_week = found.pop("missed"), found.pop("missed_last_week")
    compared = max(1, found["compared"])
    return Accuracy(**found, error=missed / compared, error_last_week=missed_last_week / compared)


def _fill(row: ForecastDay, counted: Counted | None, week_before: Counted | None) -> None:
    """Count the hours of a row of which it is known what came."""
    row.seen = row.inside = row.compared = 0
    row.error = row.error_last_week = 0.0
    for hour, values in row.hours.items():
        made = msgspec.convert(values, Made)
        came, before = (_came(each, int(hour), made.minutes) for each in (counted, week_before))
        if came is None:
            continue
        row.seen += 1
        row.inside += made.calls.low <= came <= made.calls.high
        if before is not None:
            row.compared += 1
            row.error += abs(came - made.calls.middle)
            row.error_last_week += abs(came - before)


def _came(counted: Counted | None, hour: int, minutes: float) -> int | None:
    """The calls of an hour of the clock, if nearly all of its open minutes were seen."""
    if counted is None:
        return None
    quarters = slice(hour * WINDOW, (hour + 1) * WINDOW)
    seen = sum(counted.minutes[quarters])
    return sum(counted.offered[quarters]) if FULL * minutes <= seen <= minutes / FULL else None
