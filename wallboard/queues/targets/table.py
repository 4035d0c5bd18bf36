"""The table in which all targets are edited: a row for the default and for each queue, a cell for each bound."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Domain
from accounts.saving import stamps
from wallboard.queues import editing
from wallboard.queues.models import Queue, Target
from wallboard.queues.targets.levels import COLUMNS, Standards
from wallboard.queues.targets.previews import Shown, with_bounds

MOST_SECONDS, MOST_PEOPLE = 86_400, 9_999
PAIRS = tuple(COLUMNS.values())
# With few agents, and with a service level, it is the smaller number that is worse.
LATE_IS_LOWER = (COLUMNS["available_below"], COLUMNS["service_below"])
SHARES = COLUMNS["service_below"]  # in percent
Bounds = dict[str, int | None]


@dataclass
class Cell:
    """One bound: what is written, and what holds while nothing is."""

    name: str
    field_name: str
    text: str
    inherited: str = ""
    label: str = ""
    short: str = ""
    error: str = ""
    error_id: str = ""  # where the message stands that marks it; two cells that contradict each other share one
    is_first_wrong: bool = False

    @property
    def is_wrong(self) -> bool:
        return bool(self.error_id)

    @property
    def keyboard(self) -> str:
        """What a phone offers to write it with: a wait has a colon."""
        return "text" if self.name.endswith("_seconds") else "numeric"


@dataclass
class Row:
    """The default, or one queue. `was` and `then` are what today showed with the targets in force and these ones."""

    queue: Queue | None
    cells: list[Cell]
    bounds: Bounds = field(default_factory=dict)
    was: Shown = field(default_factory=Shown)
    then: Shown = field(default_factory=Shown)
    hours: str = ""

    @property
    def name(self) -> str:
        return str(self.queue) if self.queue else _("Every queue")

    @property
    def is_wrong(self) -> bool:
        return any(cell.is_wrong for cell in self.cells)


def stored_bounds(domain: Domain) -> dict[str | None, Bounds]:
    """The bounds in the database, by queue number; None is the default."""
    rows = Target.objects.filter(domain=domain).values("queue__number", *editing.TARGET_FIELDS)
    return {row["queue__number"]: {name: row[name] for name in editing.TARGET_FIELDS} for row in rows}


def stamp(domain: Domain) -> str:
    """Changes whenever somebody changes a target: a page knows by it what it was made from."""
    stored = sorted((number or "", sorted(bounds.items())) for number, bounds in stored_bounds(domain).items())
    return stamps.of(stored)


def rows_of(domain: Domain, posted: Mapping[str, str] | None = None) -> list[Row]:
    """The table as it is, or as somebody wrote it; what is wrong is said in the rows and cells."""
    stored = stored_bounds(domain)
    queues = [None, *Queue.objects.filter(domain=domain, is_hidden=False)]
    rows = [_row(queue, stored.get(queue.number if queue else None, {}), posted) for queue in queues]
    default = rows[0].bounds
    for row in rows:
        if row.queue is not None:
            for cell in row.cells:
                cell.inherited = shown(cell.name, default.get(cell.name))
        _check_order(row, default)
    if first := next((cell for row in rows for cell in row.cells if cell.is_wrong), None):
        first.is_first_wrong = True
    return rows


def cells_of(domain: Domain) -> dict[str, str]:
    """What stands in the cells of the table as it is, by the names of their fields."""
    return {cell.field_name: cell.text for row in rows_of(domain) for cell in row.cells}


def _row(queue: Queue | None, stored: Bounds, posted: Mapping[str, str] | None) -> Row:
    prefix = f"q{queue.pk}" if queue else "default"
    row = Row(queue, [])
    for name in editing.TARGET_FIELDS:
        field_name = f"{prefix}-{name}"
        text = shown(name, stored.get(name)) if posted is None else posted.get(field_name, "").strip()[:20]
        short = labels()[name]
        cell = Cell(name, field_name, text, label=f"{row.name}: {short}", short=short)
        try:
            row.bounds[name] = read(name, text)
        except ValueError as refusal:
            # The preview goes on with what is in force, so that one typing error does not blank the whole table.
            row.bounds[name] = stored.get(name)
            _mark([cell], str(refusal))
        row.cells.append(cell)
    return row


def _check_order(row: Row, default: Bounds) -> None:
    """Late is never reached before watch, by what is written or inherited."""
    own = row.bounds
    for watch_name, late_name in PAIRS:
        watch, late = (default.get(name) if own[name] is None else own[name] for name in (watch_name, late_name))
        # An own row that inherits both bounds is the default's business: the fault is shown there, once.
        if watch is None or late is None or (own[watch_name] is None and own[late_name] is None and row.queue):
            continue
        pair = [cell for cell in row.cells if cell.name in (watch_name, late_name)]
        if any(cell.is_wrong for cell in pair):
            continue  # what could not be read is said already, and was judged by what is stored
        is_lower = (watch_name, late_name) in LATE_IS_LOWER
        if is_lower and late > watch:
            message = _("Late must not be above watch (%(bound)s), or it would come first.")
        elif not is_lower and late < watch:
            message = _("Late must not be below watch (%(bound)s), or it would come first.")
        else:
            continue
        # Only what is written here: an inherited bound is changed in the first row.
        _mark([cell for cell in pair if cell.text], message % {"bound": shown(watch_name, watch)})


def _mark(cells: list[Cell], message: str) -> None:
    """Mark cells as wrong; the message stands below the last of them."""
    cells[-1].error = message
    for cell in cells:
        cell.error_id = f"{cells[-1].field_name}-error"


def labels() -> dict[str, str]:
    """What each bound is called, for the heads of the table and for those who hear it."""
    return {
        "longest_wait_watch_seconds": _("longest wait, watch from"),
        "longest_wait_late_seconds": _("longest wait, late from"),
        "average_wait_watch_seconds": _("average wait, watch from"),
        "average_wait_late_seconds": _("average wait, late from"),
        "waiting_watch": _("waiting, watch from"),
        "waiting_late": _("waiting, late from"),
        "available_watch_below": _("available, watch below"),
        "available_late_below": _("available, late below"),
        "service_watch_below": _("service level in %, watch below"),
        "service_late_below": _("service level in %, late below"),
    }


def unjudged(domain: Domain) -> list[str]:
    """Sentences about the waits that calibration keeps from being judged, whatever their bounds are."""
    hidden, of_period = domain.hidden_waits.split(), domain.period_waits.split()
    names = {"longest": _("longest wait"), "average": _("average wait")}
    period = _("The provider’s %(wait)s is one of a period, as far as calibration can see: its bounds judge nothing.")
    lost = _("What the provider’s %(wait)s means is no longer certain: its bounds judge nothing until it is proven.")
    return [(period if name in of_period else lost) % {"wait": text} for name, text in names.items() if name in hidden]


def read(name: str, text: str) -> int | None:
    """A bound as people write it: a wait as 1:30 or 90, people as 3, a share as 80 or 80 %.

    Raises ValueError with a sentence.
    """
    if not text:
        return None
    if name.endswith("_seconds"):
        found = re.fullmatch(r"(?:(\d{1,4}):)?(\d{1,5})", text)
        seconds = int(found[1] or 0) * 60 + int(found[2]) if found and (not found[1] or int(found[2]) < 60) else -1
        if not 0 < seconds <= MOST_SECONDS:
            raise ValueError(_("Write a wait like 1:30, or in seconds."))
        return seconds
    if name in SHARES:
        percent = re.fullmatch(r"([0-9]{1,3})\s*%?", text)
        if not percent or not 0 < int(percent[1]) <= 100:
            raise ValueError(_("Write a percentage from 1 to 100."))
        return int(percent[1])
    if not re.fullmatch(r"[0-9]{1,4}", text) or int(text) > MOST_PEOPLE:
        raise ValueError(_("Write a whole number."))
    return int(text)


def shown(name: str, bound: int | None) -> str:
    """A bound as `read` takes it; "" for none."""
    if bound is None:
        return ""
    return f"{bound // 60}:{bound % 60:02}" if name.endswith("_seconds") else str(bound)


def standards_of(rows: list[Row]) -> Standards:
    """The targets that these rows make."""
    return with_bounds(rows[0].bounds, {row.queue.number: row.bounds for row in rows if row.queue})


def save(domain: Domain, rows: list[Row]) -> int:
    """Save what differs from what is stored; gives in how many rows it did. Open boards follow at once."""
    changed = 0
    with transaction.atomic():
        stored = stored_bounds(domain)
        for row in rows:
            before = stored.get(row.queue.number if row.queue else None)
            is_empty = not any(bound is not None for bound in row.bounds.values())
            # Untouched rows write nothing: no version, no news to boards, no line in the audit log.
            if row.bounds == before or (before is None and is_empty):
                continue
            changed += 1
            if is_empty and row.queue:
                editing.drop_targets(Target.objects.get(domain=domain, queue=row.queue))
            else:
                editing.set_targets(domain, row.queue, row.bounds)
    return changed


def sheet(domain: Domain) -> Iterator[tuple[object, ...]]:
    """A line for the default and one per queue; an empty cell is inherited from the default."""
    yield ("queue", "name", *editing.TARGET_FIELDS)
    for row in rows_of(domain):
        bounds = (row.bounds.get(name) for name in editing.TARGET_FIELDS)
        yield (row.queue.number if row.queue else "", row.name, *bounds)
