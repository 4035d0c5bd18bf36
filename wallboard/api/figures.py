"""Figures with their proof: how each is known, and what it rests on, as the pages tell it."""

from typing import Literal

import msgspec

from wallboard.calibration import figure_words, findings
from wallboard.figures.figure import Kind
from wallboard.figures.registry import FIGURES
from wallboard.figures.words import kind_text

Known = Literal["measured", "derived", "estimated", "not_provable"]


class Proof(msgspec.Struct, frozen=True):
    """What is said of a figure. `notes` say what it rests on that is not proven here, or why it cannot be told."""

    name: str
    known: Known
    formula: str
    window: str
    unit: str
    source: str
    notes: list[str]


class Figure(msgspec.Struct, frozen=True):
    """A value, null where it is not known or must not be told; `proof` is its key in the `proofs` of the answer."""

    value: float | None
    known: Known
    proof: str


Proofs = dict[str, Proof]


def proofs(domain_id: int, units: dict[str, str]) -> Proofs:
    """The proofs of these figures at a company; `units` names each by its key, with the unit that the API writes."""
    standings = findings.standings(domain_id)
    found = {}
    for key, unit in units.items():
        words = figure_words.told(FIGURES[key], standings)
        known: Known = "not_provable" if words.is_locked else _known(FIGURES[key].kind, words.kind)
        found[key] = Proof(words.name, known, words.formula, words.window, unit, words.source, words.notes)
    return found


def _known(kind: Kind, shown: str) -> Known:
    # What calibration found makes an estimate of some figures.
    names: dict[Kind, Known] = {Kind.MEASURED: "measured", Kind.DERIVED: "derived", Kind.ESTIMATED: "estimated"}
    return "estimated" if shown == kind_text(Kind.ESTIMATED) else names[kind]


def figure(told: Proofs, key: str, value: float | None) -> Figure:
    """A value with its proof; what is not provable has no value."""
    known = told[key].known
    return Figure(None if known == "not_provable" else value, known, key)
