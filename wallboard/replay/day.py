"""A day of a board: what of it is kept, where nothing is known, and what happened when."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

import msgspec
from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import company_day, limits
from accounts.access import Viewer
from accounts.models import Domain, Person
from wallboard.alerts import documents as alert_documents
from wallboard.alerts import visibility
from wallboard.alerts.models import Alert
from wallboard.boards import layout, time_zones
from wallboard.boards.cards.kinds import KINDS
from wallboard.boards.models import Board
from wallboard.live.feeds import milliseconds
from wallboard.queues.models import Queue, Sample
from wallboard.replay import reading
from wallboard.replay.models import Run
from wallboard.replay.reading import Stretch

MINUTE = timedelta(minutes=1)
MOST_ALERTS = 2000
CACHE_SECONDS = 60


class AlertMark(alert_documents.AlertDocument, frozen=True, kw_only=True, rename={"begin": "from"}):
    """An alert that was open on the day, with when it was raised and when it ended (None: it is open). Times in ms."""

    begin: int
    until: int | None


class Marks(msgspec.Struct, frozen=True):
    """What is marked on the ribbon: minutes in which a queue of the board was late, or had nobody, and alerts."""

    late: list[Stretch]
    nobody: list[Stretch]
    alerts: list[AlertMark]


class Day(msgspec.Struct, frozen=True):
    """A day as docs/replay.md describes it; times in ms, all ends are excluded."""

    day: str
    zone: str
    begins: int
    ends: int
    now: int
    days: list[str]
    first: int | None
    last: int | None
    gaps: list[Stretch]
    marks: Marks


def of(viewer: Viewer, board: Board, wanted: date | None) -> Day:
    """The day that is wanted, or the newest one that is kept, as this viewer may see it."""
    domain, now = time_zones.domain_in_board_zone(board), timezone.now()
    days = kept_days(domain)
    day = wanted or max(days, default=_day_of(domain, now))
    begins, ends = company_day.begin(domain, day), company_day.end(domain, day)
    first, last = int(begins.timestamp()), min(int(ends.timestamp()), int(now.timestamp()))
    known = [stretch for _, stretch in reading.runs(domain.pk, first, last)] if first < last else []
    return Day(
        day=day.isoformat(),
        zone=company_day.zone_of(domain).key,
        begins=milliseconds(begins),
        ends=milliseconds(ends),
        now=milliseconds(now),
        days=[each.isoformat() for each in days],
        first=1000 * known[0][0] if known else None,
        last=1000 * (known[-1][1] - 1) if known else None,
        gaps=_in_milliseconds(reading.gaps(known, first, last)) if first < last else [],
        marks=_marks(viewer, board, begins, ends),
    )


def kept_days(domain: Domain) -> list[date]:
    """The days of which anything is kept, oldest first."""
    found: set[date] = set()
    for begins, ends in Run.objects.filter(domain_id=domain.pk).values_list("begins", "ends"):
        first, last = (_day_of(domain, _moment(second)) for second in (begins, ends - 1))
        found.update(first + timedelta(days=number) for number in range((last - first).days + 1))
    return sorted(found)


def _day_of(domain: Domain, moment: datetime) -> date:
    return company_day.start(domain, moment).date()


def _moment(second: int) -> datetime:
    return datetime.fromtimestamp(second, tz=timezone.get_default_timezone())


def _marks(viewer: Viewer, board: Board, begins: datetime, ends: datetime) -> Marks:
    queues = _queues(viewer, board)
    key = f"replay-marks-{board.pk}-{int(begins.timestamp())}-{hash(tuple(sorted(queue.pk for queue in queues)))}"
    lanes: tuple[list[Stretch], list[Stretch]] | None = cache.get(key)
    if lanes is None:
        samples = Sample.objects.filter(queue__in=queues, minute__gte=begins, minute__lt=ends)
        lanes = _minutes(samples, "late_seconds"), _minutes(samples, "nobody_seconds")
        cache.set(key, lanes, CACHE_SECONDS)
    return Marks(*lanes, alerts=_alerts(viewer, begins, ends))


def _queues(viewer: Viewer, board: Board) -> list[Queue]:
    """The queues that the board is about, as far as the viewer sees them."""
    shown = layout.layout_of(board)
    if shown.cards is None:
        chosen = [shown.queues]
    else:
        chosen = [card.queues for card in shown.cards if "queues" in KINDS[card.kind].options]
    rows = limits.restrict(Queue.objects.filter(domain_id=board.domain_id), "number", viewer.limit.queues)
    named = {number for numbers in chosen for number in numbers or ()}
    return list(rows if None in chosen or not named else rows.filter(number__in=named))


def _minutes(samples: QuerySet[Sample], column: str) -> list[Stretch]:
    """The minutes in which any of the queues had some of this, those beside each other as one."""
    minutes = samples.filter(**{f"{column}__gt": 0}).order_by("minute").values_list("minute", flat=True).distinct()
    found: list[Stretch] = []
    for minute in minutes:
        begin, end = milliseconds(minute), milliseconds(minute + MINUTE)
        if found and found[-1][1] == begin:
            begin = found.pop()[0]
        found.append((begin, end))
    return found


def _alerts(viewer: Viewer, begins: datetime, ends: datetime) -> list[AlertMark]:
    """The alerts that were open on the day; agents see those of queues, as they do live (sockets/visibility.py)."""
    rows = visibility.restrict(Alert.objects.filter(domain_id=viewer.domain_id), viewer.limit)
    if not viewer.may(Person.Role.SUPERVISOR):
        rows = rows.exclude(queue=None)
    rows = rows.filter(Q(ended_at=None) | Q(ended_at__gt=begins), raised_at__lt=ends).select_related("queue")
    return [_mark(alert) for alert in rows.order_by("raised_at", "pk")[:MOST_ALERTS]]


def _mark(alert: Alert) -> AlertMark:
    document = msgspec.structs.asdict(alert_documents.document(alert))
    return AlertMark(**document, begin=milliseconds(alert.raised_at), until=milliseconds(alert.ended_at))


def _in_milliseconds(stretches: Iterable[Stretch]) -> list[Stretch]:
    return [(1000 * begin, 1000 * end) for begin, end in stretches]
