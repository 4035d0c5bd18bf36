"""What people noted about calls."""

from datetime import datetime

import msgspec

from wallboard.api import paging, scopes
from wallboard.api.endpoints import Asked, Count, Cursor, Endpoint
from wallboard.api.resources.calls import Word
from wallboard.calls import numbers, visible_calls
from wallboard.calls.log.search import CALL_OF
from wallboard.calls.models import Leg
from wallboard.desk.models import Note


class NoteQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which notes: all, or those of one call."""

    call: Word = ""
    limit: Count = 50
    cursor: Cursor = ""


class NoteRow(msgspec.Struct, frozen=True):
    """A note. `number` is masked without the scope numbers; `written_by` is "" for people who are not shown."""

    id: int
    call: str
    number: str
    text: str
    outcome: str
    contact: int | None
    written_by: str
    written_at: datetime


class NotePage(msgspec.Struct, frozen=True):
    """Notes, the newest first."""

    items: list[NoteRow]
    next: str | None


def notes(asked: Asked) -> NotePage:
    """The notes on calls that the token may see."""
    query: NoteQuery = asked.query
    rows = Note.objects.filter(domain=asked.domain).exclude(text="", outcome=None).order_by("-written_at", "-pk")
    if asked.caller.limit.is_set:
        legs = visible_calls.shown(Leg.objects.filter(domain=asked.domain), asked.domain.pk, asked.caller.limit)
        rows = rows.filter(call_id__in=legs.values(call_of_leg=CALL_OF))
    if query.call:
        rows = rows.filter(call_id=query.call)
    if place := paging.decode(query.cursor, paging.ByTime):
        rows = rows.filter(paging.after("written_at", place.at, place.id, descending=True))
    page, has_more = paging.cut(rows.select_related("person", "outcome")[: query.limit + 1], query.limit)
    following = paging.encode(paging.ByTime(page[-1].written_at, page[-1].pk)) if has_more else None
    return NotePage([_row(asked, each) for each in page], following)


def _row(asked: Asked, note: Note) -> NoteRow:
    person = note.person
    is_shown = person is not None and not person.is_hidden and asked.caller.limit.shows_person(person.extension)
    return NoteRow(
        note.pk,
        note.call_id,
        note.number_e164 if asked.sees_numbers() else numbers.masked(note.number_e164),
        note.text,
        note.outcome.name if note.outcome else "",
        note.contact_id,
        str(person) if is_shown else "",
        note.written_at,
    )


ENDPOINTS = (Endpoint("notes", "notes", scopes.NOTES, "Notes, the newest first", notes, NotePage, query=NoteQuery),)
