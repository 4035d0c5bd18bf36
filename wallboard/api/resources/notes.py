"""What people noted about calls."""

from datetime import datetime
from typing import Annotated

import msgspec
from django.http import Http404

from accounts import audit
from wallboard.api import paging, scopes
from wallboard.api.endpoints import Asked, Count, Cursor, Endpoint
from wallboard.api.problems import Problem
from wallboard.api.resources.call_backs import person_of
from wallboard.api.resources.calls import Word
from wallboard.calls import numbers, visible_calls
from wallboard.calls.log.newest import CALL_OF
from wallboard.calls.models import Leg
from wallboard.desk import notes as writing
from wallboard.desk.models import Note, Outcome


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


class NoteBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's note on a call, in place of one that they have there; `outcome` is a word that cards offer, or ""."""

    call: Word
    extension: Word
    text: Annotated[str, msgspec.Meta(max_length=writing.LONGEST)] = ""
    outcome: Word = ""


def write(asked: Asked) -> NoteRow:
    """Keep a note in somebody's name. Raises Problem."""
    body: NoteBody = asked.body
    person = person_of(asked, body.extension)
    of_call = Leg.objects.filter(domain=asked.domain).annotate(call_id=CALL_OF).filter(call_id=body.call)
    leg = visible_calls.shown(of_call, asked.domain.pk, asked.caller.limit).order_by("pk").first()
    if leg is None:
        raise Http404
    outcome = Outcome.objects.filter(domain=asked.domain, name=body.outcome, is_offered=True).first()
    if body.outcome and outcome is None:
        raise Problem(422, "Cards do not offer this outcome.")
    writing.replace(person, leg, body.text, outcome.pk if outcome else None)
    stored = Note.objects.select_related("person", "outcome").get(person=person, call_id=body.call)
    about = numbers.masked(stored.number_e164)
    audit.log(asked.domain.pk, "note changed", about, {"person": ["", audit.person_label(person)]})
    return _row(asked, stored)


ENDPOINTS = (
    Endpoint("notes", "notes", scopes.NOTES, "Notes, the newest first", notes, NotePage, query=NoteQuery),
    Endpoint(
        "notes",
        "notes",
        scopes.WRITE_NOTES,
        "Write a note on a call",
        write,
        NoteRow,
        method="POST",
        body=NoteBody,
        status=201,
        errors=(404,),
    ),
)
