"""One or two sentences that a colleague would say about a caller."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallboard.desk import time_phrases
from wallboard.desk.card.call_history import Names, PastCall
from wallboard.desk.models import Note

# Two lines on the card.
LONGEST_QUOTE = 140
# Written out, as languages form them differently.
ORDINALS = (
    gettext_lazy("First"),
    gettext_lazy("Second"),
    gettext_lazy("Third"),
    gettext_lazy("Fourth"),
    gettext_lazy("Fifth"),
    gettext_lazy("Sixth"),
    gettext_lazy("Seventh"),
    gettext_lazy("Eighth"),
    gettext_lazy("Ninth"),
    gettext_lazy("Tenth"),
)


@dataclass(frozen=True)
class CallerHistory:
    """What we know about a number at the moment it rings: its other calls, newest first, and the notes by call.

    `day_began` is when the company's day did. Not `is_whole` where the person it is for may not see every call of the
    company.
    """

    now: datetime
    zone: tzinfo
    day_began: datetime
    extension: str
    is_whole: bool
    courses: list[PastCall]
    known: Names
    notes: dict[str, list[Note]]


def sentences(history: CallerHistory) -> list[str]:
    """What is worth saying, most telling first; a number that we never saw is worth a sentence too."""
    if not history.courses:
        return [_("First call from this number.")] if history.is_whole else []
    return [line for line in (_how_often(history), _no_answer(history), _last_spoke(history)) if line]


def before_dialling(history: CallerHistory) -> list[str]:
    """What is worth knowing of somebody whom one rang oneself: how the calls before went."""
    return [line for line in (_no_answer(history), _last_spoke(history)) if line] if history.courses else []


def colleagues_notes(history: CallerHistory, call_id: str) -> list[str]:
    """What colleagues noted in this very call, before it came here."""
    theirs = [
        note for note in history.notes.get(call_id, []) if note.person and note.person.extension != history.extension
    ]
    return [
        _("%(who)s noted: “%(quote)s”.") % {"who": note.person, "quote": _quote(note.text)}
        for note in theirs
        if note.text
    ]


def _how_often(history: CallerHistory) -> str:
    # This call is not in the history yet.
    today = 1 + _calls_since(history, history.day_began)
    if today > 1:
        return _nth(today, _("%(ordinal)s call today."), _("%(number)d calls today, this one included."))
    week = 1 + _calls_since(history, time_phrases.start_of_week(history.now, history.zone))
    if week > 1:
        return _nth(week, _("%(ordinal)s call this week."), _("%(number)d calls this week, this one included."))
    return ""


def _calls_since(history: CallerHistory, since: datetime) -> int:
    # One without a number was passed on: the caller called once, and that counts already.
    calls = [course for course in history.courses if course.number and not course.is_outgoing]
    return sum(course.started_at >= since for course in calls)


def _nth(number: int, few: str, many: str) -> str:
    # “Eleventh” is no better to read than a figure.
    if number > len(ORDINALS):
        return many % {"number": number}
    return few % {"ordinal": ORDINALS[number - 1]}


def _no_answer(history: CallerHistory) -> str:
    """Only about the last call: what was made good since is not worth a sentence."""
    last = history.courses[0]
    if last.is_answered or not last.ended_at:
        return ""
    at = time_phrases.in_a_sentence(last.started_at, history.now, history.zone)
    if last.is_outgoing:
        who = history.known.people.get(last.spoke) or _("A colleague")
        return _("%(who)s tried to reach them %(when)s.") % {"who": who, "when": at}
    return _("%(when)s nobody answered.") % {"when": capfirst(at)}


def _last_spoke(history: CallerHistory) -> str:
    course = next((course for course in history.courses if course.is_answered), None)
    if course is None:
        return ""
    facts = {
        "who": history.known.people.get(course.spoke) or _("a colleague"),
        "when": time_phrases.in_a_sentence(course.started_at, history.now, history.zone),
    }
    is_own = course.spoke == history.extension
    sentence = (_("You spoke with them %(when)s") if is_own else _("Last spoke with %(who)s %(when)s")) % facts
    written = [note.text for note in history.notes.get(course.call_id, []) if note.text]
    if not written:
        return _("%(said)s.") % {"said": sentence}
    return _("%(said)s: “%(quote)s”.") % {"said": sentence, "quote": _quote(written[0])}


def _quote(text: str) -> str:
    # The sentence around it brings the full stop.
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1].rstrip() + "…"
