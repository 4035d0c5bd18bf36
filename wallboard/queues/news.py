"""Every document of the feed `queues`, from the database."""

from collections.abc import Iterable
from typing import Any

from accounts.models import Domain
from wallboard.live.feeds import milliseconds
from wallboard.queues import levels, pacing
from wallboard.queues.models import PollState, Queue, Trends

Documents = dict[str, tuple[int, Any]]


def documents(domain_id: int) -> Documents:
    """All that the feed should hold for the domain."""
    domain = Domain.objects.get(pk=domain_id)
    state = PollState.objects.filter(domain_id=domain_id).first() or PollState(domain=domain)
    figures = {f"queue:{number}": (version, document) for number, (version, document) in state.figures.items()}
    return poll(domain, state) | figures | about(domain_id) | trends(domain_id)


def poll(domain: Domain, state: PollState) -> Documents:
    """How polling goes: when it was tried, when it went well, and what is wrong."""
    value = {
        "read_at": milliseconds(state.read_at),
        "tried_at": milliseconds(state.tried_at),
        "failing_since": milliseconds(state.failing_since),
        "failure": state.failure,
        "interval_seconds": pacing.interval_seconds(domain),
        "skipped_rows": state.skipped_rows,
    }
    return {"poll": (state.version, value)}


def about(domain_id: int, numbers: Iterable[str] | None = None) -> Documents:
    """What people set for the queues, all or some of them; a hidden queue is a removal."""
    standards = levels.standards(domain_id)
    queues = Queue.objects.filter(domain_id=domain_id)
    if numbers is not None:
        queues = queues.filter(number__in=list(numbers))
    return {f"about:{queue.number}": (queue.version, _about(queue, standards)) for queue in queues}


def trends(domain_id: int) -> Documents:
    """The last hour and day of each queue."""
    kept = Trends.objects.filter(domain_id=domain_id).first()
    if kept is None:
        return {}
    until = milliseconds(kept.until)
    return {f"trend:{number}": (until // 60_000, {"until": until, **line}) for number, line in kept.lines.items()}


def _about(queue: Queue, standards: levels.Standards) -> dict[str, Any] | None:
    if queue.is_hidden:
        return None
    targets = standards.of(queue.number).as_news()
    return {"number": queue.number, "name": str(queue), "order": queue.order, "targets": targets}
