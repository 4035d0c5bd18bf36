"""What is counted each minute for a board: `today` of an automatic one, `figure:<card id>` of the cards of a grid."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.utils import timezone

from accounts.limits import Limit
from accounts.models import Domain
from wallboard.boards import clocks, layout, ribbons, windows
from wallboard.boards.cards import NOW, TODAY, Card
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board
from wallboard.boards.outside import outside_calls
from wallboard.desk import callbacks
from wallboard.live.feeds import Documents, milliseconds
from wallboard.queues.models import Sample

FRESH = ("callbacks",)  # told whenever feeds are mended: who has been rung back leaves within seconds
KEPT_SECONDS = 90  # who asks for the same thing in the same minute shares one count, in each process
EDIT_BITS = 20  # with the minute 45 in all: scripts and Redis count exactly up to 53
Counted = dict[str, Any]


def documents(board: Board) -> Documents:
    """What is counted for the board: of a grid the figure of every card that needs one, else its `today`."""
    now = timezone.now().replace(second=0, microsecond=0)
    shown, version, domain = layout.of(board), version_of(board, now), clocks.company_of(board)
    if shown.cards is None:
        return {"today": (version, today(domain, shown.queues, now))}
    found = figures(domain, shown, now)
    return {f"figure:{card_id}": (version, figure) for card_id, figure in found.items()}


def version_of(board: Board, now: datetime) -> int:
    """The version of what is counted each minute: the minute, and within it the edits of the board."""
    return (int(now.timestamp()) // 60 << EDIT_BITS) + board.version % (1 << EDIT_BITS)


def today(domain: Domain, queues: windows.Numbers, now: datetime) -> Counted:
    """What a card of totals over these queues would show."""
    figure = counted(domain, Card("today", "totals", 0, 0, 1, 1, queues=queues), now)
    return {name: value for name, value in figure.items() if name != "of"}


def figures(domain: Domain, grid: Layout, now: datetime) -> dict[str, Counted]:
    """By card id, what the cards of any layout show, a draft's too: `of` says for what it was counted (`purpose`)."""
    needing = [card for card in grid.cards or () if purpose(card)]
    return {card.id: counted(domain, card, now) for card in needing}


def purpose(card: Card) -> str:
    """For what a card's figure is counted, "" where nothing is; values.js makes the same text of the card it shows."""
    queues = "*" if card.queues is None else ",".join(card.queues)
    if card.kind == "figure":
        window = card.options["window"]
        return "" if window == NOW else f"{card.options['figure']} {window} {queues}"
    return f"{card.kind} {queues}" if card.kind in COUNTERS else ""


def counted(domain: Domain, card: Card, now: datetime) -> Counted:
    """One card's figure, counted once a minute for all that need it; times in ms."""
    of = purpose(card)
    head = {"of": of, "at": milliseconds(now)}
    if card.kind in FRESH:
        return {**head, **COUNTERS[card.kind](domain, card, now)}
    digest = hashlib.sha256(f"{domain.time_zone} {of}".encode()).hexdigest()
    key = f"counted-{domain.pk}-{int(now.timestamp())}-{digest}"
    figure: Counted | None = cache.get(key)
    if figure is None:
        figure = {**head, **COUNTERS[card.kind](domain, card, now)}
        cache.set(key, figure, KEPT_SECONDS)
    return figure


def _figure(domain: Domain, card: Card, now: datetime) -> Counted:
    figure, window = card.options["figure"], card.options["window"]
    since = windows.begin_of(domain, window, now)
    return {"since": milliseconds(since), **windows.value(domain, figure, window, card.queues, now).as_json()}


def _totals(domain: Domain, card: Card, now: datetime) -> Counted:
    """Of its queues since the company's day began; calls are null where they do not show their queue."""
    since = windows.begin_of(domain, TODAY, now)
    samples = Sample.objects.filter(queue__in=windows.queues_of(domain, card.queues), minute__gte=since)
    is_told = card.queues is None or windows.names_queues(domain, since)
    calls = outside_calls(domain.pk, since, queues=card.queues) if is_told else None
    return {
        "since": milliseconds(since),
        "late_seconds": round(windows.late_seconds(samples)),
        "ended": calls.ended if calls else None,
        "unanswered": calls.unanswered if calls else None,
    }


def _ribbon(domain: Domain, card: Card, now: datetime) -> Counted:
    day = ribbons.ribbon(windows.queues_of(domain, card.queues), now)
    return {"since": milliseconds(day.since), **day.as_json()}


def _callbacks(domain: Domain, card: Card, now: datetime) -> Counted:
    """Of all callers, or of those who came to its queues, where calls show their queue."""
    if card.queues is not None and not windows.names_queues(domain, now):
        return {"open": None, "taken": None, "oldest_at": None, "why": "queues_unseen"}
    of_these = Limit(queues=None if card.queues is None else frozenset(card.queues))
    summary = callbacks.summary(domain.pk, of_these)
    return {
        "open": summary.open,
        "taken": summary.taken,
        "oldest_at": milliseconds(summary.oldest_at),
        "why": "",
    }


COUNTERS: dict[str, Callable[[Domain, Card, datetime], Counted]] = {
    "figure": _figure,
    "totals": _totals,
    "ribbon": _ribbon,
    "callbacks": _callbacks,
}
