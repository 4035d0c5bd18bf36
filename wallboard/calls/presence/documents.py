"""What the feed `people` holds: everyone's presence and status, always read from the database."""

from collections.abc import Iterable

import msgspec

from wallboard.calls import documents, floors, legs
from wallboard.calls.documents import Directory, Documents
from wallboard.calls.floors import Floor
from wallboard.calls.models import Presence
from wallboard.live.feeds import milliseconds


class StatusDocument(msgspec.Struct, frozen=True):
    """What a person says of themself. Times in ms; `until` is None where they named no end."""

    kind: str
    note: str
    since: int | None
    until: int | None


class PersonDocument(msgspec.Struct, frozen=True, kw_only=True, rename={"other": "with"}):
    """A person and what their phone is doing: `<extension>` of the feed `people`. Times in ms.

    `other` names whom they speak with, where that is a colleague or a queue; `heard` is the age of the last news of it.
    """

    extension: str
    name: str
    state: str
    since: int | None
    direction: str
    other: str
    heard: int | None
    unconfirmed: bool
    status: StatusDocument | None


def people(domain_id: int) -> Documents:
    """Everyone's presence, and the health of the events."""
    return people_of(floors.read([domain_id], with_everyone=True)[domain_id])


def people_of(floor: Floor) -> Documents:
    """The same of what is read already; people whom no call has mentioned yet stand on boards, too, as not seen."""
    known = documents.directory_on(floor)
    return person_documents(floor.presences, known) | documents.events_document(floor.health)


def person_documents(presences: Iterable[Presence], known: Directory) -> Documents:
    """Presences as documents by extension."""
    return {row.person.extension: person_document(row, known) for row in presences}


def person_document(presence: Presence, known: Directory) -> tuple[int, PersonDocument | None]:
    """A person with what their phone is doing, and the version of it; None for who is not shown."""
    person, leg = presence.person, presence.leg
    # A removal, not silence: browsers that showed the person must take them off.
    if person.is_hidden or not presence.is_shown or person.extension in known.queues:
        return presence.version, None
    sure = None if presence.is_unconfirmed else leg  # of an old leg that something speaks against nobody is named
    other = (sure.to_user if sure.from_user == person.extension else sure.from_user) if sure else ""
    return presence.version, PersonDocument(
        extension=person.extension,
        name=person.name,
        state=presence.state,
        since=milliseconds(presence.since),
        direction=legs.direction(leg) if leg else "",
        other=known.name(other) or (known.name(sure.queue) if sure else ""),
        heard=milliseconds(presence.heard_at),
        unconfirmed=presence.is_unconfirmed,
        status=status_document(presence),
    )


def status_document(presence: Presence) -> StatusDocument | None:
    """What the person says of themself, until when; None where they say nothing. Browsers end it at its time."""
    if not presence.status:
        return None
    since, until = milliseconds(presence.status_since), milliseconds(presence.status_until)
    return StatusDocument(presence.status, presence.status_note, since, until)
