"""The service level held against its targets: the bounds of queues.Target, in percent of the calls of a time."""

from collections.abc import Collection

from wallboard.queues.targets.levels import NORMAL, Pair, Standards, level_below

FEWEST_CALLS = 20  # that count: with fewer a single caller would make the difference


def level_of(met: int, base: int, bounds: Pair) -> str:
    """How so many calls met of so many stand; normal while too few came to tell."""
    return level_below(100 * met / base, bounds) if base >= FEWEST_CALLS else NORMAL


def bounds_over(standards: Standards, numbers: Collection[str]) -> Pair:
    """The bounds of several queues together: those that all of them share, else the company's."""
    found = {standards.of(number).service_below for number in numbers}
    return found.pop() if len(found) == 1 else standards.default.service_below
