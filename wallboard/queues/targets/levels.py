"""How a queue stands against its targets: normal, watch or late, and why."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from accounts.models import Domain
from wallboard.queues.models import Level, Target

Pair = tuple[int | None, int | None]  # from where on it is watch, and late
NORMAL, WATCH, LATE = Level.NORMAL.value, Level.WATCH.value, Level.LATE.value
CLOSED = "closed"  # no level: why a queue has none outside its hours
GRADES = ((LATE, 1), (WATCH, 0))  # the worst first, with its place in a Pair
# A first board shows what late looks like; companies set what they want by and by.
# The columns of each target in models.Target, in the order in which people set them.
COLUMNS = {
    "longest_wait": ("longest_wait_watch_seconds", "longest_wait_late_seconds"),
    "average_wait": ("average_wait_watch_seconds", "average_wait_late_seconds"),
    "waiting": ("waiting_watch", "waiting_late"),
    "available_below": ("available_watch_below", "available_late_below"),
    "service_below": ("service_watch_below", "service_late_below"),
}
TARGET_COLUMNS = tuple(column for pair in COLUMNS.values() for column in pair)
FIRST_TARGETS = {"longest_wait_watch_seconds": 60, "longest_wait_late_seconds": 120}


@dataclass(frozen=True, slots=True)
class Targets:
    """What a queue is held against. Waits in seconds; None means that nothing is asked.

    `service_below` is the service level of a day in percent: of calls that are over, so no level follows from it.
    """

    longest_wait: Pair = (None, None)
    waiting: Pair = (None, None)
    available_below: Pair = (None, None)
    average_wait: Pair = (None, None)
    service_below: Pair = (None, None)

    @classmethod
    def of_columns(cls, values: Mapping[str, int | None]) -> "Targets":
        """From columns of models.Target."""
        return cls(**{name: (values.get(watch), values.get(late)) for name, (watch, late) in COLUMNS.items()})

    @property
    def makes_levels(self) -> bool:
        """Whether anything is asked of a reading."""
        return replace(self, service_below=(None, None)) != Targets()

    def over(self, inherited: "Targets") -> "Targets":
        """These targets, with the inherited one wherever a number is missing."""
        mine_and_theirs = ((getattr(self, each.name), getattr(inherited, each.name)) for each in fields(self))
        return Targets(*((_first(mine[0], theirs[0]), _first(mine[1], theirs[1])) for mine, theirs in mine_and_theirs))

    def as_document(self) -> dict[str, list[int | None]]:
        return {each.name: list(getattr(self, each.name)) for each in fields(self)}


@dataclass(frozen=True, slots=True)
class Standards:
    """The targets of a whole domain: its default, and what single queues have of their own."""

    default: Targets
    own: dict[str, Targets]

    def of(self, number: str) -> Targets:
        return self.own.get(number, self.default)

    def without(self, waits: Collection[str]) -> "Standards":
        """The same with nothing asked of these waits: "longest", "average"."""
        nothing: dict[str, Pair] = {f"{name}_wait": (None, None) for name in waits}
        own = {number: replace(targets, **nothing) for number, targets in self.own.items()}
        return Standards(replace(self.default, **nothing), own)


def standards(domain_id: int) -> Standards:
    """Every target in force in the domain, in one query."""
    return of_rows(Target.objects.filter(domain_id=domain_id).values("queue__number", *TARGET_COLUMNS))


def of_rows(rows: Iterable[Mapping[str, Any]]) -> Standards:
    """The same of the rows, each with `queue__number` and the columns of its targets."""
    found = [(row["queue__number"], Targets.of_columns(row)) for row in rows]
    default = next((targets for number, targets in found if number is None), Targets())
    by_number = {number: targets for number, targets in found if number is not None}
    return Standards(default, {number: own.over(default) for number, own in by_number.items()})


def make_default(domain: Domain) -> None:
    """Give the domain the targets that everybody starts with, where it has no default yet."""
    Target.objects.get_or_create(domain=domain, queue=None, defaults=FIRST_TARGETS)


def judged(
    waiting: int,
    longest_wait: int | None,
    available: int | None,
    targets: Targets,
    average_wait: float | None = None,
) -> tuple[str, str]:
    """(level, reason). A wait counts only while somebody waits; a number of agents counts when it is too low."""
    # What a wait means in an empty queue the API does not say; late without a caller would be wrong in any case.
    longest, average = (longest_wait, average_wait) if waiting else (None, None)
    for level, at in GRADES:
        if _reaches(longest, targets.longest_wait[at]):
            return level, "longest_wait"
        if _reaches(average, targets.average_wait[at]):
            return level, "average_wait"
        if _reaches(waiting, targets.waiting[at]):
            return level, "waiting"
        if is_below(available, targets.available_below[at]):
            return level, "available"
    return NORMAL, ""


def level_below(value: float | None, bounds: Pair) -> str:
    """The level of a value that is worse the lower it is; normal where nothing is asked, or nothing known."""
    return next((level for level, at in GRADES if is_below(value, bounds[at])), NORMAL)


def is_below(value: float | None, bound: int | None) -> bool:
    """Whether a value that is known is below a bound that is asked for."""
    return value is not None and bound is not None and value < bound


def _reaches(value: float | None, bound: int | None) -> bool:
    return value is not None and bound is not None and value >= bound


def _first(own: int | None, inherited: int | None) -> int | None:
    return inherited if own is None else own
