"""From one reading to what must be raised, changed and ended. Knows no database: what was before comes in, too."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wallboard.alerts.models import Episode
from wallboard.alerts.rules import Book
from wallboard.queues.models import Level

Document = Mapping[str, Any]
Why = Episode.Ended


@dataclass(frozen=True, slots=True)
class Before:
    """What stood before the reading. Times in ms.

    `pending` is the queues whose time runs, `open` the attentions by queue number, `rests` when the last one ended.
    """

    pending: Mapping[str, int] = field(default_factory=dict)
    open: Mapping[str, Episode] = field(default_factory=dict)
    rests: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Verdict:
    """What the reading makes of it: queues to raise (number → since), those that go on, and those that end with why."""

    pending: dict[str, int] = field(default_factory=dict)
    raised: dict[str, int] = field(default_factory=dict)
    goes_on: list[str] = field(default_factory=list)
    ended: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """The queues as they were read at `at` (ms); `silent` says of some why they must not raise anything."""

    at: int
    queues: Mapping[str, Document]
    silent: Mapping[str, str] = field(default_factory=dict)


def judged(reading: Reading, before: Before, book: Book) -> Verdict:
    """Lay a reading over what was before.

    A queue that the answer lacked raises nothing and changes nothing; what is open of it ends when the queue is silent
    or calls nobody any more, as somebody has to decide of a queue that is gone for good.
    """
    verdict = Verdict()
    for number, document in reading.queues.items():
        if document["missing_since"] is not None:
            if number in before.open:
                _judge_unwanted(number, reading, book, verdict)
        elif number in before.open:
            _judge_open(number, document, reading, before, book, verdict)
        elif number not in reading.silent and book.of(number).counts(document["level"]):
            _judge_waiting(number, reading.at, before, book, verdict)
    return verdict


def _judge_open(
    number: str, document: Document, reading: Reading, before: Before, book: Book, verdict: Verdict
) -> None:
    episode = before.open[number]
    terms = book.of(number)
    if document["level"] == Level.NORMAL:
        verdict.ended[number] = reading.silent.get(number, Why.NORMAL)
    elif _judge_unwanted(number, reading, book, verdict):
        return
    elif not is_worse(episode, document["level"]):
        verdict.goes_on.append(number)
    else:
        began = before.pending.get(number, reading.at)
        if reading.at - began < terms.stays_seconds * 1000:
            verdict.pending[number] = began
            verdict.goes_on.append(number)
        else:
            verdict.ended[number] = Why.WORSE
            verdict.raised[number] = began


def _judge_unwanted(number: str, reading: Reading, book: Book, verdict: Verdict) -> bool:
    """Whether the attention ends because nobody wants to hear of this queue now, whatever it shows."""
    if number in reading.silent:
        verdict.ended[number] = reading.silent[number]
    elif book.of(number).level == "never":
        verdict.ended[number] = Why.OFF
    return number in verdict.ended


def _judge_waiting(number: str, at: int, before: Before, book: Book, verdict: Verdict) -> None:
    terms = book.of(number)
    began = before.pending.get(number, at)
    rested = number not in before.rests or at - before.rests[number] >= terms.cooldown_seconds * 1000
    if rested and at - began >= terms.stays_seconds * 1000:
        verdict.raised[number] = began
    else:
        verdict.pending[number] = began


def is_worse(episode: Episode, level: str) -> bool:
    """Whether somebody took notice of less than this: what was acknowledged at watch calls again when it is late."""
    return episode.acknowledged_level == Level.WATCH and level == Level.LATE
