"""What a person keeps about a call while it goes on, whatever order the posts arrive in.

Nothing is replaced that the writer has not seen: the same person may have the call open on another page, and a program
may write in their name.
"""

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import attrgetter

from django.utils import timezone

from accounts.models import Person
from wallboard.calls.documents import call_of
from wallboard.calls.models import Leg
from wallboard.contacts.models import Contact
from wallboard.desk.card import call_history, transfers
from wallboard.desk.models import Note, Outcome

LONGEST = 4000
MOST_FOUND = 200  # of one number


@dataclass(frozen=True)
class StoredNote:
    """What we hold after a save, and its stamp; `is_yours` is False where something else was there already.

    `outcome` and `contact` are ids.
    """

    text: str
    stamp: int
    is_yours: bool
    outcome: int | None = None
    contact: int | None = None


def save(
    person: Person,
    leg: Leg,
    text: str,
    stamp: int,
    outcome_id: int | None = None,
    contact_id: int | None = None,
    known: Collection[int] | None = None,
) -> StoredNote:
    """Keep this as the person's note on the leg's call, unless one with a higher stamp is kept already.

    With `known`, what it replaces must have one of these stamps: those of the text that the writer began with and of
    what they sent since. Without, as from pages of an older release, the stamp alone decides.

    An outcome or contact of another company, or one that is gone meanwhile, is kept as none.

    The page counts the stamp up with each change, starting above the stamp that came with the card; a late or doubled
    post therefore does no harm.
    """
    values = {
        "text": text.replace("\0", "")[:LONGEST],  # PostgreSQL takes no NUL
        "stamp": stamp,
        "number_e164": leg.caller_e164 or _number_before(leg),
        "outcome": Outcome.objects.filter(domain_id=leg.domain_id, pk=outcome_id).first() if outcome_id else None,
        "contact": Contact.objects.filter(domain_id=leg.domain_id, pk=contact_id).first() if contact_id else None,
    }
    note, is_new = Note.objects.get_or_create(
        person=person, call_id=call_of(leg), defaults={"domain_id": leg.domain_id, **values}
    )
    if not is_new:
        # Compared in the statement: two posts of one note may be in two processes.
        replaced = Note.objects.filter(pk=note.pk, stamp__lt=stamp)
        if known is not None:
            replaced = replaced.filter(stamp__in=known)
        replaced.update(**values, written_at=timezone.now())
        note.refresh_from_db()
    return _stored(note, note.stamp == stamp)


def _number_before(leg: Leg) -> str:
    """The caller's number where a colleague passed the call on, whose leg alone has it; else ""."""
    origin = transfers.transfer_of(leg, call_history.legs_of_call(leg)) if leg.by_call_id else None
    return origin.leg.caller_e164 if origin else ""


def replace(person: Person, leg: Leg, text: str, outcome_id: int | None) -> None:
    """Put this in place of whatever the person keeps about the leg's call by now; the contact stays."""
    is_kept = False
    while not is_kept:  # they may be typing
        before = own_note(person.pk, call_of(leg))
        stamp = max(round(time.time() * 1000), before.stamp + 1)
        is_kept = save(person, leg, text, stamp, outcome_id, before.contact, {before.stamp}).is_yours


def own_note(person_id: int, call_id: str) -> StoredNote:
    """The person's own note on a call; empty where there is none yet."""
    note = Note.objects.filter(person_id=person_id, call_id=call_id).first()
    return _stored(note, True) if note else StoredNote("", 0, True)


def notes_by_call(domain_id: int, call_ids: Iterable[str], numbers: Iterable[str]) -> dict[str, list[Note]]:
    """The notes of anybody on these calls, and on whatever others with these numbers, by call, newest first."""
    written = Note.objects.filter(domain_id=domain_id).exclude(text="", outcome=None)
    written = written.select_related("person", "outcome")
    # By call, too: a caller who withholds the number is still the same within one call. Each of them is a look into an
    # index, which both in one question would not be.
    by_call = written.filter(call_id__in=list(call_ids))
    by_number = (written.filter(number_e164=each).order_by("-written_at")[:MOST_FOUND] for each in numbers)
    notes = {note.pk: note for some in (by_call, *by_number) for note in some}
    found: dict[str, list[Note]] = {}
    for note in sorted(notes.values(), key=attrgetter("written_at"), reverse=True):
        found.setdefault(note.call_id, []).append(note)
    return found


def _stored(note: Note, is_yours: bool) -> StoredNote:
    return StoredNote(note.text, note.stamp, is_yours, note.outcome_id, note.contact_id)
