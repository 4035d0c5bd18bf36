"""Every document of the feed `queues`, from the database."""

from collections.abc import Iterable
from typing import Any

import msgspec

from accounts.models import Domain
from wallboard.live.feeds import milliseconds
from wallboard.queues import figures, pacing
from wallboard.queues.models import PollState, Queue, Trends
from wallboard.queues.targets import levels

Documents = dict[str, tuple[int, Any]]


class PollDocument(msgspec.Struct, frozen=True, kw_only=True):
    """How polling goes: `poll` of the feed `queues`. Times in ms.

    `skipped_rows` of the newest answer could not be read; `failure` is the kind of the newest failure, "" for none, and
    `next_try_at` when it is tried again.
    """

    read_at: int | None
    tried_at: int | None
    failing_since: int | None
    failure: str
    next_try_at: int | None
    interval_seconds: float
    skipped_rows: int


class AboutDocument(msgspec.Struct, frozen=True):
    """What people set for a queue: `about:<number>` of the feed `queues`."""

    number: str
    name: str
    order: int
    targets: dict[str, list[int | None]]


class TrendDocument(msgspec.Struct, frozen=True):
    """The lines of a queue: `trend:<number>` of the feed `queues`. `waiting` by minute, `late` by quarter hour."""

    until: int
    waiting: list[float | None]
    late: list[int | None]


def documents(domain_id: int) -> Documents:
    """All that the feed should hold for the domain."""
    domain = Domain.objects.get(pk=domain_id)
    # Before the first poll boards get a document too, else they could not say that there is no data yet.
    state = PollState.objects.filter(domain_id=domain_id).first() or PollState(domain=domain)
    held = figures.held(state.figures).items()
    queues = {f"queue:{number}": (version, document) for number, (version, document) in held}
    return poll(domain, state) | queues | about(domain_id) | trends(domain_id)


def poll(domain: Domain, state: PollState) -> Documents:
    """How polling goes: when it was tried, when it went well, what is wrong, and when it is tried again."""
    document = PollDocument(
        read_at=milliseconds(state.read_at),
        tried_at=milliseconds(state.tried_at),
        failing_since=milliseconds(state.failing_since),
        failure=state.failure,
        next_try_at=milliseconds(state.not_before),
        interval_seconds=pacing.interval_seconds(domain),
        skipped_rows=state.skipped_rows,
    )
    return {"poll": (state.version, document)}


def about(domain_id: int, numbers: Iterable[str] | None = None) -> Documents:
    """What people set for the queues, all or some of them; a hidden queue is a removal."""
    standards = levels.standards(domain_id)
    queues = Queue.objects.filter(domain_id=domain_id)
    if numbers is not None:
        queues = queues.filter(number__in=list(numbers))
    return {f"about:{queue.number}": (queue.version, _about(queue, standards)) for queue in queues}


def trends(domain_id: int) -> Documents:
    """The last hour and day of each queue."""
    stored = Trends.objects.filter(domain_id=domain_id).first()
    return {} if stored is None else trend_lines(stored)


def trend_lines(stored: Trends) -> Documents:
    """The same of what is stored."""
    until = milliseconds(stored.until)
    # The minute is the version: lines that are made anew for the same minute are the same.
    return {f"trend:{number}": (until // 60_000, TrendDocument(until, **line)) for number, line in stored.lines.items()}


def _about(queue: Queue, standards: levels.Standards) -> AboutDocument | None:
    if queue.is_hidden:
        return None
    targets = standards.of(queue.number).as_document()
    return AboutDocument(queue.number, str(queue), queue.order, targets)
