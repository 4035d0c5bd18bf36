"""What one reading means for the alerts: which are raised, go on and end. Uses no database."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from wallboard.alerts.models import Alert
from wallboard.alerts.rules import RuleSet
from wallboard.queues.figures import QueueDocument
from wallboard.queues.models import Level

Why = Alert.Ended


@dataclass(frozen=True, slots=True)
class PreviousState:
    """What stood before the reading. Times in ms.

    `pending` says since when a queue is at its rule's level, `open` holds the open alerts, `last_ended` when the last
    one ended, each by the number of the queue.
    """

    pending: Mapping[str, int] = field(default_factory=dict)
    open: Mapping[str, Alert] = field(default_factory=dict)
    last_ended: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Changes:
    """What follows from the reading; `raised` maps a queue to when its trouble began, `ended` to why it is over."""

    pending: dict[str, int] = field(default_factory=dict)
    raised: dict[str, int] = field(default_factory=dict)
    continuing: list[str] = field(default_factory=list)
    ended: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """The queues as they were read at `at` (ms); `silent` gives for some the reason why they raise nothing."""

    at: int
    queues: Mapping[str, QueueDocument]
    silent: Mapping[str, str] = field(default_factory=dict)


def evaluate(reading: Reading, before: PreviousState, rules: RuleSet) -> Changes:
    """Compare a reading with what was before.

    A queue that is missing in the answer raises and changes nothing; its open alert ends only when the queue is silent
    or its rule is switched off, since a person has to decide about a queue that is gone for good.
    """
    changes = Changes()
    for number, document in reading.queues.items():
        if document.missing_since is not None:
            if number in before.open:
                _ends_unwanted(number, reading, rules, changes)
        elif number in before.open:
            _evaluate_open(number, document, reading, before, rules, changes)
        elif number not in reading.silent and rules.of(number).applies_to(document.level):
            _evaluate_pending(number, reading.at, before, rules, changes)
    return changes


def _evaluate_open(
    number: str, document: QueueDocument, reading: Reading, before: PreviousState, rules: RuleSet, changes: Changes
) -> None:
    alert = before.open[number]
    rule = rules.of(number)
    # A queue is normal once it closes; that it closed says more in the records than "normal again".
    if document.level == Level.NORMAL:
        changes.ended[number] = reading.silent.get(number, Why.NORMAL)
    elif _ends_unwanted(number, reading, rules, changes):
        return
    # The worse level has to last as well before it raises: one late reading is no second alert.
    elif not is_worse(alert, document.level):
        changes.continuing.append(number)
    else:
        began = before.pending.get(number, reading.at)
        if reading.at - began < rule.stays_seconds * 1000:
            changes.pending[number] = began
            changes.continuing.append(number)
        else:
            changes.ended[number] = Why.WORSE
            changes.raised[number] = began


def _ends_unwanted(number: str, reading: Reading, rules: RuleSet, changes: Changes) -> bool:
    """Whether the alert ends because this queue must not alert anybody now, whatever its level."""
    if number in reading.silent:
        changes.ended[number] = reading.silent[number]
    elif rules.of(number).level == "never":
        changes.ended[number] = Why.OFF
    return number in changes.ended


def _evaluate_pending(number: str, at: int, before: PreviousState, rules: RuleSet, changes: Changes) -> None:
    rule = rules.of(number)
    began = before.pending.get(number, at)
    # During the cooldown the queue stays pending: the alert follows at once when that is over.
    is_rested = number not in before.last_ended or at - before.last_ended[number] >= rule.cooldown_seconds * 1000
    if is_rested and at - began >= rule.stays_seconds * 1000:
        changes.raised[number] = began
    else:
        changes.pending[number] = began


def is_worse(alert: Alert, level: str) -> bool:
    """Whether less than this was acknowledged: what was acknowledged at watch is raised again once it is late."""
    return alert.acknowledged_level == Level.WATCH and level == Level.LATE
