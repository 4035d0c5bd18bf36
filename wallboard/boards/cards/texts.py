"""The texts of the cards, and the explanations of their figures."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallboard.boards.cards import kinds
from wallboard.calibration.texts import TEXTS
from wallboard.reports import service_level
from wallboard.reports.service import counting
from wallboard.reports.service.targets import FEWEST_CALLS
from wallboard.reports.service_level import FORMULAS
from wallboard.reports.time_windows import OVERRULED, RENUMBERED


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
    return {
        "waiting": _("Callers waiting, the sum over the queues; over a time, how many waited on average."),
        "longest": _(
            "The longest wait of all its queues, as the provider tells it. None where calibration finds that it is a"
            " wait of a period, or that its unit has changed."
        ),
        "average": _(
            "How long those who were waiting had waited until then, on average over its queues. Waits that are over do"
            " not count, so callers wait longer than this in the end."
        ),
        "available": _("The queue with the fewest available. Not added up: people serve several queues."),
        "agents": _("The queue with the fewest agents. Not added up: people serve several queues."),
        "late_minutes": _("Minutes in which at least one of its queues was late, added up from samples of a minute."),
        "nobody_minutes": _("Minutes in which callers waited in one of its queues and nobody there was available."),
        "most_waiting": _("The most callers that waited at once in one of its queues."),
        "answered": _("Calls from outside that are over and that a person answered, from call events."),
        "unanswered": _("Calls from outside that ended before a person answered, from call events."),
        "service_level": _("Calls of its queues that are over, from call events, in percent:"),
        "left_queue": _(
            "Callers who left a queue before a person answered, from call events. Who came to two counts in each."
        ),
        "answer_speed": _(
            "How long callers whom a person answered had waited in the queue, on average, from call events. A greeting"
            " before the queue does not count."
        ),
        "watch_minutes": _("Minutes in which one of its queues or more was on watch, added up from samples."),
        "talking": _("People whose phone is in a call, from call events."),
        "ringing": _("People whose phone rings, from call events."),
        "idle": _("People whose phone is in no call, from call events. They may be away from it."),
        "totals": _("Each of its figures explains itself."),
        "callbacks": _("Numbers that called, reached nobody and were not spoken with since, as far as events show."),
        "trend": _("Callers waiting minute by minute in the last hour, the sum over its queues."),
        "ribbon": _(
            "By quarter hour: minutes with at least one queue late, and minutes with callers but nobody available."
        ),
        "table": _("Each queue as the provider tells it; those that need somebody stand on top."),
        "people": _("What phones are doing, from call events; what people say of themselves is theirs."),
        "calls": _("Calls that are up now, from call events; a queue's call moves to the phone it rings at."),
        "clock": _("The server's clock in this time zone."),
    }
