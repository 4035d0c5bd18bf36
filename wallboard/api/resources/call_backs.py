"""Callers whom nobody answered and nobody has called back."""

from datetime import datetime
from typing import Literal

import msgspec
from django.http import Http404
from django.utils import timezone

from accounts.models import Person
from wallboard.api import paging, scopes
from wallboard.api.endpoints import Asked, Endpoint, Paged
from wallboard.api.problems import Problem
from wallboard.api.resources.calls import Word
from wallboard.calls import numbers
from wallboard.contacts import address_book
from wallboard.desk import callbacks
from wallboard.desk.callbacks import OpenCallback


class CallBackRow(msgspec.Struct, frozen=True):
    """One caller who waits to be called back. `number` is masked, and `name` empty, without the scope numbers."""

    number: str
    name: str
    waiting_since: datetime
    last_call_at: datetime
    calls: int
    last_waited_seconds: float | None
    is_taken: bool
    taken_by: str


class CallBackPage(msgspec.Struct, frozen=True):
    """Open call-backs, the caller who rang last first."""

    items: list[CallBackRow]
    next: str | None


def call_backs(asked: Asked) -> CallBackPage:
    """The open call-backs that the token may see."""
    query: Paged = asked.query
    place = paging.decode(query.cursor, paging.ByCall)
    every = sorted(callbacks.open_callbacks(asked.domain, timezone.now(), asked.caller.limit), key=_order)
    # By the last call and not by how many came before: some of those are called back meanwhile.
    rest = every if place is None else [each for each in every if _order(each) > (-place.at.timestamp(), place.call)]
    page, has_more = paging.cut(rest[: query.limit + 1], query.limit)
    last = page[-1].missed.last if has_more else None
    following = paging.encode(paging.ByCall(last.at, last.call)) if last else None
    known = {}
    if asked.sees_numbers():
        known = address_book.unique_by_caller_id(asked.domain.pk, {each.missed.number for each in page})
    names = {number: contact.name for number, contact in known.items()}
    return CallBackPage([_row(asked, each, names) for each in page], following)


def _order(each: OpenCallback) -> tuple[float, str]:
    return -each.missed.last.at.timestamp(), each.missed.last.call


class CallBackChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person does with the call-back of a number, which is as the list names it with the scope numbers."""

    number: Word
    act: Literal["take", "leave", "done", "snooze"]
    extension: Word


def change(asked: Asked) -> None:
    """Take, leave, finish or put off a call-back in somebody's name. Raises Problem."""
    body: CallBackChange = asked.body
    person = person_of(asked, body.extension)
    theirs = callbacks.open_callbacks(asked.domain, timezone.now(), asked.caller.limit)
    if body.number not in {each.missed.number for each in theirs}:
        raise Http404
    if not callbacks.change(asked.domain, person, body.number, body.act):
        raise Problem(409, "A colleague has taken it, or it is not open to this person.")


def person_of(asked: Asked, extension: str) -> Person:
    """The person in whose name a program writes, as far as its token sees them. Raises Problem."""
    person = Person.objects.filter(domain=asked.domain, extension=extension).first()
    if person is None or not asked.caller.limit.shows_person(extension):
        raise Problem(422, "There is nobody with this extension.")
    return person


def _row(asked: Asked, each: OpenCallback, names: dict[str, str]) -> CallBackRow:
    number, is_shown = each.missed.number, asked.sees_numbers()
    return CallBackRow(
        number if is_shown else numbers.masked(number),
        names.get(number, each.missed.last.caller_name) if is_shown else "",
        each.since,
        each.missed.last.at,
        each.times,
        each.missed.last.seconds,
        each.owner is not None,
        callbacks.name_for(asked.caller.viewer, each.owner) if each.owner else "",
    )


ENDPOINTS = (
    Endpoint("call_backs", "call-backs", scopes.CALL_BACKS, "Open call-backs", call_backs, CallBackPage, query=Paged),
    Endpoint(
        "call_backs",
        "call-backs",
        scopes.WRITE_CALL_BACKS,
        "Take, leave, put off or finish a call-back",
        change,
        None,
        method="POST",
        body=CallBackChange,
        status=204,
        errors=(404, 409),
    ),
)
