"""Figures over several queues. `static/js/views/sums.js` computes the same in the page."""

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
    has no wait to add, nor has one whose wait the provider does not tell.
    """
    documents = list(figures)
    present = [each for each in documents if each["missing_since"] is None]
    busy = [each for each in present if each["waiting"]]
    waits = [each["longest_wait"] for each in busy if each["longest_wait"] is not None]
    waiting = sum(each["waiting"] for each in busy) if present else None
    return Totals(waiting, max(waits, default=None), _average(busy), len(present), len(documents) - len(present))


def _average(busy: list[dict[str, Any]]) -> int | None:
    weighed = [(each["average_wait"], each["waiting"]) for each in busy if each["average_wait"] is not None]
    heads = sum(waiting for _, waiting in weighed)
    return half_up(sum(wait * waiting for wait, waiting in weighed) / heads) if heads else None


def half_up(value: float) -> int:
    """Rounded as the page's Math.round does it, so that both show the same."""
    return int(value + 0.5)
