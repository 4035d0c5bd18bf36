"""Queues: their figures of now with their proof, and their samples by the minute."""

from datetime import datetime, timedelta
from typing import Annotated

import msgspec
from django.http import Http404
from django.utils import timezone

from accounts import limits
from wallboard.api import paging, scopes
from wallboard.api.endpoints import Asked, Cursor, Endpoint
from wallboard.api.figures import Figure, Proofs, figure, proofs
from wallboard.api.moments import age_seconds, moment
from wallboard.api.paging import Moment
from wallboard.queues import figures, pacing
from wallboard.queues.figures import QueueDocument
from wallboard.queues.models import PollState, Queue, Sample

UNITS = {
    "queue.waiting": "callers",
    "queue.longest": "seconds",
    "queue.average": "seconds",
    "queue.agents": "people",
    "card.agents": "people",
}
SAMPLES_PER_PAGE = 200
DEFAULT_SPAN = timedelta(hours=1)


class QueueFigures(msgspec.Struct, frozen=True):
    """The figures of a queue."""

    waiting: Figure
    longest_wait: Figure
    average_wait: Figure
    available: Figure
    agents: Figure


class QueueNow(msgspec.Struct, frozen=True):
    """A queue. `level` is normal, watch or late, since `level_since`; `reason` says by which figure, or closed.

    `figures` are null for a queue that was never read; `missing_since` is when the provider left it out first.
    """

    number: str
    name: str
    group: str
    level: str | None
    reason: str
    level_since: datetime | None
    missing_since: datetime | None
    opens_at: datetime | None
    figures: QueueFigures | None


class QueueList(msgspec.Struct, frozen=True):
    """All queues of a moment. Only while `is_live` are the figures those of now; else they are as old as they say."""

    read_at: datetime | None
    age_seconds: int | None
    is_live: bool
    failing_since: datetime | None
    interval_seconds: float
    items: list[QueueNow]
    proofs: Proofs


class QueueAnswer(msgspec.Struct, frozen=True):
    """One queue, with what QueueList says of the moment."""

    read_at: datetime | None
    age_seconds: int | None
    is_live: bool
    item: QueueNow
    proofs: Proofs


class SampleQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From when until when; the last hour where nothing is said."""

    since: Moment | None = None
    until: Moment | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = SAMPLES_PER_PAGE
    cursor: Cursor = ""


class SampleRow(msgspec.Struct, frozen=True):
    """One minute of a queue; minutes in which it was not read have none."""

    minute: datetime
    readings: int
    waiting: float
    most_waiting: int
    longest_wait: int | None
    average_wait: float | None
    agents: int | None
    least_available: int | None
    watch_seconds: float
    late_seconds: float
    nobody_seconds: float


class SamplePage(msgspec.Struct, frozen=True):
    """Samples, oldest first; waits are left out where they cannot be proven."""

    items: list[SampleRow]
    next: str | None
    proofs: Proofs


def queues(asked: Asked) -> QueueList:
    """Every queue that the token may see."""
    state = PollState.objects.filter(domain=asked.domain).first() or PollState(domain=asked.domain)
    told, held = proofs(asked.domain.pk, UNITS), figures.held(state.figures)
    now = timezone.now()
    rows = [_queue(row, held[row.number][1] if row.number in held else None, told) for row in visible(asked)]
    return QueueList(
        state.read_at,
        age_seconds(state.read_at, now),
        state.read_at is not None and now - state.read_at <= pacing.live_for(asked.domain),
        state.failing_since,
        pacing.interval_seconds(asked.domain),
        rows,
        told,
    )


def queue(asked: Asked) -> QueueAnswer:
    """One of them."""
    every = queues(asked)
    found = next((row for row in every.items if row.number == asked.path["number"]), None)
    if found is None:
        raise Http404
    return QueueAnswer(every.read_at, every.age_seconds, every.is_live, found, every.proofs)


def visible(asked: Asked) -> list[Queue]:
    """The queues that the token may see, in the company's order."""
    shown = Queue.objects.filter(domain=asked.domain, is_hidden=False)
    return list(limits.restrict(shown, "number", asked.caller.limit.queues))


def _queue(row: Queue, document: QueueDocument | None, told: Proofs) -> QueueNow:
    if document is None:
        return QueueNow(row.number, str(row), row.group, None, "", None, None, None, None)
    return QueueNow(
        row.number,
        str(row),
        row.group,
        document.level,
        document.reason,
        moment(document.since) if document.since else None,
        moment(document.missing_since),
        moment(document.opens_at),
        QueueFigures(
            figure(told, "queue.waiting", document.waiting),
            figure(told, "queue.longest", document.longest_wait),
            figure(told, "queue.average", document.average_wait),
            figure(told, "queue.agents", document.available),
            figure(told, "card.agents", document.agents),
        ),
    )


def samples(asked: Asked) -> SamplePage:
    """The samples of one queue."""
    found = next((row for row in visible(asked) if row.number == asked.path["number"]), None)
    if found is None:
        raise Http404
    query: SampleQuery = asked.query
    until = query.until or timezone.now()
    rows = Sample.objects.filter(queue=found, minute__lt=until).order_by("minute", "pk")
    if since := query.since or (until - DEFAULT_SPAN if until.year > 1 else None):
        rows = rows.filter(minute__gte=since)
    if place := paging.decode(query.cursor, paging.ByTime):
        rows = rows.filter(paging.after("minute", place.at, place.id))
    page, has_more = paging.cut(rows[: query.limit + 1], query.limit)
    told = proofs(asked.domain.pk, {"queue.longest": "seconds", "queue.average": "seconds"})
    after = paging.encode(paging.ByTime(page[-1].minute, page[-1].pk)) if has_more else None
    return SamplePage([_sample(row, told) for row in page], after, told)


def _sample(row: Sample, told: Proofs) -> SampleRow:
    hidden = {key for key, proof in told.items() if proof.known == "not_provable"}
    return SampleRow(
        row.minute,
        row.readings,
        row.waiting,
        row.most_waiting,
        None if "queue.longest" in hidden else row.longest_wait_seconds,
        None if "queue.average" in hidden else row.average_wait_seconds,
        row.agents,
        row.least_available,
        row.watch_seconds,
        row.late_seconds,
        row.nobody_seconds,
    )


ENDPOINTS = (
    Endpoint("queues", "queues", scopes.QUEUES, "All queues, with their figures of now", queues, QueueList),
    Endpoint("queue", "queues/{number}", scopes.QUEUES, "One queue", queue, QueueAnswer, errors=(404,)),
    Endpoint(
        "samples",
        "queues/{number}/samples",
        scopes.QUEUES,
        "Samples of a queue by the minute",
        samples,
        SamplePage,
        query=SampleQuery,
        errors=(404,),
    ),
)
