"""One line for each earlier call on the card."""

from typing import Any

from wallboard.calls import numbers
from wallboard.desk import when
from wallboard.desk.history import Course
from wallboard.desk.models import Note
from wallboard.desk.said import Memory
from wallboard.live.feeds import milliseconds

MOST_EARLIER = 6


def line(course: Course, memory: Memory, calling: str, country: str) -> dict[str, Any]:
    """One earlier call, in words; its number where the contact called from another one than `calling`."""
    return {
        "call": course.call_id,
        "at": milliseconds(course.started_at),
        "number": "" if course.number == calling else numbers.shown(course.number, country),
        "who": memory.known.people.get(course.spoke, ""),
        "talked": "" if course.talk_seconds is None else when.length(course.talk_seconds),
        "rang": "" if course.rang_seconds is None else when.length(course.rang_seconds),
        "queue": memory.known.queues.get(course.queue, ""),
        "is_outgoing": course.is_outgoing,
        "is_answered": course.is_answered,
        "is_over": course.ended_at is not None,
        "notes": [_written(note) for note in memory.notes.get(course.call_id, [])],
    }


def _written(note: Note) -> dict[str, str]:
    outcome = note.outcome.name if note.outcome else ""
    return {"by": str(note.person) if note.person else "", "text": note.text, "outcome": outcome}
