"""What samples of queues add up to, in the database and in Python: sums add up again.

A row of sums is a dict with the names of SUMS and whatever it is grouped by.
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum

from wallboard.queues.level_minutes import LEVEL_SUMS

Row = dict[str, Any]
SUMS = {
    **LEVEL_SUMS,
    "most": Max("most_waiting"),
    "longest": Max("longest_wait_seconds"),
    "average": Max("average_wait_seconds"),
    "untold": Count("id", filter=Q(longest_wait_seconds=None)),
    "untold_average": Count("id", filter=Q(average_wait_seconds=None, most_waiting__gt=0)),
}
OF_SUMS = {  # the same of rows that were added up before
    "late": Sum("late_seconds"),
    "watch": Sum("watch_seconds"),
    "nobody": Sum("nobody_seconds"),
    "measured": Sum("measured_minutes"),
    "most": Max("most_waiting"),
    "longest": Max("longest_wait_seconds"),
    "average": Max("average_wait_seconds"),
    "untold": Sum("untold_waits"),
    "untold_average": Sum("untold_averages"),
}
COLUMNS = {
    "late": "late_seconds",
    "watch": "watch_seconds",
    "nobody": "nobody_seconds",
    "measured": "measured_minutes",
    "most": "most_waiting",
    "longest": "longest_wait_seconds",
    "average": "average_wait_seconds",
    "untold": "untold_waits",
    "untold_average": "untold_averages",
}
SECONDS = ("late", "watch", "nobody")  # of samples to the thousandth: more digits are what adding left behind
HIGHEST = ("most", "longest", "average")


def longest_of(row: Row) -> int | None:
    """The longest wait of a row of SUMS; what is known of it may be only that nobody waited at other times."""
    return row["longest"] or (None if row["untold"] else 0)


def average_of(row: Row) -> int | None:
    """The same for the highest average wait."""
    return round(row["average"] or 0) or (None if row["untold_average"] else 0)


def added(rows: QuerySet[Any], sums: dict[str, Any], *by: str) -> QuerySet[Any, Any]:
    """The rows added up, one for each of these."""
    found: QuerySet[Any, Any] = rows.values(*by).annotate(**sums).order_by()
    return found


def joined(rows: Iterable[Row], key: str) -> list[Row]:
    found: dict[Any, Row] = {}
    for row in rows:
        found[row[key]] = add(found[row[key]], row) if row[key] in found else row
    return list(found.values())


def add(one: Row, other: Row) -> Row:
    """Two rows of sums as one."""
    found = dict(one)
    for name in COLUMNS:
        if name in HIGHEST:
            found[name] = max((each[name] for each in (one, other) if each[name] is not None), default=None)
        else:
            found[name] = (one[name] or 0) + (other[name] or 0)
    return found


def values(row: Row) -> Row:
    return {column: round(row[name], 3) if name in SECONDS else row[name] for name, column in COLUMNS.items()}
