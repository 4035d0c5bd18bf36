"""Days of queues as they were counted from call events: made once, stored without anybody in them, and read back."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import msgspec

from accounts import company_day
from accounts.models import Domain
from wallboard.calibration.locks import Span
from wallboard.calls.gaps import coverage
from wallboard.forecast import talks
from wallboard.forecast.courses import DAY, QUARTER, QUARTERS, DayCourse, quarter_of
from wallboard.forecast.models import CountedDay
from wallboard.forecast.talks import PersonLeg
from wallboard.forecast.waits import Sums
from wallboard.queues.hours import calendar
from wallboard.queues.hours.calendar import Schedule
from wallboard.queues.models import Queue
from wallboard.reports import queue_calls
from wallboard.reports.period_parts import Period
from wallboard.reports.queue_calls import QueueCall, TooMany
from wallboard.reports.rollups import packed

LEAST_SHARE = 0.5  # of a quarter in which events came; less of it tells nothing
SETTLED = timedelta(hours=1)  # after a day its last calls are over, too
SO_FAR = " so far"  # of a day that is under way: it is counted anew when it is over
COLUMNS = (  # of PersonLeg
    *("from_call_id", "queue", "to_user", "first_seen_at", "ringing_at", "active_at", "ended_at", "is_human"),
    "heard_at",
)
STEP = timedelta(minutes=5)  # in which opening hours are looked at


class Counted(msgspec.Struct, frozen=True, array_like=True):
    """A day by quarters of the clock: calls, minutes that count, waits in seconds; and the sums of its times."""

    offered: list[int]
    minutes: list[float]
    waits: list[float]
    sums: dict[str, float] = {}

    @property
    def times(self) -> Sums:
        """The sums, as waits.behaviour takes them."""
        return Sums(**self.sums)  # type: ignore[arg-type]

    def course(self, day: date) -> DayCourse:
        """The same as the forecast of calls takes it."""
        return DayCourse(day, tuple(self.offered), tuple(self.minutes))


def period_of(domain: Domain, day: date) -> Period:
    """A day from midnight to midnight of the company's clock."""
    return Period(day, day, company_day.zone_of(domain))


def count(
    domain: Domain, queues: Sequence[Queue], day: date, *, from_music: bool, now: datetime, gaps: Sequence[Span] = ()
) -> None:
    """Count a day of these queues and store it; what has not been yet is left out, and what lies in `gaps`."""
    period = period_of(domain, day)
    basis = bases(domain, [day], from_music=from_music, gaps=gaps)[day] + ("" if is_over(period, now) else SO_FAR)
    schedule = calendar.schedule(domain)
    told = _told_quarters(domain, period, now, gaps)
    try:
        calls = queue_calls.queue_calls(domain, period, schedule.is_open, from_music=from_music)
        legs = person_legs(domain, period)
    except TooMany:
        calls, legs, told = [], [], []
    by_queue: dict[str, list[QueueCall]] = defaultdict(list)
    for call in calls:
        by_queue[call.queue].append(call)
    times = talks.by_queue(legs)
    rows = []
    for queue in queues:
        minutes = _minutes(queue, period, schedule, told)
        counted = _counted(by_queue[queue.number], minutes, period, times.get(queue.number, Sums()))
        rows.append(CountedDay(queue=queue, day=day, basis=basis, counted=counted))
    CountedDay.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["queue", "day"], update_fields=["basis", "counted"]
    )


def is_over(period: Period, now: datetime) -> bool:
    """Whether nothing of that day is still to come."""
    return now >= period.end + SETTLED


def bases(domain: Domain, days: Sequence[date], *, from_music: bool, gaps: Sequence[Span] = ()) -> dict[date, str]:
    """What each of these days rests on: another basis means counting it anew.

    Closed days and gaps belong to it: people enter them when the day is over. The hours of the week do not: they change
    from now on, and a longer day is no sign that nobody called at that time before. The number grows where days are
    counted otherwise.
    """
    kind = f"{'music' if from_music else 'leg'} 3 {company_day.zone_of(domain)}"
    schedule, periods = calendar.schedule(domain), [period_of(domain, day) for day in days]
    told = coverage.of_spans(domain.pk, [(period.begin, period.end) for period in periods], gaps)
    return {
        day: f"{kind} {packed.key([_closed_on(schedule, day), covered])}"
        for day, covered in zip(days, told, strict=True)
    }


def _closed_on(schedule: Schedule, day: date) -> list[object]:
    """Which queues are closed on a day, or on the one before, which may go on into it; "" for all others."""
    every = [("", schedule.default), *sorted(schedule.own.items())]
    closed = [(number, sorted(times.closed_days & {day - DAY, day})) for number, times in every]
    return [each for each in closed if each[1]]


def stored(queues: Iterable[Queue], first: date) -> Mapping[int, dict[date, Counted]]:
    """The counted days of these queues from that day on, by queue and day."""
    found: dict[int, dict[date, Counted]] = defaultdict(dict)
    rows = CountedDay.objects.filter(queue__in=queues, day__gte=first).values_list("queue_id", "day", "counted")
    for queue_id, day, counted in rows:
        found[queue_id][day] = msgspec.convert(counted, Counted)
    return found


def missing_days(
    domain: Domain, queues: Sequence[Queue], now: datetime, weeks: int, *, from_music: bool, gaps: Sequence[Span] = ()
) -> list[date]:
    """Past days that were not counted on this basis though their calls are there, the newest first."""
    began, kept = coverage.events_known(domain.pk, now)
    if began is None or not queues:
        return []
    zone = company_day.zone_of(domain)
    today = now.astimezone(zone).date()
    # Where calls were taken away, what was counted of them stays as it is.
    first_kept = kept.astimezone(zone).date() + DAY
    first = max(began.astimezone(zone).date(), first_kept, today - weeks * 7 * DAY)
    # A queue that came later has no days of before; one row is enough to know that the day was looked at.
    rows = CountedDay.objects.filter(queue__in=queues, day__gte=first)
    done = set(rows.values_list("day", "basis").distinct())
    days = [today - back * DAY for back in range(1, (today - first).days + 1)]
    wanted = bases(domain, days, from_music=from_music, gaps=gaps)
    return [day for day in days if (day, wanted[day]) not in done and is_over(period_of(domain, day), now)]


def person_legs(domain: Domain, period: Period) -> list[PersonLeg]:
    """Legs to queues and people of that time, as talks needs them. Raises TooMany."""
    rows = queue_calls.legs_of_queue_calls(domain, period.begin, period.end)
    return [PersonLeg(*row) for row in rows.values_list(*COLUMNS).iterator()]


def _told_quarters(domain: Domain, period: Period, now: datetime, gaps: Sequence[Span]) -> list[tuple[datetime, float]]:
    """Each quarter of the day that is over, with the share of it in which events came that can be counted."""
    began = coverage.first_event_at(domain.pk)
    begin = period.begin.astimezone(UTC)
    spans = []
    while begin + QUARTER <= min(now, period.end.astimezone(UTC)):
        spans.append((begin, begin + QUARTER))
        begin += QUARTER
    found = []
    for (since, until), told in zip(spans, coverage.of_spans(domain.pk, spans, gaps), strict=True):
        from_begin = max(since, began or until)
        gone = told.missing.seconds if told.missing else 0
        share = ((until - from_begin).total_seconds() - gone) / QUARTER.total_seconds()
        found.append((since, share if share >= LEAST_SHARE else 0.0))
    return found


def _minutes(queue: Queue, period: Period, schedule: Schedule, told: Iterable[tuple[datetime, float]]) -> list[float]:
    """Minutes of each quarter of the clock in which the queue was open and events came."""
    minutes = [0.0] * QUARTERS
    for since, share in told:
        if share and since >= queue.first_seen_at - DAY:
            is_open = [schedule.is_open(queue.number, since + step * STEP) for step in range(3)]
            minutes[quarter_of(since.astimezone(period.zone))] += 5 * sum(is_open) * share
    return minutes


def _counted(calls: Iterable[QueueCall], minutes: list[float], period: Period, times: Sums) -> Counted:
    offered, waits, left = [0] * QUARTERS, [0.0] * QUARTERS, 0
    for call in calls:
        quarter = quarter_of(call.entered_at.astimezone(period.zone))
        if minutes[quarter]:
            offered[quarter] += 1
            waits[quarter] += call.wait_seconds
            left += not call.is_answered
    sums = vars(times) | {"wait_seconds": sum(waits), "left": left}
    return Counted(offered, [round(each, 2) for each in minutes], [round(each, 1) for each in waits], sums)
