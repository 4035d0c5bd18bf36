"""The texts of the cards, and the explanations of their figures."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallboard.boards.cards import kinds
from wallboard.calibration.texts import TEXTS
from wallboard.figures import registry
from wallboard.forecast import card as forecast
from wallboard.forecast.calls_ahead import FEWEST_DAYS
from wallboard.forecast.waits import FEWEST_TALKS
from wallboard.reports import service_level
from wallboard.reports.service import counting
from wallboard.reports.service.targets import FEWEST_CALLS
from wallboard.reports.service_level import FORMULAS
from wallboard.reports.time_windows import HIDDEN_WAIT, OVERRULED, RENUMBERED


def card_texts() -> dict[str, Any]:
    """The texts of the cards in the reader's language; {names} are filled in by the scripts."""
    return {
        "figures": {name: str(figure.name) for name, figure in kinds.FIGURES.items()},
        "figures_over_time": {
            name: str(figure.name_over_time or figure.name) for name, figure in kinds.FIGURES.items()
        },
        "measured_part": _("{window}, {span} measured"),
        "counted_since": _("since {time}"),
        "lately": _("lately, per provider"),
        "about_so_many": _("about {n}"),
        "hour_ahead": _("the hour from {since} to {until}"),
        "watch_below": _("Watch below {n} %"),
        "late_below": _("Late below {n} %"),
        "fewest": _("Judged from %(fewest)s calls on that count; “service level below target” calls by those of today.")
        % {"fewest": FEWEST_CALLS},
        "missing": _("* {n} min of call events are missing, {since} to {until}"),
        "windows": {
            "now": _("now"),
            "15": _("last 15 min"),
            "30": _("last 30 min"),
            "60": _("last 60 min"),
            "today": _("today"),
            "ahead": _("estimated, next hour"),
            "day": _("last 24 hours"),
            "days": _("last three days"),
        },
        "to_call_back": _("to call back"),
        "oldest": _("oldest {age}"),
        "clock": _("Time"),
        "trend": _("Callers waiting"),
        "ribbon": _("Last 24 hours"),
        "queues": _("Queues"),
        "late_sum": _("{n} min with a queue over target"),
        "nobody_sum": _("{n} min waiting, nobody available"),
        "more_queues": _("and {n} more: {level}"),
        "more_unknown": _("and {n} more"),
        "all_normal": _("all normal"),
        "whys": why_texts(),
        "locks": lock_texts(),
        "formulas": formula_texts(),
        "about": about_texts(),
    }


SHORT = {
    "queue_legs": gettext_lazy("queue legs"),
    "caller_ids": gettext_lazy("call ids"),
    "queue_leg_answered": gettext_lazy("music legs"),
    "missing_events": gettext_lazy("event gaps"),
}  # the points of calibration, for the narrow foot of a card


def why_texts() -> dict[str, str]:
    """Why a figure is not shown, by `why` of its document, in the few words that a card has room for."""
    found = {
        "queues_unseen": _("calls do not show their queue"),
        "too_many": _("too many calls to count"),
        RENUMBERED: _("queue renumbered today"),
        HIDDEN_WAIT: _("not provable: what the wait means"),
        forecast.CLOSED: _("closed by its business hours"),
        forecast.SHORT: _("too short a history"),
        forecast.NO_TIMES: _("too few calls seen to tell"),
        forecast.NO_TARGET: _("no target for its longest wait"),
        forecast.TOO_MANY: _("no number of people keeps it"),
        forecast.NONE_LATELY: _("no forecast in the last half hour"),
    }
    for question in counting.NEEDS:
        point = {"point": SHORT[question]}
        found[question] = _("once proven: %(point)s") % point
        found[f"{question}:lost"] = _("unproven again: %(point)s") % point
        found[f"{question}:other"] = _("not provable: %(point)s") % point
    return found


def lock_texts() -> dict[str, str]:
    """The same in a sentence, and on what a figure rests that is shown."""
    found = {
        OVERRULED: _("It rests on what an administrator said, not on what was measured."),
        RENUMBERED: _(
            "One of its queues seems to have got another number in this time, so a part of the calls is not here."
        ),
        forecast.SHORT: _("Forecast once the same hour of this weekday was seen %(wanted)d times in eight weeks.")
        % {"wanted": FEWEST_DAYS},
        forecast.NO_TIMES: _("Told once %(wanted)d answered calls of the queue were seen.") % {"wanted": FEWEST_TALKS},
        forecast.NO_TARGET: _("Set a late target for the longest wait of the queue to see how many people keep it."),
        HIDDEN_WAIT: _("No number until calibration proves on your own calls that it is a wait of now, and its unit."),
    }
    for question in counting.NEEDS:
        point = {"point": TEXTS[question].title}
        found[question] = _("No number until this is proven on your own calls: %(point)s.") % point
        found[f"{question}:lost"] = _("No number until this is proven anew, as it was contradicted: %(point)s.") % point
        found[f"{question}:other"] = _("Not provable here, as calibration shows: %(point)s.") % point
    return found


def lately_text() -> str:
    """What a wait of a period is."""
    return _(
        "A wait of callers of a period that the provider does not name, not of those who wait now, as calibration"
        " finds. Nothing is judged by it."
    )


def formula_texts() -> dict[str, str]:
    """How each formula of the service level reads, with "+" where only calls in business hours count."""
    both = [(name, is_open_only) for name in FORMULAS for is_open_only in (False, True)]
    return {name + "+" * is_open_only: service_level.pattern(name, is_open_only) for name, is_open_only in both}


def about_texts() -> dict[str, str]:
    """How each figure and each kind of card is calculated."""
    names = [*kinds.FIGURES, *kinds.KINDS]
    return {name: registry.formula(f"card.{name}") for name in names if name not in kinds.WITHOUT_FIGURES}
