"""Figures over several queues. `static/js/views/totals.js` computes the same in the page."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Totals:
    """Waits in seconds; None where nobody waits or nothing is known. No agents: people serve several queues."""

    waiting: int | None
    longest_wait: int | None
    average_wait: int | None
    queues: int
    missing: int


def of(figures: Iterable[dict[str, Any]]) -> Totals:
    """Totals of queue documents: waiting is a sum, the longest wait a maximum, the average weighted by waiting.

    A queue that is missing from the newest reading counts as missing and adds nothing. A queue that nobody waits in
    has no wait to add. The average is None as soon as a queue with waiting callers tells none.
    """
    documents = list(figures)
    present = [each for each in documents if each["missing_since"] is None]
    busy = [each for each in present if each["waiting"]]
    waiting = sum(each["waiting"] for each in busy)
    waits = [each["longest_wait"] for each in busy if each["longest_wait"] is not None]
    averages = [each["average_wait"] for each in busy]
    average = None
    if busy and None not in averages:
        average = half_up(sum(each["average_wait"] * each["waiting"] for each in busy) / waiting)
    missing = len(documents) - len(present)
    return Totals(waiting if present else None, max(waits, default=None), average, len(present), missing)


def half_up(value: float) -> int:
    """Rounded as a page's Math.round does it, so that both show the same."""
    return int(value + 0.5)
