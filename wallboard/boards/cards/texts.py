"""The texts of the cards, and the explanations of their figures."""

from typing import Any

from django.utils.translation import gettext as _

from wallboard.boards.cards.kinds import FIGURES


def card_texts() -> dict[str, Any]:
    """The texts of the cards in the reader's language; {names} are filled in by the scripts."""
    return {
        "figures": {name: str(figure.name) for name, figure in FIGURES.items()},
        "figures_over_time": {name: str(figure.name_over_time or figure.name) for name, figure in FIGURES.items()},
        "measured_part": _("{window}, {span} measured"),
        "counted_since": _("since {time}"),
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
        "whys": {"queues_unseen": _("calls do not show their queue")},
        "about": about_texts(),
    }


def about_texts() -> dict[str, str]:
    """How each figure and each kind of card is calculated."""
    return {
        "waiting": _("Callers waiting, the sum over the queues; over a time, how many waited on average."),
        "longest": _("The longest wait of all its queues, as the provider tells it."),
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
