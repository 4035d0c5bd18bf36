"""What is said of a figure, as text in the reader's language: on pages, in the API, and in the head of a sheet."""

from collections.abc import Mapping

import msgspec
from django.utils.translation import gettext as _

from wallboard.figures.figure import Figure, Kind
from wallboard.figures.registry import FIGURES


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """A figure in words. `notes` say what it rests on that is not proven here; with `is_locked` it is not shown."""

    name: str
    kind: str
    formula: str
    window: str
    unit: str
    source: str
    notes: list[str] = []
    is_locked: bool = False


def kind_text(kind: Kind) -> str:
    """How a figure is known, in one word."""
    return {"measured": _("measured"), "derived": _("derived"), "estimated": _("estimated")}[kind.value]


def plain(figure: Figure) -> Words:
    """The words of a figure that rests on nothing but what it says."""
    return Words(
        name=str(figure.name),
        kind=kind_text(figure.kind),
        formula=str(figure.formula),
        window=str(figure.window),
        unit=str(figure.unit),
        source=str(figure.source),
    )


def wants_words(asked: Mapping[str, str]) -> bool:
    """Whether a sheet that is asked for like this (`head=plain` for programs) has words at the end of its head."""
    return asked.get("head") != "plain"


def head_cells(columns: Mapping[str, str], told: Mapping[str, Words] | None = None) -> list[str]:
    """A cell for each figure of a sheet, for the end of its head: the column, then its words.

    `columns` leads from the column's name to the figure's key. Without `told` (calibration.figure_words) none of the
    figures may rest on a question of calibration.
    """
    found = []
    for column, key in columns.items():
        assert told or not FIGURES[key].questions, key
        words = told[key] if told else plain(FIGURES[key])
        found.append(f"{column}: {sentence(words)}")
    return found


def sentence(words: Words) -> str:
    """All words of a figure in a line."""
    parts = [
        ". ".join([words.kind, *(note.rstrip(".") for note in words.notes)]),
        words.formula.rstrip(".:"),
        _("Window: %(window)s") % {"window": words.window},
        _("Unit: %(unit)s") % {"unit": words.unit},
        _("From: %(source)s") % {"source": words.source},
    ]
    return ". ".join(parts) + "."
