"""The figures of one card as a picture tells them: a few lines of text, with the moment they are of."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from accounts import company_day
from accounts.languages import dates
from accounts.models import Domain
from accounts.templatetags.formats import duration
from wallboard.boards import layout as layouts
from wallboard.boards import time_zones
from wallboard.boards.cards import figures
from wallboard.boards.cards.card import Card, Levels
from wallboard.boards.cards.kinds import FIGURES, KINDS, NOW
from wallboard.calls.subscriptions import health
from wallboard.queues import documents, pacing
from wallboard.queues.figures import QueueDocument
from wallboard.reports import time_windows
from wallboard.screens.models import Embed

DRAWN = ("queue", "tiles", "table", "figure")
# Of now, over the queues of a card.
OF_QUEUES: dict[str, Callable[[list[float]], float]] = {
    "waiting": sum,
    "most_waiting": max,
    "available": min,
    "agents": min,
}
WAITS_NOW = {"longest": "longest_wait", "average": "average_wait"}
WAITS = ("longest", "average", "answer_speed", "ahead_longest")
MOST_ROWS = 6
COUNTED_FOR = timedelta(minutes=3)  # as long as views/board-state.js believes what the server counts each minute
NONE, UNKNOWN = "–", "?"


@dataclass(frozen=True)
class Row:
    """One queue: its name, how it stands (normal, watch, late or closed), and its figures."""

    name: str
    level: str
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """What the picture says: one figure large, or queues with `heads` over their figures; `note` is when it was so."""

    title: str
    note: str
    is_old: bool
    value: str = ""
    heads: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    more: str = ""


def told(embed: Embed) -> Told | None:
    """The figures of the link's card as they are now; None for a card that no picture is made of."""
    found = next((each for each in layouts.layout_of(embed.board).cards or () if each.id == embed.card), None)
    if found is None or found.kind not in DRAWN:
        return None
    if found.kind == "figure" and found.options["window"] != NOW:
        return _counted(embed, found)
    if found.kind == "figure" and found.options["figure"] not in (*OF_QUEUES, *WAITS_NOW):
        return None
    return _of_queues(embed, found)


def _of_queues(embed: Embed, card: Card) -> Told:
    """From the newest reading; a queue that the provider no longer names has no figures."""
    held = documents.documents(embed.domain_id)
    about = {key.partition(":")[2]: each for key, (_v, each) in held.items() if key.startswith("about:") and each}
    wanted = sorted(about, key=lambda number: about[number].order) if card.queues is None else card.queues
    shown = [(about[number], held.get(f"queue:{number}", (0, None))[1]) for number in wanted if number in about]
    read_at = held["poll"][1].read_at
    moment = None if read_at is None else datetime.fromtimestamp(read_at / 1000, UTC)
    is_old = moment is None or timezone.now() - moment > pacing.live_for(embed.domain)
    note = _note(embed, moment, is_old=is_old)
    title = card.title or (_name(card) if card.kind != "queue" or not shown else "")
    if card.kind == "figure":
        known = [each for _about, each in shown if each is not None and each.missing_since is None]
        return Told(title, note, is_old, value=_now(card.options["figure"], known))
    rows = tuple(_row(each.name, queue, card) for each, queue in shown)
    more = _("and %(n)s more") % {"n": len(rows) - MOST_ROWS} if len(rows) > MOST_ROWS else ""
    heads = (_("waiting"), _("longest"), _("available"))
    return Told(title, note, is_old, heads=heads, rows=rows[:MOST_ROWS], more=more)


def _row(name: str, queue: QueueDocument | None, card: Card) -> Row:
    if queue is None or queue.missing_since is not None:
        return Row(name, "unknown", (UNKNOWN,) * 3)
    wait = queue.longest_wait if queue.waiting else None  # an empty queue has none, whatever the provider tells of it
    level = queue.level if card.levels is None else _level_by(card.levels, wait)
    level = queue.reason if queue.reason == "closed" else level
    available = UNKNOWN if queue.available is None else _count(queue.available)
    longest = UNKNOWN if queue.waiting and wait is None else duration(wait)
    return Row(name, level, (_count(queue.waiting), longest, available))


def _level_by(levels: Levels, wait: int | None) -> str:
    """By the card's own levels of the longest wait, as `levelBy` of views/card-scope.js."""

    def reaches(bound: float | None) -> bool:
        return wait is not None and bound is not None and (wait < bound if levels.below else wait >= bound)

    return "late" if reaches(levels.late) else "watch" if reaches(levels.watch) else "normal"


def _now(figure: str, known: list[QueueDocument]) -> str:
    if figure in WAITS_NOW:
        return _wait_now(figure, [each for each in known if each.waiting])
    field = {"most_waiting": "waiting"}.get(figure, figure)
    values = [value for each in known if (value := getattr(each, field)) is not None]
    return _written(figure, float(OF_QUEUES[figure](values))) if values else UNKNOWN


def _wait_now(figure: str, queues: list[QueueDocument]) -> str:
    """Of queues in which somebody waits; the average is weighted by how many do."""
    field = WAITS_NOW[figure]
    told = [(value, each.waiting) for each in queues if (value := getattr(each, field)) is not None]
    if not told:
        return UNKNOWN if queues else NONE
    if figure == "longest":
        return _written(figure, max(value for value, _waiting in told))
    return _written(figure, round(sum(value * waiting for value, waiting in told) / sum(each for _, each in told)))


def _counted(embed: Embed, card: Card) -> Told:
    """What is counted each minute, for a window of time or of the next hour."""
    now = timezone.now()
    minute = now.replace(second=0, microsecond=0)
    document = figures.card_figure(time_zones.domain_in_board_zone(embed.board), card, minute)
    assert isinstance(document, figures.WindowDocument)
    name = card.options["figure"]
    counted_at = datetime.fromtimestamp(document.at / 1000, UTC)
    is_live, heard_at = _source(embed.domain, name)
    is_old = not is_live or now - counted_at > COUNTED_FOR
    moment = counted_at if is_live else heard_at
    value = _written(name, document.value) if document.is_known else UNKNOWN
    if document.range and document.is_known:
        value = "~" + NONE.join(_written(name, end) for end in document.range)
    return Told(card.title or _name(card), _note(embed, moment, is_old=is_old), is_old, value=value)


def _source(domain: Domain, name: str) -> tuple[bool, datetime | None]:
    """Whether what this figure is counted from comes in now, and when it did last: call events, else readings."""
    if name in time_windows.OF_CALLS:
        events = health.of(domain.pk)
        return events.state == "live", events.heard_at or events.since
    state = pacing.state_of(domain)
    read_at = state.read_at if state else None
    return read_at is not None and timezone.now() - read_at <= pacing.live_for(domain), read_at


def _name(card: Card) -> str:
    if card.kind != "figure":
        return str(KINDS[card.kind].name)
    figure = FIGURES[card.options["figure"]]
    return str(figure.name_over_time if figure.name_over_time and card.options["window"] != NOW else figure.name)


def _written(figure: str, value: float | None) -> str:
    if value is None or figure in WAITS:
        return duration(value)
    return _count(value) + (" %" if figure == "service_level" else "")


def _count(value: float | None) -> str:
    return NONE if value is None else formats.number_format(round(value, 1), 0 if value == int(value) else 1)


def _note(embed: Embed, moment: datetime | None, *, is_old: bool) -> str:
    """The day stands there, too: a mail is read on another one."""
    if moment is None:
        return _("queues not read yet")
    local = moment.astimezone(company_day.zone_of(time_zones.domain_in_board_zone(embed.board)))
    time = f"{dates.written(local, 'j M Y')} {company_day.clock_text(embed.domain.clock, local)}"
    return (_("No new figures since {time}.") if is_old else _("as of {time}")).format(time=time)
