"""What stands on a grid board: the kinds of cards, the figures they can show, and one card as checked values."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallboard.boards import clocks

COLUMNS = 12
LEAST_ROWS, MOST_ROWS = 4, 24
MOST_NUMBERS, MOST_TITLE, MOST_NOTICE, MOST_TEXT, MOST_LEVEL = 1000, 60, 200, 500, 1_000_000
LONGEST_NUMBER = 64
NEVER_KEPT = re.compile(r"[\x00\ud800-\udfff]")  # a NUL, or half a surrogate pair: PostgreSQL takes neither
SIZES = ("small", "normal", "large")
FITS = ("contain", "cover")
NOW, TODAY = "now", "today"
WINDOWS = (NOW, "15", "30", "60", TODAY)
ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
COVER = ("queues", "people", "levels")  # which of these a kind takes says Kind.options
DEFAULTS: dict[str, Any] = {
    "figure": "waiting",
    "window": NOW,
    "zone": "",
    "text": "",
    "image": None,
    "fit": "contain",
}


class BadLayout(ValueError):
    """The layout cannot be read; the text says what to do."""


@dataclass(frozen=True)
class Kind:
    """What a kind of card is called, how small it may be, how large it is made, and which options it takes."""

    name: str | Promise
    least_width: int
    least_height: int
    usual_width: int
    usual_height: int
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """What a figure is called, the windows it can be told for, and of which queues and people it can be.

    Counts of something that happened have no `now`; of what phones are doing nothing but now is told.
    """

    name: str | Promise
    windows: tuple[str, ...] = WINDOWS
    covers: tuple[str, ...] = ("queues",)


KINDS = {
    "totals": Kind(gettext_lazy("Totals"), 6, 1, 12, 2, ("queues", "levels")),
    "tiles": Kind(gettext_lazy("Queues"), 3, 2, 8, 7, ("queues", "levels")),
    "queue": Kind(gettext_lazy("One queue, big"), 2, 2, 4, 4, ("queues", "levels")),
    "table": Kind(gettext_lazy("Queue table"), 4, 2, 6, 6, ("queues", "levels")),
    "figure": Kind(gettext_lazy("Single figure"), 2, 1, 3, 3, ("figure", "window", "queues", "people", "levels")),
    "trend": Kind(gettext_lazy("Trend line"), 2, 1, 4, 3, ("queues", "levels", "window")),
    "ribbon": Kind(gettext_lazy("Day ribbon"), 3, 1, 6, 2, ("queues", "levels")),
    "people": Kind(gettext_lazy("People"), 2, 2, 4, 6, ("people",)),
    "calls": Kind(gettext_lazy("Live calls"), 3, 2, 4, 5, ("queues", "people", "levels")),
    "callbacks": Kind(gettext_lazy("Callers to call back"), 2, 1, 3, 3, ("queues", "levels")),
    "notice": Kind(gettext_lazy("Notice"), 2, 1, 12, 1, ("text",)),
    "clock": Kind(gettext_lazy("Clock"), 2, 1, 3, 2, ("zone",)),
    "text": Kind(gettext_lazy("Text"), 2, 1, 4, 3, ("text",)),
    "image": Kind(gettext_lazy("Picture"), 1, 1, 3, 3, ("image", "fit")),
}
FIGURES = {
    "waiting": Figure(gettext_lazy("callers waiting")),
    "longest": Figure(gettext_lazy("longest wait")),
    "average": Figure(gettext_lazy("average wait")),
    "available": Figure(gettext_lazy("fewest available")),
    "agents": Figure(gettext_lazy("fewest agents")),
    "late_minutes": Figure(gettext_lazy("min over target"), WINDOWS[1:]),
    "watch_minutes": Figure(gettext_lazy("min on watch"), WINDOWS[1:]),
    "nobody_minutes": Figure(gettext_lazy("min nobody available"), WINDOWS[1:]),
    "most_waiting": Figure(gettext_lazy("most waiting")),
    "answered": Figure(gettext_lazy("answered"), WINDOWS[1:]),
    "unanswered": Figure(gettext_lazy("unanswered"), WINDOWS[1:]),
    "talking": Figure(gettext_lazy("people talking"), (NOW,), ("people",)),
    "ringing": Figure(gettext_lazy("people ringing"), (NOW,), ("people",)),
    "idle": Figure(gettext_lazy("people idle"), (NOW,), ("people",)),
    "calls": Figure(gettext_lazy("calls up now"), (NOW,), ("queues", "people")),
}


@dataclass(frozen=True)
class Levels:
    """From where on a card's own figure is watch and late: at or above, or with `below` when it falls under them."""

    watch: float | None = None
    late: float | None = None
    below: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"watch": self.watch, "late": self.late, "below": self.below}


@dataclass(frozen=True)
class Card:
    """One card: where it stands in cells, what it covers (None: everything), and the options of its kind."""

    id: str
    kind: str
    x: int
    y: int
    w: int
    h: int
    title: str = ""
    size: str = "normal"
    queues: tuple[str, ...] | None = None
    people: tuple[str, ...] | None = None
    levels: Levels | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The form that `read_card` takes."""
        place = {"id": self.id, "kind": self.kind, "x": self.x, "y": self.y, "w": self.w, "h": self.h}
        covered = {
            "queues": None if self.queues is None else list(self.queues),
            "people": None if self.people is None else list(self.people),
            "levels": None if self.levels is None else self.levels.as_json(),
        }
        return {**place, "title": self.title, "size": self.size, **covered, **self.options}

    @property
    def is_about_queues(self) -> bool:
        """Whether it shows queues: calls and what people do are about queues only where some were chosen."""
        figure = FIGURES.get(self.options.get("figure", ""))
        covers = figure.covers if figure is not None else KINDS[self.kind].options
        return "queues" in covers and (self.queues is not None or "people" not in covers)

    def touches(self, other: "Card") -> bool:
        """Whether the two lie on each other."""
        is_beside = self.x + self.w <= other.x or other.x + other.w <= self.x
        is_above = self.y + self.h <= other.y or other.y + other.h <= self.y
        return not is_beside and not is_above


def read_card(raw: object, rows: int) -> Card:
    """One card of a grid with so many rows. Raises BadLayout with a sentence that names the card."""
    if not isinstance(raw, dict):
        raise BadLayout(_("Each card is an object."))
    name, kind = _identity(raw)
    x, y, w, h = (_whole(raw.get(key), name, key) for key in ("x", "y", "w", "h"))
    _check_place((x, y, w, h), kind, rows, name)
    options = _options(raw, kind, name)
    covers = FIGURES[options["figure"]].covers if "figure" in options else kind.options
    return Card(
        raw["id"],
        raw["kind"],
        x,
        y,
        w,
        h,
        title=_text(raw.get("title", ""), MOST_TITLE, name),
        size=_one_of(raw.get("size", "normal"), SIZES, name),
        queues=_chosen(raw, "queues", covers, name),
        people=_chosen(raw, "people", covers, name),
        levels=_levels(raw.get("levels"), name) if "levels" in kind.options else None,
        options=options,
    )


def _identity(raw: dict[Any, Any]) -> tuple[str, Kind]:
    """What the card is called in a message, and its kind."""
    if not isinstance(raw.get("id"), str) or not ID.fullmatch(raw["id"]):
        raise BadLayout(_("Each card needs an id of at most 40 letters and digits."))
    kind = KINDS.get(raw["kind"]) if isinstance(raw.get("kind"), str) else None
    if kind is None:
        raise BadLayout(_("Card %(id)s: there is no such kind of card. Remove it.") % {"id": raw["id"]})
    title = raw.get("title")
    return (title if title and isinstance(title, str) else f"{kind.name} ({raw['id']})"), kind


def _whole(value: object, name: str, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_ROWS:
        raise _wrong(name, _("%(key)s must be a whole number of cells.") % {"key": key})
    return value


def _check_place(place: tuple[int, int, int, int], kind: Kind, rows: int, name: str) -> None:
    x, y, w, h = place
    if w < kind.least_width or h < kind.least_height:
        least = {"wide": kind.least_width, "high": kind.least_height}
        raise _wrong(name, _("make it at least %(wide)d wide and %(high)d high.") % least)
    if x + w > COLUMNS or y + h > rows:
        raise _wrong(name, _("it reaches beyond the board. Move it in or make it smaller."))


def _chosen(raw: dict[Any, Any], key: str, covers: tuple[str, ...], name: str) -> tuple[str, ...] | None:
    value = raw.get(key)
    if key not in covers or value is None:
        if raw.get("kind") == "queue" and key == "queues":
            raise _wrong(name, _("choose its queue."))
        return None
    if not isinstance(value, list) or len(value) > MOST_NUMBERS:
        raise _wrong(name, _("choose at most %(most)d.") % {"most": MOST_NUMBERS})
    if not all(map(is_number, value)):
        raise _wrong(name, _("queues and people are chosen by their numbers."))
    if raw.get("kind") == "queue" and len(value) != 1:
        raise _wrong(name, _("it shows exactly one queue. Choose one."))
    return tuple(dict.fromkeys(value))


def is_number(value: object) -> bool:
    """Whether this can be the number of a queue or of a person, as a layout names them."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NUMBER and not NEVER_KEPT.search(value)


def _levels(raw: object, name: str) -> Levels | None:
    if raw is None:
        return None
    if not isinstance(raw, dict):
        raise _wrong(name, _("its levels cannot be read."))
    watch, late = (_number(raw.get(key), name) for key in ("watch", "late"))
    below = raw.get("below", False) is True
    if watch is not None and late is not None and (late > watch if below else late < watch):
        raise _wrong(name, _("late must not be reached before watch."))
    return None if watch is None and late is None else Levels(watch, late, below)


def _number(value: object, name: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= MOST_LEVEL:
        raise _wrong(name, _("a level is a number from 0 on."))
    return value


def _options(raw: dict[Any, Any], kind: Kind, name: str) -> dict[str, Any]:
    read = {key: OPTIONS[key](raw.get(key, DEFAULTS[key]), name) for key in kind.options if key not in COVER}
    if raw.get("kind") == "notice":
        _text(read["text"], MOST_NOTICE, name)
    if raw.get("kind") == "trend":
        read["window"] = "60"
    if "figure" in read and read["window"] not in FIGURES[read["figure"]].windows:
        if read["window"] != NOW:
            raise _wrong(name, _("this figure is told of this moment only. Choose now."))
        raise _wrong(name, _("this figure has no value of one moment. Choose 15, 30 or 60 minutes, or today."))
    return read


def _one_of(value: object, allowed: tuple[str, ...], name: str) -> str:
    text = str(value)
    if text not in allowed:
        raise _wrong(name, _("choose one of: %(allowed)s.") % {"allowed": ", ".join(allowed)})
    return text


def _text(value: object, most: int, name: str) -> str:
    if not isinstance(value, str) or len(value) > most or NEVER_KEPT.search(value):
        raise _wrong(name, _("a text has at most %(most)d letters.") % {"most": most})
    return value


def _zone(value: object, name: str) -> str:
    try:
        return clocks.zone_named(value)
    except ValueError as error:
        raise _wrong(name, str(error)) from error


def _image(value: object, name: str) -> int | None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 2**63):
        raise _wrong(name, _("choose a picture."))
    return value


OPTIONS: dict[str, Callable[[object, str], Any]] = {
    "figure": lambda value, name: _one_of(value, tuple(FIGURES), name),
    "window": lambda value, name: _one_of(value, WINDOWS, name),
    "zone": _zone,
    "text": lambda value, name: _text(value, MOST_TEXT, name),
    "image": _image,
    "fit": lambda value, name: _one_of(value, FITS, name),
}


def _wrong(name: str, what: str) -> BadLayout:
    return BadLayout(_("Card “%(name)s”: %(what)s") % {"name": name, "what": what})
