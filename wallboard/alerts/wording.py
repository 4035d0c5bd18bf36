"""What an alert is called and what it says: one set of words for pages, sheets and messages.

A {name} in a sentence is filled from the alert's facts, here and in the scripts (static/js/alerts/list.js).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from wallboard.alerts.models import LEVEL, Alert


@dataclass(frozen=True, slots=True)
class Words:
    """Of one kind: what is wrong, why by the alert's reason ("" for any other), and what to do about it."""

    word: str
    why: Mapping[str, str] = field(default_factory=dict)
    do: str = ""


# What can be proven, by its question, in words: the room of calibration, which comes later, puts them here.
PROVEN: dict[str, Any] = {}


class _Facts(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "?"  # an alert of another release lacks a fact; the rest of the sentence still helps


def words() -> dict[str, Words]:
    """The words of every kind but a queue's level, in the reader's language."""
    return _of_queues() | _of_people() | _of_figures() | _of_the_company()


def _of_queues() -> dict[str, Words]:
    return {
        "nobody": Words(
            _("Nobody available"),
            {"": _("{waiting} waiting and nobody to answer")},
            _("Ask somebody to sign in to this queue, or send its calls elsewhere."),
        ),
        "no_ring": Words(
            _("Waiting while somebody is free"),
            {
                "unreachable": _("{waiting} waiting, {available} counted as free; their phones are unreachable"),
                "signed_out": _("{waiting} waiting, {available} counted as free; no agent is signed in"),
                "away": _("{waiting} waiting, {available} counted as free; all of them said that they are away"),
                "": _("{waiting} waiting, {available} counted as free, and no phone rings"),
            },
            _("Look at the phones of those who count as free: are they registered, signed in and not forwarded?"),
        ),
        "service": Words(
            _("Service level below target"),
            {"": _("{percent} % today, {target} % is the target")},
            _("More people in this queue raise it slowly; Reports tell in which hours callers waited."),
        ),
        "callback": Words(
            _("Call-back is overdue"),
            {"": _("the oldest has waited for {minutes} min, {open} in all")},
            _("Somebody should take it on the page of call-backs."),
        ),
    }


def _of_people() -> dict[str, Words]:
    return {
        "phone": Words(
            _("Phone never answers"),
            {"": _("{missed} calls in a row rang there unanswered, while others answered")},
            _("Ask whether somebody sits there. If not, sign the phone out."),
        ),
        "status": Words(
            _("Away for longer than said"),
            {"": _("should have been back {minutes} min ago")},
            _("Ask them to change what they have set for themselves, or change it for them."),
        ),
    }


def _of_figures() -> dict[str, Words]:
    return {
        "figures": Words(
            _("Figures are away"),
            {
                "": _("nobody reads the queues; do worker and beat run?"),
                **dict.fromkeys(
                    ("not_authorized", "token_refused", "grant_refused", "grant_doubted"), _("the provider refuses us")
                ),
                "short_lived_token": _("the provider’s tokens end as soon as they are given"),
                "not_found": _("the provider does not know the address that we ask"),
                "provider_error": _("the provider does not answer as it should"),
                "unreachable": _("the provider cannot be reached"),
                "in_trouble": _("the provider is in trouble itself"),
                "rate_limited": _("the provider asks us to slow down"),
                "unavailable": _("the provider says that it cannot answer"),
                "bad_response": _("the provider’s answer makes no sense"),
                "request_refused": _("the provider refuses what we ask"),
                "wrong_key": _("the stored secret cannot be opened"),
            },
            _("The page Connection says what the provider answers and what to do."),
        ),
    }


def _of_the_company() -> dict[str, Words]:
    return {
        "mismatch": Words(
            _("Figures disagree"),
            {"": _("{available} agents available in {queue}, but at most {idle} phones can be idle")},
            _("Somebody counts as available without a phone that could ring. Compare the agents of the queue."),
        ),
        "events": Words(
            _("Call events are away"),
            {
                "": _("calls are no longer reported"),
                "silent": _("the queues move and no call is reported"),
                "subscription": _("the provider has no subscription of ours"),
                "provider": _("the provider does not answer when asked for our subscription"),
                "refused": _("deliveries are refused here"),
                "stopped": _("no web process takes deliveries"),
            },
            _("The page Connection says how the subscriptions are and whether posts arrive."),
        ),
        "subscription": Words(
            _("Subscription cannot be renewed"),
            {"calls": _("that of calls"), "cdrs": _("that of call detail records")},
            _("Look at the page Connection: without the subscription calls are no longer reported."),
        ),
        "screen": Words(
            _("TV is offline"),
            {"": _("nothing has been heard from it")},
            _("Look whether it is switched on and connected."),
        ),
        "proof": Words(
            _("What was proven no longer holds"),
            {"": "{what}", **{question: str(title) for question, title in PROVEN.items()}},
            _("Figures that rest on it are locked until it is proven anew. See Calibration."),
        ),
    }


def reasons() -> dict[str, str]:
    """Why a queue is watch or late, by the reason in its document."""
    return {
        "longest_wait": _("longest wait too long"),
        "average_wait": _("average wait too long"),
        "waiting": _("too many waiting"),
        "available": _("too few available"),
        "": "",
    }


def kinds(*, has_advice: bool = False) -> dict[str, dict[str, object]]:
    """What scripts need of the words; with advice every sentence is followed by what to do."""
    found: dict[str, dict[str, object]] = {}
    for name, each in words().items():
        after = f". {each.do}" if has_advice and each.do else ""
        found[name] = {"word": each.word, "why": {reason: why + after for reason, why in each.why.items()}}
    return found


def what(alert: Alert) -> str:
    """What is wrong, in a word or two."""
    known = words().get(alert.kind)
    return known.word if known else capfirst(str(alert.get_worst_display()))


def title(alert: Alert) -> str:
    """What is wrong and where, in a line: "Late: Support"."""
    known = words().get(alert.kind)
    word = known.word if known else capfirst(str(alert.get_level_display()))
    return _("%(word)s: %(name)s") % {"word": word, "name": alert.name} if alert.name else word


def why(alert: Alert) -> str:
    """Why it was raised; "" where there is no more to say."""
    if alert.kind == LEVEL:
        return reasons().get(alert.reason, "")
    known = words().get(alert.kind, Words(""))
    text = known.why.get(alert.reason, known.why.get("", ""))
    return text.format_map(_Facts(alert.facts))


def advice(alert: Alert) -> str:
    """What to do about it; "" for a queue's level, where the board says more."""
    return words().get(alert.kind, Words("")).do
