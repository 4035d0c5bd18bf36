"""The table in which a company's queues get their names, places, groups, and whether boards show them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from accounts.models import Domain
from wallboard.queues import naming
from wallboard.queues.models import Queue

MOST_NAME, MOST_GROUP = 120, 60


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
    kept = [(queue.number, queue.name, queue.group, queue.is_hidden) for queue in queues]
    return hashlib.sha256(repr(kept).encode()).hexdigest()[:16]


def rows_of(queues: list[Queue], posted: Mapping[str, str] | None = None) -> list[Row]:
    """The table as it is, or as somebody wrote it; what cannot be read stays as it was."""
    rows = []
    for index, queue in enumerate(queues, start=1):
        if posted is None or f"name-{queue.pk}" not in posted:
            rows.append(Row(queue, index, queue.name, queue.group, not queue.is_hidden))
            continue
        name, group = _line(posted[f"name-{queue.pk}"], MOST_NAME), _line(posted.get(f"group-{queue.pk}"), MOST_GROUP)
        place = _place(posted.get(f"place-{queue.pk}", ""), index)
        rows.append(Row(queue, place, name, group, f"shown-{queue.pk}" in posted))
    return rows


def _line(text: str | None, most: int) -> str:
    return " ".join((text or "").replace("\0", "").split())[:most]


def _place(text: str, otherwise: int) -> float:
    """A place as it was written; a half stands between two."""
    try:
        place = float(text)
    except ValueError:
        return otherwise
    return place if abs(place) < 100_000 else otherwise


def save(rows: list[Row]) -> int:
    """Keep what differs from what is kept; gives how many queues changed. Open boards follow at once."""
    wanted = sorted(rows, key=lambda row: row.place)
    is_moved = [row.queue.pk for row in wanted] != [row.queue.pk for row in rows]
    changed = 0
    with transaction.atomic():
        for order, row in enumerate(wanted):
            values = _changes(row, order if is_moved else row.queue.order)
            if values:
                changed += 1
                naming.edit(row.queue, **values)
    return changed


def _changes(row: Row, order: int) -> dict[str, str | int | bool]:
    wanted: dict[str, str | int | bool] = {
        "name": row.name,
        "group": row.group,
        "is_hidden": not row.is_shown,
        "order": order,
    }
    return {name: value for name, value in wanted.items() if value != getattr(row.queue, name)}
