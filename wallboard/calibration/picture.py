"""A small picture of evidence: the longest wait of one queue beside its callers waiting, over the last readings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import Domain
from wallboard.queues.models import Reading

SHOWN = timedelta(minutes=12)
WIDTH, HEIGHT, FOOT = 480, 90, 24  # the foot is for the callers waiting


@dataclass(frozen=True)
class Picture:
    """Points of a line for the wait and of an area for the callers, and what the ends of the picture mean."""

    queue: str
    wait: str
    waiting: str
    most_wait: float
    most_waiting: int
    begin: datetime
    end: datetime
    width: int = WIDTH
    height: int = HEIGHT + FOOT


def of(domain: Domain, now: datetime) -> Picture | None:
    """The queue in which most callers waited lately; None where nobody did."""
    rows = Reading.objects.filter(domain=domain, read_at__gt=now - SHOWN, raw__isnull=False).order_by("read_at")
    readings = [(row.read_at, row.raw) for row in rows if row.raw]
    totals: dict[str, int] = {}
    for _, raw in readings:
        for number, figures in raw.items():
            totals[number] = totals.get(number, 0) + figures[0]
    number = max(totals, key=lambda each: totals[each], default="")
    if not totals.get(number) or len(readings) < 2:
        return None
    return drawn(number, [(at, raw[number][1] or 0, raw[number][0]) for at, raw in readings if number in raw])


def drawn(number: str, points: Sequence[tuple[datetime, float, int]]) -> Picture:
    """The picture of (time, wait, callers waiting)."""
    begin, end = points[0][0], points[-1][0]
    seconds = max(1.0, (end - begin).total_seconds())
    most_wait, most_waiting = max(each[1] for each in points), max(each[2] for each in points)
    wait, area = [], [f"0,{HEIGHT + FOOT}"]
    for at, value, count in points:
        x = round(WIDTH * (at - begin).total_seconds() / seconds, 1)
        wait.append(f"{x},{round(HEIGHT - (HEIGHT - 4) * value / (most_wait or 1), 1)}")
        area.append(f"{x},{round(HEIGHT + FOOT - (FOOT - 2) * count / (most_waiting or 1), 1)}")
    area.append(f"{WIDTH},{HEIGHT + FOOT}")
    return Picture(number, " ".join(wait), " ".join(area), most_wait, most_waiting, begin, end)
