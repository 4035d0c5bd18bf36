"""What the board's scripts say: every text goes through gettext here and reaches the page as JSON."""

from typing import Any

from django.utils.translation import gettext as _

from wallboard.boards.card_words import card_words
from wallboard.calls import statuses


def board_words() -> dict[str, Any]:
    """The words of the board page in the reader's language; {names} are filled in by the scripts."""
    return {
        **plain_words(),
        **foot_words(),
        **card_words(),
        "levels": {"watch": _("Watch"), "late": _("Late"), "closed": _("Closed")},
        "presence": {
            "unknown": _("not seen"),
            "idle": _("idle"),
            "calling": _("calling"),
            "ringing": _("ringing"),
            "talking": _("talking"),
        },
        "said": statuses.words(),
        "calls": {
            "ringing": _("ringing"),
            "talking": _("talking"),
            "calling": _("calling"),
            "waiting": _("waiting"),
            "other": _("other"),
            "unconfirmed": _("unconfirmed"),
        },
        "ways": {"in": _("incoming"), "out": _("outgoing"), "internal": _("internal")},
        "failures": failures(),
        "why": why_words(),
    }


def plain_words() -> dict[str, Any]:
    return {
        "seconds": _("{n} s"),
        "minutes": _("{n} min"),
        "hours": _("{n} h"),
        "short": {"seconds": _("{n} s"), "minutes": _("{n} m"), "hours": _("{n} h")},
        "available": _("{n} of {of} available"),
        "agents_unknown": _("agents not known"),
        "last_known": _("last known: {n} waiting"),
        "no_data_since": _("no data since {time}"),
        "no_data_yet": _("no data yet"),
        "some_queues": _("{n} of {of} queues"),
        "events_starting": _("call events are starting"),
        "more_calls": _("and {n} more"),
        "withheld": _("number withheld"),
        "explain": _("Explain {name}"),
        "is_now": _("{name}: {level}"),
        "opens": _("opens {time}"),
    }


def foot_words() -> dict[str, str]:
    return {
        "foot_queues": _("queues {ago} ago"),
        "foot_queues_old": _("queues old: {ago}"),
        "foot_queues_never": _("queues not read yet"),
        "foot_calls": _("calls live"),
        "foot_lag": _("here after {seconds} s"),
        "foot_calls_starting": _("calls starting"),
        "foot_calls_old": _("calls not live"),
        "foot_silent": _("no word from the server"),
        "foot_reconnecting": _("reconnecting"),
    }


def failures() -> dict[str, str]:
    """What `failure` of the poll document means, in a few words."""
    return {
        "unreachable": _("the provider cannot be reached"),
        "rate_limited": _("the provider asks us to slow down"),
        "not_authorized": _("the provider refuses our credentials"),
        "grant_refused": _("the provider refuses our credentials"),
        "not_found": _("the provider has no such address"),
        "bad_response": _("the provider's answer makes no sense"),
        "wrong_key": _("the stored secret cannot be opened"),
    }


def why_words() -> dict[str, str]:
    """The explanations behind the figures: what each means, and how far it can be trusted."""
    return {
        "close": _("Close"),
        "measured": _("measured"),
        "derived": _("derived"),
        "read": _("read {ago} ago, at {time}"),
        "estimated": _("estimated"),
        "counted": _("counted at {time}"),
        "covers": _("Queues"),
        "covers_people": _("People"),
        "live": _("Live, as call events come"),
        "window_since": _("{window}, since {time}"),
        "by_legs": _("Which queue a call was for is told by its legs, so this is an estimate."),
        "zone": _("Times and days are those of {zone}."),
        "waiting": _("Callers waiting as the provider counts them."),
        "longest": _("The provider's longest wait; it counts on here between two readings while somebody waits."),
        "average": _("The provider's average wait, while somebody waits."),
        "agents": _("Agents that the provider calls available. They may be on another call."),
        "sum_waiting": _("Sum over the queues of this board."),
        "sum_longest": _("The longest wait of all queues of this board."),
        "sum_average": _("The queues' averages, weighted by how many wait in each. Nobody waiting: none."),
        "sum_late": _("Minutes since the company's day began in which at least one queue of this board was late."),
        "sum_unanswered": _(
            "Calls from outside since the company's day began that ended before a person answered; {of} ended in all."
        ),
        "longest_wait": _("Longest wait {value}; the limit is {limit}."),
        "waiting_level": _("{value} waiting; the limit is {limit}."),
        "available_below": _("{value} available; at least {limit} are wanted."),
        "since": _("{level} since {time}"),
        "title_waiting": _("Waiting"),
        "title_longest": _("Longest wait"),
        "title_average": _("Average wait"),
        "title_agents": _("Available"),
        "trend": _(
            "Line: callers waiting in the last hour. Strip: the last day by quarter hour, tallest where it was late."
        ),
    }
