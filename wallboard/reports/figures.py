"""What a report can show: which figure, what it is called, and how a value of it is written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import domains
from accounts.models import Domain
from wallboard.desk.time_phrases import duration

Text = str | Promise


def minutes(count: int) -> str:
    """Minutes with their unit."""
    return gettext("%(count)s min") % {"count": count}


def wait(seconds: int | None) -> str:
    """A wait, or that it is not known."""
    return "–" if seconds is None else duration(seconds)


@dataclass(frozen=True)
class Figure:
    """An attribute of QueueFigures and HourFigures; `phrase` says a value within a line of several figures.

    Only waits may be None: somebody waited, and it is not known for how long.
    """

    column: str
    label: Text
    phrase: Text
    format: Callable[[Any], str] = minutes
    short: Callable[[Any], str] = str  # without its unit, for a narrow cell

    def in_words(self, value: int | None) -> str:
        """A value with what it is."""
        return str(self.phrase) % {"value": self.format(value)}


LATE = Figure("late_minutes", _("Minutes over target"), _("%(value)s over target"))
LONGEST = Figure("longest_wait_seconds", _("Longest wait"), _("longest wait %(value)s"), wait, wait)
AVERAGE = Figure("average_wait_seconds", _("Highest average wait"), _("average wait up to %(value)s"), wait, wait)
MOST = Figure("most_waiting", _("Most callers waiting"), _("at most %(value)s waiting"), str)
NOBODY = Figure("nobody_minutes", _("Minutes with callers and nobody available"), _("%(value)s with nobody available"))
# By their names in addresses.
FIGURES = {"late": LATE, "longest": LONGEST, "average": AVERAGE, "most": MOST, "nobody": NOBODY}
WAITS = ("longest", "average")
Shown = Mapping[str, Figure]


def shown(domain: Domain) -> Shown:
    """The figures that a report of this company can show: without the waits that must not be shown."""
    hidden = {name for name in WAITS if domains.hides_wait(domain, name)}
    return {name: each for name, each in FIGURES.items() if name not in hidden}
