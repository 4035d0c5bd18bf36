"""What the server calculates each minute: `today` of an automatic board, `figure:<card id>` of the cards of a grid."""

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar

import msgspec
from django.core.cache import cache
from django.utils import timezone

from accounts.limits import Limit
from accounts.models import Domain
from wallboard.boards import layout, time_zones
from wallboard.boards.cards.card import Card
from wallboard.boards.cards.kinds import AHEAD, NOW
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board
from wallboard.calls.gaps import coverage
from wallboard.desk import callbacks
from wallboard.forecast import card as forecast
from wallboard.live.feeds import Documents, milliseconds
from wallboard.queues.models import Sample
from wallboard.queues.targets.levels import NORMAL, Pair
from wallboard.reports import day_ribbon, time_windows
from wallboard.reports.external_calls import external_calls
from wallboard.reports.service import counting, rules
from wallboard.reports.time_windows import OVERRULED

UNCACHED = ("callbacks",)  # who has been called back must leave the card within seconds
CACHE_SECONDS = 90  # boards with the same card share one calculation a minute, in each process
EDIT_BITS = 20  # with the minute 45 bits in all: JavaScript and Lua count exactly up to 53


class FigureDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What is calculated for one card: `figure:<card id>` of the feed `board:<id>`. Times in ms.

    `of` says for what it was calculated (figure_spec), so that a page never draws it on a card that was changed since.
    `is_first_kept`: of several processes that calculate it for the same minute the first one counts (live.feeds).
    """

    is_first_kept: ClassVar[bool] = True
    of: str
    at: int


class MissingDocument(msgspec.Struct, frozen=True):
    """Call events that are missing from what was counted: seconds in all, in pieces between two moments (ms)."""

    seconds: int
    pieces: int
    since: int
    until: int


class ToldDocument(msgspec.Struct, frozen=True):
    """Of how many queues a figure is told, and of how many it would be."""

    n: int
    of: int


class WindowDocument(FigureDocument, frozen=True, kw_only=True):
    """A single figure over a window of time; the fields are those of time_windows.WindowFigure.

    Of a figure of calls also since when they are counted, where that is later than the window's begin, and what is
    missing of them. Of the service level `rules` are those of its queues: formula (with "+" where only calls in
    business hours count), target and short-abandon seconds; `level` is how it stands against `bounds` (watch, late).
    Of the next hour `range` is the interval around the value, one number where its ends are the same; `told` is set
    where something is expected of some open queues only.
    """

    since: int
    value: float | None
    is_known: bool
    queue: str | None
    why: str
    measured_minutes: int | None
    counted_since: int | None = None
    missing: MissingDocument | None = None
    rules: list[tuple[str, int, int]] = []
    level: str = NORMAL
    bounds: Pair = (None, None)
    range: list[int] | None = None
    told: ToldDocument | None = None


class TotalsDocument(FigureDocument, frozen=True, kw_only=True):
    """Totals since the company's day began; calls are None where they cannot be counted, which `why` then says.

    `counted_since` and `missing` are about the calls, as in WindowDocument.
    """

    since: int
    late_seconds: int
    ended: int | None
    unanswered: int | None
    counted_since: int | None
    missing: MissingDocument | None
    why: str = ""


class RibbonDocument(FigureDocument, frozen=True, kw_only=True):
    """The last day by quarter hour: minutes late and with nobody available, None where nothing was read."""

    since: int
    late: list[Any]
    nobody: list[Any]


class CallbacksDocument(FigureDocument, frozen=True, kw_only=True):
    """Callers who are still to be called back; None where calls do not show their queue, which `why` then says."""

    is_first_kept: ClassVar[bool] = False  # calculated anew each time (UNCACHED)
    open: int | None
    taken: int | None
    oldest_at: int | None
    why: str


class TodayDocument(msgspec.Struct, frozen=True):
    """The totals of an automatic board: `today` of the feed `board:<id>`, as TotalsDocument."""

    is_first_kept: ClassVar[bool] = True
    at: int
    since: int
    late_seconds: int
    ended: int | None
    unanswered: int | None
    counted_since: int | None
    missing: MissingDocument | None
    why: str = ""


def documents(board: Board) -> Documents:
    """The calculated documents of the feed `board:<id>`, each with its version."""
    now = timezone.now().replace(second=0, microsecond=0)
    shown, version, domain = layout.layout_of(board), figure_version(board, now), time_zones.domain_in_board_zone(board)
    if shown.cards is None:
        return {"today": (version, totals_today(domain, shown.queues, now))}
    found = figures(domain, shown, now)
    return {f"figure:{card_id}": (version, figure) for card_id, figure in found.items()}


def figure_version(board: Board, now: datetime) -> int:
    """The version of a calculated document: the minute, and within it the edits of the board."""
    return (int(now.timestamp()) // 60 << EDIT_BITS) + board.version % (1 << EDIT_BITS)


def totals_today(domain: Domain, queues: time_windows.Numbers, now: datetime) -> TodayDocument:
    """What a card of totals over these queues would show since the day began."""
    figure = card_figure(domain, Card("today", "totals", 0, 0, 1, 1, queues=queues), now)
    assert isinstance(figure, TotalsDocument)
    return TodayDocument(
        figure.at,
        figure.since,
        figure.late_seconds,
        figure.ended,
        figure.unanswered,
        figure.counted_since,
        figure.missing,
        figure.why,
    )


def figures(domain: Domain, grid: Layout, now: datetime) -> dict[str, FigureDocument]:
    """The calculated figures of a grid, published or draft, by card id."""
    needing = [card for card in grid.cards or () if figure_spec(card)]
    return {card.id: card_figure(domain, card, now) for card in needing}


def figure_spec(card: Card) -> str:
    """What a card asks the server to calculate, "" for nothing; the scripts make the same text of the shown card."""
    queues = "*" if card.queues is None else ",".join(card.queues)
    if card.kind == "figure":
        window = card.options["window"]
        return "" if window == NOW else f"{card.options['figure']} {window} {queues}"
    return f"{card.kind} {queues}" if card.kind in CALCULATIONS else ""


def card_figure(domain: Domain, card: Card, now: datetime) -> FigureDocument:
    """One card's figure, calculated once a minute for all boards that show it."""
    spec = figure_spec(card)
    if card.kind in UNCACHED:
        return CALCULATIONS[card.kind](domain, card, spec, now)
    digest = hashlib.sha256(f"{domain.time_zone} {spec}".encode()).hexdigest()
    key = f"card-figure-{domain.pk}-{int(now.timestamp())}-{digest}"
    figure: FigureDocument | None = cache.get(key)
    if figure is None:
        figure = CALCULATIONS[card.kind](domain, card, spec, now)
        cache.set(key, figure, CACHE_SECONDS)
    return figure


def _window(domain: Domain, card: Card, spec: str, now: datetime) -> WindowDocument:
    name, window = card.options["figure"], card.options["window"]
    if window == AHEAD:
        return _ahead(domain, card, spec, now)
    since = time_windows.window_begin(domain, window, now)
    figure = time_windows.window_figure(domain, name, window, card.queues, now)
    gaps = counting.ground(domain.pk).gaps if name in time_windows.OF_SERVICE else []
    found = coverage.of(domain.pk, since, now, gaps) if name in time_windows.OF_CALLS else coverage.Coverage()
    return WindowDocument(
        of=spec,
        at=milliseconds((figure.at or now).replace(second=0, microsecond=0)),  # one document a minute
        since=milliseconds(since),
        value=figure.number,
        is_known=figure.is_known,
        queue=figure.queue,
        why=figure.why,
        measured_minutes=figure.measured_minutes,
        counted_since=milliseconds(found.counted_since),
        missing=_missing(found),
        rules=_rules(domain, card) if name == "service_level" else [],
        level=figure.level,
        bounds=figure.bounds,
    )


def _ahead(domain: Domain, card: Card, spec: str, now: datetime) -> WindowDocument:
    """Of the next hour, which the worker has forecast; `since` is when that hour begins."""
    found = forecast.ahead(domain, card.options["figure"], card.queues, now)
    expected = found.expected
    return WindowDocument(
        of=spec,
        at=milliseconds(now),
        since=milliseconds(found.begins_at),
        value=round(expected.middle) if expected else None,
        is_known=expected is not None or found.why == forecast.CLOSED,
        queue=found.queue,
        why=found.why or (OVERRULED if found.is_overruled else ""),
        measured_minutes=None,
        range=sorted({round(expected.low), round(expected.high)}) if expected else None,
        told=ToldDocument(*found.told) if expected and found.told[0] < found.told[1] else None,
    )


def _rules(domain: Domain, card: Card) -> list[tuple[str, int, int]]:
    """The rules by which the card's queues are counted, the company's first."""
    by = rules.rules(domain.pk)
    numbers = time_windows.shown_queues(domain, card.queues).values_list("number", flat=True)
    used = {by.of(number) for number in numbers}
    ordered = sorted(used, key=lambda rule: (rule != by.default, rule.target, rule.short))
    return [(rule.formula + "+" * rule.is_open_only, rule.target, rule.short) for rule in ordered]


def _totals(domain: Domain, card: Card, spec: str, now: datetime) -> TotalsDocument:
    """Of its queues since the company's day began."""
    since = time_windows.window_begin(domain, time_windows.TODAY, now)
    samples = Sample.objects.filter(queue__in=time_windows.shown_queues(domain, card.queues), minute__gte=since)
    why = time_windows.why_uncounted(domain, since, card.queues)
    calls = None if why else external_calls(domain.pk, since, queues=card.queues)
    found = coverage.Coverage() if why else coverage.of(domain.pk, since, now)
    return TotalsDocument(
        of=spec,
        at=milliseconds(now),
        since=milliseconds(since),
        late_seconds=round(time_windows.late_seconds(samples)),
        ended=calls.ended if calls else None,
        unanswered=calls.unanswered if calls else None,
        counted_since=milliseconds(found.counted_since),
        missing=_missing(found),
        why=why,
    )


def _missing(found: coverage.Coverage) -> MissingDocument | None:
    if (missing := found.missing) is None:
        return None
    since, until = milliseconds(missing.since), milliseconds(missing.until)
    return MissingDocument(missing.seconds, missing.pieces, since, until)


def _ribbon(domain: Domain, card: Card, spec: str, now: datetime) -> RibbonDocument:
    day = day_ribbon.ribbon(time_windows.shown_queues(domain, card.queues), now)
    since = milliseconds(day.since)
    return RibbonDocument(of=spec, at=milliseconds(now), since=since, late=day.late, nobody=day.nobody)


def _callbacks(domain: Domain, card: Card, spec: str, now: datetime) -> CallbacksDocument:
    """Of all callers, or of those who came to its queues, where calls show their queue."""
    at = milliseconds(now)
    if card.queues is not None and not time_windows.calls_name_queues(domain, now):
        return CallbacksDocument(of=spec, at=at, open=None, taken=None, oldest_at=None, why="queues_unseen")
    of_these = Limit(queues=None if card.queues is None else frozenset(card.queues))
    summary = callbacks.summary(domain.pk, of_these)
    oldest_at = milliseconds(summary.oldest_at)
    return CallbacksDocument(of=spec, at=at, open=summary.open, taken=summary.taken, oldest_at=oldest_at, why="")


CALCULATIONS: dict[str, Callable[[Domain, Card, str, datetime], FigureDocument]] = {
    "figure": _window,
    "totals": _totals,
    "ribbon": _ribbon,
    "callbacks": _callbacks,
}
