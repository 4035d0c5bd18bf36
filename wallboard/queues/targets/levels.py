"""How a queue stands against its targets: normal, watch or late, and why."""

from dataclasses import dataclass, fields

from accounts.models import Domain
from wallboard.queues.models import Level, Target

Pair = tuple[int | None, int | None]  # from where on it is watch, and late
NORMAL, WATCH, LATE = Level.NORMAL.value, Level.WATCH.value, Level.LATE.value
CLOSED = "closed"  # no level: why a queue has none outside its hours
GRADES = ((LATE, 1), (WATCH, 0))  # the worst first, with its place in a Pair
# A first board shows what late looks like; companies set what they want by and by.
FIRST_TARGETS = {"longest_wait_watch_seconds": 60, "longest_wait_late_seconds": 120}


@dataclass(frozen=True, slots=True)
class Targets:
    """What a queue is held against. Waits in seconds; None means that nothing is asked."""

    longest_wait: Pair = (None, None)
    waiting: Pair = (None, None)
    available_below: Pair = (None, None)

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


def standards(domain_id: int) -> Standards:
    """Every target in force in the domain, in one query."""
    rows = Target.objects.filter(domain_id=domain_id).values_list(
        "queue__number",
        "longest_wait_watch_seconds",
        "longest_wait_late_seconds",
        "waiting_watch",
        "waiting_late",
        "available_watch_below",
        "available_late_below",
    )
    found = [(row[0], Targets((row[1], row[2]), (row[3], row[4]), (row[5], row[6]))) for row in rows]
    default = next((targets for number, targets in found if number is None), Targets())
    by_number = {number: targets for number, targets in found if number is not None}
    return Standards(default, {number: own.over(default) for number, own in by_number.items()})


def make_default(domain: Domain) -> None:
    """Give the domain the targets that everybody starts with, where it has no default yet."""
    Target.objects.get_or_create(domain=domain, queue=None, defaults=FIRST_TARGETS)


def judged(waiting: int, longest_wait: int | None, available: int | None, targets: Targets) -> tuple[str, str]:
    """(level, reason). A wait counts only while somebody waits; a number of agents counts when it is too low."""
    # What a wait means in an empty queue the API does not say; late without a caller would be wrong in any case.
    wait = longest_wait if waiting and longest_wait is not None else -1
    for level, at in GRADES:
        bound = targets.longest_wait[at]
        if bound is not None and wait >= bound:
            return level, "longest_wait"
        bound = targets.waiting[at]
        if bound is not None and waiting >= bound:
            return level, "waiting"
        bound = targets.available_below[at]
        if bound is not None and available is not None and available < bound:
            return level, "available"
    return NORMAL, ""


def _first(own: int | None, inherited: int | None) -> int | None:
    return inherited if own is None else own
