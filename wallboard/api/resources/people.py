"""People, and what their phones are doing."""

from datetime import datetime

import msgspec
from django.http import Http404

from wallboard.api import scopes
from wallboard.api.endpoints import Asked, Endpoint
from wallboard.api.moments import moment
from wallboard.calls import documents
from wallboard.calls.documents import EventsDocument
from wallboard.calls.presence import documents as presence
from wallboard.calls.presence.documents import PersonDocument


class Events(msgspec.Struct, frozen=True):
    """Whether call events can be trusted now: `state` is live, starting or down."""

    state: str
    since: datetime | None
    heard_at: datetime | None


class Status(msgspec.Struct, frozen=True):
    """What a person says of themself; `until` is null where they named no end."""

    kind: str
    note: str
    since: datetime | None
    until: datetime | None


class PersonNow(msgspec.Struct, frozen=True, rename={"other": "with"}):
    """A person. `state` is unknown, idle, calling, ringing or talking; `with` names a colleague or a queue only.

    `is_unconfirmed` where something speaks against what the last call event said.
    """

    extension: str
    name: str
    state: str
    since: datetime | None
    direction: str
    other: str
    heard_at: datetime | None
    is_unconfirmed: bool
    status: Status | None


class PeopleList(msgspec.Struct, frozen=True):
    """Everybody whom the token may see. What call events tell counts only while `events` are live."""

    events: Events
    items: list[PersonNow]


class PersonAnswer(msgspec.Struct, frozen=True):
    """One person."""

    events: Events
    item: PersonNow


def people(asked: Asked) -> PeopleList:
    """Everybody whom the token may see, by extension."""
    limit = asked.caller.limit
    found = [document for _version, document in presence.people(asked.domain.pk).values()]
    shown = [each for each in found if isinstance(each, PersonDocument) and limit.shows_person(each.extension)]
    # Whom somebody speaks with may be beyond the limit.
    rows = [_person(each, "" if limit.is_set else each.other) for each in sorted(shown, key=lambda it: it.extension)]
    return PeopleList(events(asked.domain.pk), rows)


def person(asked: Asked) -> PersonAnswer:
    """One of them."""
    every = people(asked)
    found = next((each for each in every.items if each.extension == asked.path["extension"]), None)
    if found is None:
        raise Http404
    return PersonAnswer(every.events, found)


def events(domain_id: int) -> Events:
    """Whether call events can be trusted now."""
    _version, document = documents.events(domain_id)["events"]
    assert isinstance(document, EventsDocument)
    return Events(document.state, moment(document.since), moment(document.heard_at))


def _person(document: PersonDocument, other: str) -> PersonNow:
    status = document.status
    return PersonNow(
        document.extension,
        document.name,
        document.state,
        moment(document.since),
        document.direction,
        other,
        moment(document.heard),
        document.unconfirmed,
        Status(status.kind, status.note, moment(status.since), moment(status.until)) if status else None,
    )


ENDPOINTS = (
    Endpoint("people", "people", scopes.PEOPLE, "Everybody, and what their phones are doing", people, PeopleList),
    Endpoint("person", "people/{extension}", scopes.PEOPLE, "One person", person, PersonAnswer, errors=(404,)),
)
