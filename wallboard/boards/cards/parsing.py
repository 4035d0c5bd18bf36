"""A card as it was posted or stored, parsed and checked; every message names the card and says what to do."""

import re
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from accounts.languages.lists import listed
from wallboard.boards import time_zones
from wallboard.boards.cards.card import Card, Levels
from wallboard.boards.cards.kinds import (
    AHEAD,
    COLUMNS,
    FIGURES,
    FITS,
    KINDS,
    MAX_ROWS,
    NOW,
    SIZES,
    WINDOWS,
    Figure,
    Kind,
)

MAX_NUMBERS, MAX_TITLE, MAX_NOTICE, MAX_TEXT, MAX_LEVEL = 1000, 60, 200, 500, 1_000_000
MAX_NUMBER_LETTERS = 64
UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")  # a NUL, or half a surrogate pair: PostgreSQL stores neither
ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
SCOPES = ("queues", "people", "levels")  # which of these a kind takes says Kind.options
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


def parse_card(raw: object, rows: int) -> Card:
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
        title=_text(raw.get("title", ""), MAX_TITLE, name),
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
    # JSON's true is a whole number to Python.
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_ROWS:
        raise _invalid(name, _("%(key)s must be a whole number of cells.") % {"key": key})
    return value


def _check_place(place: tuple[int, int, int, int], kind: Kind, rows: int, name: str) -> None:
    x, y, w, h = place
    if w < kind.least_width or h < kind.least_height:
        least = {"wide": kind.least_width, "high": kind.least_height}
        raise _invalid(name, _("make it at least %(wide)d wide and %(high)d high.") % least)
    if x + w > COLUMNS or y + h > rows:
        raise _invalid(name, _("it reaches beyond the board. Move it in or make it smaller."))


def _chosen(raw: dict[Any, Any], key: str, covers: tuple[str, ...], name: str) -> tuple[str, ...] | None:
    value = raw.get(key)
    if key not in covers or value is None:
        if raw.get("kind") == "queue" and key == "queues":
            raise _invalid(name, _("choose its queue."))
        return None
    if not isinstance(value, list) or len(value) > MAX_NUMBERS:
        raise _invalid(name, _("choose at most %(most)d.") % {"most": MAX_NUMBERS})
    if not all(map(is_valid_number, value)):
        raise _invalid(name, _("queues and people are chosen by their numbers."))
    if raw.get("kind") == "queue" and len(value) != 1:
        raise _invalid(name, _("it shows exactly one queue. Choose one."))
    # Named twice, a queue would stand there twice.
    return tuple(dict.fromkeys(value))


def is_valid_number(value: object) -> bool:
    """Whether this can be the number of a queue or of a person, as a layout names them."""
    return isinstance(value, str) and 0 < len(value) <= MAX_NUMBER_LETTERS and not UNSTORABLE.search(value)


def _levels(raw: object, name: str) -> Levels | None:
    if raw is None:
        return None
    if not isinstance(raw, dict):
        raise _invalid(name, _("its levels cannot be read."))
    watch, late = (_number(raw.get(key), name) for key in ("watch", "late"))
    below = raw.get("below", False) is True
    if watch is not None and late is not None and (late > watch if below else late < watch):
        raise _invalid(name, _("late must not be reached before watch."))
    return None if watch is None and late is None else Levels(watch, late, below)


def _number(value: object, name: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= MAX_LEVEL:
        raise _invalid(name, _("a level is a number from 0 on."))
    return value


def _options(raw: dict[Any, Any], kind: Kind, name: str) -> dict[str, Any]:
    parsed = {key: OPTION_PARSERS[key](raw.get(key, DEFAULTS[key]), name) for key in kind.options if key not in SCOPES}
    if raw.get("kind") == "notice":
        _text(parsed["text"], MAX_NOTICE, name)
    if raw.get("kind") == "trend":
        parsed["window"] = "60"  # as far back as the documents of queues go
    if "figure" in parsed:
        _check_window(FIGURES[parsed["figure"]], parsed["window"], name)
    return parsed


def _check_window(figure: Figure, window: str, name: str) -> None:
    if window in figure.windows:
        return
    if figure.windows == (AHEAD,):
        raise _invalid(name, _("this figure is told of the next hour only. Choose next hour."))
    if figure.windows == (NOW,):
        raise _invalid(name, _("this figure is told of this moment only. Choose now."))
    if window == AHEAD:
        raise _invalid(name, _("this figure is not told of the next hour. Choose 15, 30 or 60 minutes, or today."))
    raise _invalid(name, _("this figure has no value of one moment. Choose 15, 30 or 60 minutes, or today."))


def _one_of(value: object, allowed: tuple[str, ...], name: str) -> str:
    text = str(value)
    if text not in allowed:
        raise _invalid(name, _("choose one of: %(allowed)s.") % {"allowed": listed(allowed)})
    return text


def _text(value: object, most: int, name: str) -> str:
    if not isinstance(value, str) or len(value) > most or UNSTORABLE.search(value):
        raise _invalid(name, _("a text has at most %(most)d letters.") % {"most": most})
    return value


def _zone(value: object, name: str) -> str:
    try:
        return time_zones.parse_zone(value)
    except ValueError as error:
        raise _invalid(name, str(error)) from error


def _image(value: object, name: str) -> int | None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 2**63):
        raise _invalid(name, _("choose a picture."))
    return value


OPTION_PARSERS: dict[str, Callable[[object, str], Any]] = {
    "figure": lambda value, name: _one_of(value, tuple(FIGURES), name),
    "window": lambda value, name: _one_of(value, (*WINDOWS, AHEAD), name),
    "zone": _zone,
    "text": lambda value, name: _text(value, MAX_TEXT, name),
    "image": _image,
    "fit": lambda value, name: _one_of(value, FITS, name),
}


def _invalid(name: str, what: str) -> BadLayout:
    return BadLayout(_("Card “%(name)s”: %(what)s") % {"name": name, "what": what})
