"""What today's samples would have shown with other targets, so that nobody sets them blindly.

Estimated: a sample tells the longest wait, the most callers and the fewest available agents of its minute, not for how
long each of them held. A minute counts whole as soon as one of them is over its bound, so these figures are a little
higher than those of the reports, which add up the seconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts import days
from accounts.models import Domain
from wallboard.queues import hours
from wallboard.queues.levels import LATE, WATCH, Standards, Targets, judged
from wallboard.queues.models import Queue, Sample


@dataclass(frozen=True, slots=True)
class Shown:
    """Minutes of one queue: late, on watch, and measured while it was open."""

    late: int = 0
    watch: int = 0
    measured: int = 0

    def __add__(self, other: "Shown") -> "Shown":
        return Shown(self.late + other.late, self.watch + other.watch, self.measured + other.measured)


def with_bounds(default: Mapping[str, int | None], own: Mapping[str, Mapping[str, int | None]]) -> Standards:
    """Standards as they would be with these bounds, named as the fields of models.Target; `own` by queue number."""
    shared = _targets(default)
    return Standards(shared, {number: _targets(bounds).over(shared) for number, bounds in own.items()})


def of_today(domain: Domain, wanted: Sequence[Standards], now: datetime) -> list[dict[str, Shown]]:
    """For each of the standards, by queue number, what the samples since the company's day began would have shown."""
    schedule = hours.schedule(domain)
    numbers = dict(Queue.objects.filter(domain=domain).values_list("pk", "number"))
    samples = Sample.objects.filter(queue__in=list(numbers), minute__gte=days.start(domain, now), minute__lte=now)
    found: list[dict[str, Shown]] = [{} for _ in wanted]
    counts = [dict.fromkeys(numbers.values(), (0, 0, 0)) for _ in wanted]
    is_open: dict[tuple[hours.Times, datetime], bool] = {}
    for pk, minute, waiting, longest, available in samples.values_list(
        "queue_id", "minute", "most_waiting", "longest_wait_seconds", "least_available"
    ).iterator():
        number = numbers[pk]
        key = schedule.of(number), minute
        if key not in is_open:
            is_open[key] = schedule.counts_outside or schedule.is_open(number, minute)
        if not is_open[key]:
            continue
        for each, count in zip(wanted, counts, strict=True):
            level, _ = judged(waiting, longest, available, each.of(number))
            late, watch, measured = count[number]
            count[number] = late + (level == LATE), watch + (level == WATCH), measured + 1
    for shown, count in zip(found, counts, strict=True):
        shown.update({number: Shown(*minutes) for number, minutes in count.items()})
    return found


def _targets(bounds: Mapping[str, int | None]) -> Targets:
    return Targets(
        (bounds.get("longest_wait_watch_seconds"), bounds.get("longest_wait_late_seconds")),
        (bounds.get("waiting_watch"), bounds.get("waiting_late")),
        (bounds.get("available_watch_below"), bounds.get("available_late_below")),
    )
