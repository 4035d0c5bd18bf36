"""The texts of the board's scripts: each goes through gettext here and reaches the page as JSON."""

from typing import Any

from django.utils.translation import gettext as _

from wallboard.boards.cards.texts import card_texts, lately_text
from wallboard.calls.texts import live_texts, since_text
from wallboard.figures import registry

SUMS = ("waiting", "longest", "average", "late", "unanswered")  # the totals of a board


def board_texts() -> dict[str, Any]:
    """The texts of the board page in the reader's language; {names} are filled in by the scripts."""
    return {
        **live_texts(),
        **plain_texts(),
        **foot_texts(),
        **card_texts(),
        "levels": {"watch": _("Watch"), "late": _("Late"), "closed": _("Closed")},
        "failures": failure_texts(),
        "line": line_texts(),
        "why": explanation_texts(),
    }


def overview_texts() -> dict[str, Any]:
    """The texts of the list of boards: how each stands."""
    levels = {
        "normal": _("Within target"),
        "watch": _("Watch"),
        "late": _("Late"),
        "closed": _("Closed"),
        "none": _("Shows no queue"),
    }
    live = live_texts()
    return {
        "levels": levels,
        "more": _("and {n} more"),
        **{name: live[name] for name in ("no_data_since", "no_data_yet")},
    }


def plain_texts() -> dict[str, Any]:
    return {
        "available": _("{n} of {of} available"),
        "agents_unknown": _("agents not known"),
        "last_known": _("last known: {n} waiting"),
        "beyond_limit": _("only for people who see every queue"),
        "some_queues": _("{n} of {of} queues"),
        "explain": _("Explain {name}"),
        "is_now": _("{name}: {level}"),
        "opens": _("opens {time}"),
        "for_span": _("for {span}"),
        "longest": _("longest"),
        "average": _("average"),
        "last_values": _("last known"),
        "learning": _("learning since {time}"),
    }


def foot_texts() -> dict[str, str]:
    return {
        "foot_queues": _("queues {ago} ago"),
        "foot_queues_old": _("queues old: {ago}"),
        "foot_queues_never": _("queues not read yet"),
        "foot_next_try": _("next try in {wait}"),
        "foot_trying": _("trying now"),
        "foot_calls": _("calls live"),
        "foot_lag": _("here after {seconds} s"),
        "foot_calls_starting": _("calls starting"),
        "foot_calls_old": _("calls not live"),
        "foot_silent": _("no word from the server"),
        "foot_reconnecting": _("reconnecting"),
    }


def line_texts() -> dict[str, str]:
    """The line above a board: an outage and its cause, how many queues are in trouble, or that none is."""
    return {
        "silent": _("No connection to the server since {time}."),
        "old": _("No new figures since {time}."),
        "failing": _("No new figures since {time}: {why}."),
        "last": _("These are the last known figures."),
        "waiting": _("Waiting for the first figures of the provider"),
        "late": _("{n} late"),
        "watch": _("{n} on watch"),
        "closed": _("All queues are closed"),
        "well": _("All queues within target"),
        "well_for": _("All queues within target for {span}"),
    }


def failure_texts() -> dict[str, str]:
    """What `failure` of the poll document means, in a few words."""
    return {
        "unreachable": _("the provider cannot be reached"),
        "in_trouble": _("the provider is in trouble itself"),
        "unavailable": _("the provider says that it cannot answer now"),
        "rate_limited": _("the provider asks us to slow down"),
        "not_authorized": _("the provider refuses our credentials"),
        "grant_refused": _("the provider refuses our credentials"),
        "token_refused": _("the provider refuses our access"),
        "short_lived_token": _("the provider's access tokens end at once"),
        "not_found": _("the provider has no such address"),
        "bad_response": _("the provider's answer makes no sense"),
        "request_refused": _("the provider refuses what we ask"),
        "wrong_key": _("the stored secret cannot be opened"),
    }


def hidden_text() -> str:
    """Why a wait is a dash although somebody waits."""
    return _("None where calibration finds that it is a wait of a period, or that its unit has changed.")


def explanation_texts() -> dict[str, str]:
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
        "waiting": registry.formula("queue.waiting"),
        "longest": registry.formula("queue.longest") + " " + hidden_text(),
        "average": registry.formula("queue.average") + " " + hidden_text(),
        "agents": registry.formula("queue.agents"),
        **{f"sum_{name}": registry.formula(f"sum.{name}") for name in SUMS},
        "longest_wait": _("Longest wait {value}; the limit is {limit}."),
        "average_wait": _("Average wait {value}; the limit is {limit}."),
        "waiting_level": _("{value} waiting; the limit is {limit}."),
        "available_below": _("{value} available; at least {limit} are wanted."),
        **since_text(),
        "title_waiting": _("Waiting"),
        "title_longest": _("Longest wait"),
        "title_average": _("Average wait so far"),
        "title_longest_lately": _("Longest wait lately, as the provider tells it"),
        "title_average_lately": _("Average wait lately, as the provider tells it"),
        "lately": lately_text(),
        "title_agents": _("Available"),
        "trend": registry.formula("queue.trend"),
    }
