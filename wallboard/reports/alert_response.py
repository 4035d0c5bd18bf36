"""How fast people respond to alerts: medians from raised to acknowledged and to over, per queue and week."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from statistics import median

from django.db.models import CharField, Count, Q
from django.db.models.functions import Cast

from accounts import company_day
from accounts.limits import Limit
from accounts.models import Domain
from accounts.sheets.cells import Lasting
from wallboard.alerts import visibility
from wallboard.alerts.models import Alert
from wallboard.queues.models import Queue
from wallboard.reports.period_parts import Period

Times = tuple[datetime, datetime | None, datetime | None]  # when it was raised, acknowledged and over
ByQueue = tuple[Queue | None, list[Times]]
MOST_ALERTS = 50_000  # the newest; a page must not hold a process for minutes


@dataclass(frozen=True, slots=True)
class Response:
    """Of a queue (None: alerts about no queue) and the week that begins on `week` (None: the whole period).

    Medians in seconds, None where nobody acknowledged any, or none is over.
    """

    queue: Queue | None
    week: date | None
    raised: int
    acknowledged: int
    to_acknowledge: float | None
    to_end: float | None


def by_queue(
    domain: Domain, period: Period, limit: Limit, numbers: frozenset[str], count: int | None = None
) -> tuple[list[ByQueue], int]:
    """The alerts raised in these days, by queue in the company's order; those about no queue come last.

    Of all queues that may be seen, or of those `numbers`; of so many (`count`) with the most alerts, or of all of them,
    and how many are left out.
    """
    raised = Alert.objects.filter(domain=domain, raised_at__gte=period.begin, raised_at__lt=period.end)
    shown = visibility.restrict(raised, limit)
    if numbers:
        shown = shown.filter(queue__number__in=numbers)
    counted = dict(shown.order_by().values_list("queue_id").annotate(Count("pk")))
    queues = [each for each in Queue.objects.filter(domain=domain, is_hidden=False) if each.pk in counted]
    told: dict[int | None, Queue | None] = {each.pk: each for each in queues}
    if None in counted:
        told[None] = None
    wanted = set(sorted(told, key=lambda pk: -counted[pk])[:count])
    if len(wanted) < len(told):
        shown = shown.filter(Q(queue__in=wanted - {None}) | Q(queue=None))
    found: dict[int | None, list[Times]] = {pk: [] for pk in told if pk in wanted}
    # As text, which Python reads several times as fast as the database's driver makes moments.
    times = [Cast(name, CharField()) for name in ("raised_at", "acknowledged_at", "ended_at")]
    for queue_id, raised_at, taken, over in shown.order_by("-raised_at").values_list("queue_id", *times)[:MOST_ALERTS]:
        if queue_id in found:
            found[queue_id].append((_moment(raised_at), taken and _moment(taken), over and _moment(over)))
    return [(told[pk], alerts) for pk, alerts in found.items() if alerts], len(told) - len(wanted)


def most(found: Sequence[ByQueue], count: int) -> list[ByQueue]:
    """So many queues with the most alerts, in the same order."""
    by_alerts = sorted(range(len(found)), key=lambda place: -len(found[place][1]))
    return [found[place] for place in sorted(by_alerts[:count])]


def responses(found: Iterable[ByQueue]) -> list[Response]:
    """How fast people responded, one for each queue."""
    return [_response(queue, None, alerts) for queue, alerts in found]


def by_week(found: Iterable[ByQueue], period: Period) -> list[Response]:
    """The same for each week by itself."""
    rows = []
    for queue, alerts in found:
        weeks: dict[date, list[Times]] = defaultdict(list)
        for alert in alerts:
            weeks[monday(alert[0], period)].append(alert)
        rows += [_response(queue, week, weeks[week]) for week in sorted(weeks)]
    return rows


def sheet_rows(found: Iterable[Response]) -> Iterator[tuple[object, ...]]:
    """A line per queue and week, with a head."""
    yield (
        *("queue", "name", "week of", "alerts", "acknowledged"),
        Lasting("median seconds to acknowledge", "median time to acknowledge"),
        Lasting("median seconds until over", "median time until over"),
    )
    for each in found:
        number, name = (each.queue.number, each.queue.name) if each.queue else ("", "")
        yield (number, name, each.week, each.raised, each.acknowledged, each.to_acknowledge, each.to_end)


def monday(moment: datetime, period: Period) -> date:
    """The day on which the week of this moment begins, by the days of that period."""
    day = company_day.day_of(moment, period.zone, period.starts_hour)
    return day - timedelta(days=day.weekday())


def _moment(text: str) -> datetime:
    """A moment as the database writes it, which is in UTC; not every one says so."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is UTC else found.replace(tzinfo=UTC)


def _response(queue: Queue | None, week: date | None, alerts: Sequence[Times]) -> Response:
    taken = [(at - raised).total_seconds() for raised, at, _over in alerts if at is not None]
    over = [(at - raised).total_seconds() for raised, _taken, at in alerts if at is not None]
    return Response(
        queue, week, len(alerts), len(taken), median(taken) if taken else None, median(over) if over else None
    )
