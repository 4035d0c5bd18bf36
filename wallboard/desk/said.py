"""One or two sentences that a colleague would say about a caller."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from wallboard.desk import when
from wallboard.desk.history import Course, Names
from wallboard.desk.models import Note

LONGEST_QUOTE = 140
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
class Memory:
    """What we know about a number at the moment it rings: its other calls, newest first, and the notes by call.

    `day_began` is when the company's day did. Not `is_whole` where the person it is for may not see every call of the
    company.
    """

    now: datetime
    zone: tzinfo
    day_began: datetime
    extension: str
    is_whole: bool
    courses: list[Course]
    known: Names
    notes: dict[str, list[Note]]


def sentences(memory: Memory) -> list[str]:
    """What is worth saying, most telling first; a number that we never saw is worth a sentence too."""
    if not memory.courses:
        return [_("First call from this number.")] if memory.is_whole else []
    return [line for line in (_how_often(memory), _no_answer(memory), _last_spoke(memory)) if line]


def before_dialling(memory: Memory) -> list[str]:
    """What is worth knowing of somebody whom one rang oneself: how the calls before went."""
    return [line for line in (_no_answer(memory), _last_spoke(memory)) if line] if memory.courses else []


def colleagues_wrote(memory: Memory, call_id: str) -> list[str]:
    """What colleagues noted in this very call, before it came here."""
    theirs = [
        note for note in memory.notes.get(call_id, []) if note.person and note.person.extension != memory.extension
    ]
    return [
        _("%(who)s noted: “%(quote)s”.") % {"who": note.person, "quote": _quote(note.text)}
        for note in theirs
        if note.text
    ]


def _how_often(memory: Memory) -> str:
    today = 1 + _calls_since(memory, memory.day_began)
    if today > 1:
        return _nth(today, _("%(ordinal)s call today."), _("%(number)d calls today, this one included."))
    week = 1 + _calls_since(memory, when.start_of_week(memory.now, memory.zone))
    if week > 1:
        return _nth(week, _("%(ordinal)s call this week."), _("%(number)d calls this week, this one included."))
    return ""


def _calls_since(memory: Memory, since: datetime) -> int:
    return sum(1 for course in memory.courses if course.started_at >= since and not course.is_outgoing)


def _nth(number: int, few: str, many: str) -> str:
    if number > len(ORDINALS):
        return many % {"number": number}
    return few % {"ordinal": ORDINALS[number - 1]}


def _no_answer(memory: Memory) -> str:
    """Only about the last call: what was made good since is not worth a sentence."""
    last = memory.courses[0]
    if last.is_answered or not last.ended_at:
        return ""
    at = when.in_a_sentence(last.started_at, memory.now, memory.zone)
    if last.is_outgoing:
        who = memory.known.people.get(last.spoke) or _("A colleague")
        return _("%(who)s tried to reach them %(when)s.") % {"who": who, "when": at}
    return _("%(when)s nobody answered.") % {"when": at[:1].upper() + at[1:]}


def _last_spoke(memory: Memory) -> str:
    course = next((course for course in memory.courses if course.is_answered), None)
    if course is None:
        return ""
    facts = {
        "who": memory.known.people.get(course.spoke) or _("a colleague"),
        "when": when.in_a_sentence(course.started_at, memory.now, memory.zone),
    }
    is_own = course.spoke == memory.extension
    said = (_("You spoke with them %(when)s") if is_own else _("Last spoke with %(who)s %(when)s")) % facts
    written = [note.text for note in memory.notes.get(course.call_id, []) if note.text]
    if not written:
        return _("%(said)s.") % {"said": said}
    return _("%(said)s: “%(quote)s”.") % {"said": said, "quote": _quote(written[0])}


def _quote(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1].rstrip() + "…"
