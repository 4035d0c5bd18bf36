"""What is said of a figure wherever it is shown: how it is known, formula, window, unit, source, what it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.functional import Promise

Text = str | Promise
Needs = Mapping[str, frozenset[str]]  # question of calibration -> the answers that do; none of them: any answer
ANY: frozenset[str] = frozenset()


class Kind(StrEnum):
    """How a figure is known."""

    MEASURED = "measured"  # read from the provider, or timed by our own clock
    DERIVED = "derived"  # counted or calculated from what was measured
    ESTIMATED = "estimated"  # calculated from a model, or from facts that do not tell all


@dataclass(frozen=True)
class Figure:
    """One figure. `needs` must be certain, else it is not shown.

    `assumes` holds as the company has it configured until calibration finds otherwise: then it is not shown, and until
    it is proven the figure says so. Where `wants` is known to be otherwise, the figure is an estimate.
    """

    name: Text
    kind: Kind
    formula: Text
    window: Text
    unit: Text
    source: Text
    needs: Needs = field(default_factory=dict)
    assumes: Needs = field(default_factory=dict)
    wants: Needs = field(default_factory=dict)

    @property
    def questions(self) -> set[str]:
        """Everything of calibration that it rests on."""
        return {*self.needs, *self.assumes, *self.wants}
