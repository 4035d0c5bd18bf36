"""What a person writes about a call: kept while they type, the newest text wins whatever order the posts arrive in."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone

from accounts.models import Person
from wallboard.calls.models import Leg
from wallboard.calls.news import call_of
from wallboard.desk.models import Note

LONGEST = 4000


@dataclass(frozen=True)
class Kept:
    """The text we hold after a save, and its stamp; `is_yours` is False where a newer text was there already."""

    text: str
    stamp: int
    is_yours: bool


def save(person: Person, leg: Leg, text: str, stamp: int) -> Kept:
    """Keep `text` as the person's note on the leg's call, unless a text with a higher stamp is kept already.

    The page counts the stamp up with each change, starting above the stamp that came with the card; a late or doubled
    post therefore does no harm.
    """
    text = text.replace("\0", "")[:LONGEST]  # PostgreSQL takes no NUL
    note, is_new = Note.objects.get_or_create(
        person=person,
        call_id=call_of(leg),
        defaults={
            "domain_id": leg.domain_id,
            "number_e164": leg.caller_e164,
            "text": text,
            "stamp": stamp,
        },
    )
    if not is_new:
        newer = Note.objects.filter(pk=note.pk, stamp__lt=stamp)
        newer.update(text=text, stamp=stamp, written_at=timezone.now(), number_e164=leg.caller_e164)
        note.refresh_from_db()
    return Kept(note.text, note.stamp, note.stamp == stamp)


def own(person_id: int, call_id: str) -> Kept:
    """The person's own note on a call; empty where there is none yet."""
    note = Note.objects.filter(person_id=person_id, call_id=call_id).first()
    return Kept(note.text, note.stamp, True) if note else Kept("", 0, True)


def about(domain_id: int, call_ids: Iterable[str], number_e164: str) -> dict[str, list[Note]]:
    """The notes of anybody on these calls with this number, by call, newest first."""
    found: dict[str, list[Note]] = {}
    wanted = Note.objects.filter(domain_id=domain_id, number_e164=number_e164, call_id__in=list(call_ids))
    for note in wanted.exclude(text="").select_related("person").order_by("-written_at"):
        found.setdefault(note.call_id, []).append(note)
    return found
