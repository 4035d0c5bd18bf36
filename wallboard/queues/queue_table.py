"""The table in which a company's queues get their names, places, groups, and whether boards show them."""

from dataclasses import dataclass

from django.db import transaction

from accounts.models import Domain
from accounts.saving import stamps
from wallboard.queues import editing
from wallboard.queues.models import Queue

# As wide as the columns.
MOST_NAME, MOST_GROUP = 120, 60
FURTHEST_PLACE = 100_000


@dataclass(frozen=True)
class Row:
    """One queue as the table has it; `place` counts from 1."""

    queue: Queue
    place: float
    name: str
    group: str
    is_shown: bool


def queues_of(domain: Domain) -> list[Queue]:
    """Every queue that was ever read, in the company's order; hidden ones too."""
    return list(Queue.objects.filter(domain=domain))


def stamp(queues: list[Queue]) -> str:
    """Changes whenever somebody changes one of them: a page knows by it what it was made from."""
    rows = [(queue.number, queue.name, queue.group, queue.is_hidden) for queue in queues]
    return stamps.of(rows)


def save(rows: list[Row]) -> int:
    """Save what differs from what is stored; gives how many queues changed. Open boards follow at once."""
    wanted = sorted(rows, key=lambda row: row.place)
    # Renaming one queue must not rewrite the order, and the version, of all the others.
    is_moved = [row.queue.pk for row in wanted] != [row.queue.pk for row in rows]
    changed = 0
    with transaction.atomic():
        for order, row in enumerate(wanted):
            values = _changes(row, order if is_moved else row.queue.order)
            if values:
                changed += 1
                editing.edit(row.queue, **values)
    return changed


def _changes(row: Row, order: int) -> dict[str, str | int | bool]:
    wanted: dict[str, str | int | bool] = {
        "name": row.name,
        "group": row.group,
        "is_hidden": not row.is_shown,
        "order": order,
    }
    return {name: value for name, value in wanted.items() if value != getattr(row.queue, name)}
