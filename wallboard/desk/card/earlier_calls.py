"""One line for each earlier call on the card."""

from typing import Any

from wallboard.calls import numbers
from wallboard.desk import time_phrases
from wallboard.desk.card.call_history import PastCall
from wallboard.desk.card.summary import CallerHistory
from wallboard.desk.models import Note
from wallboard.live.feeds import milliseconds

MOST_EARLIER = 6


def describe(course: PastCall, history: CallerHistory, calling: str, country: str) -> dict[str, Any]:
    """One earlier call, in words; its number where the contact called from another one than `calling`."""
    return {
        "call": course.call_id,
        "at": milliseconds(course.started_at),
        # On most cards all calls come from one number, which stands above already; one that was passed on has none.
        "number": "" if course.number in ("", calling) else numbers.shown(course.number, country),
        "who": history.known.people.get(course.spoke, ""),
        "talked": "" if course.talk_seconds is None else time_phrases.duration(course.talk_seconds),
        "rang": "" if course.rang_seconds is None else time_phrases.duration(course.rang_seconds),
        "queue": history.known.queues.get(course.queue, ""),
        "is_outgoing": course.is_outgoing,
        "is_answered": course.is_answered,
        "is_over": course.ended_at is not None,
        "notes": [_written(note) for note in history.notes.get(course.call_id, [])],
    }


def _written(note: Note) -> dict[str, str]:
    outcome = note.outcome.name if note.outcome else ""
    return {"by": str(note.person) if note.person else "", "text": note.text, "outcome": outcome}
