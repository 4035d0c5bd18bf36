"""People who are deleted go from what was recorded, too: noted as they go, taken out by the worker."""

import re
from typing import Any

import msgspec
from django.db.models.signals import post_delete
from django.dispatch import receiver

from accounts.models import Domain, Person
from wallboard.queues.models import Queue
from wallboard.replay import patches, stream, tracks
from wallboard.replay.models import Departure, Span
from wallboard.replay.rewriting import Clean, rewrite
from wallboard.replay.stream import Reader


@receiver(post_delete, sender=Person)
def note(instance: Person, **_: Any) -> None:
    """Somebody is deleted."""
    # A queue that passed for a person goes on; and with a whole company nothing of it stays anyway.
    is_queue = Queue.objects.filter(domain_id=instance.domain_id, number=instance.extension).exists()
    if not is_queue and Domain.objects.filter(pk=instance.domain_id, removal_at=None).exists():
        Departure.objects.create(domain_id=instance.domain_id, extension=instance.extension, name=instance.name)


def take_out() -> int:
    """Take everybody who was deleted out of what was recorded; gives how many spans held them. Safe to repeat."""
    count = 0
    everybody = Departure.objects.order_by().values_list("domain_id", "extension").distinct()
    for domain_id, extension in list(everybody):
        _note_former_names(domain_id, extension)
        noted = dict(Departure.objects.filter(domain_id=domain_id, extension=extension).values_list("pk", "name"))
        gone = Cleaner(extension, frozenset(noted.values()) - {""})
        texts = [msgspec.json.encode(word).decode()[1:-1] for word in (extension, *gone.names)]
        # Within a document that is kept as a text, quotation marks have a stroke before them.
        pattern = re.compile(rf'\\?"(?:{"|".join(map(re.escape, texts))})\\?"')
        count += rewrite(domain_id, pattern, gone.of)
        Departure.objects.filter(pk__in=noted).delete()
    return count


def _note_former_names(domain_id: int, extension: str) -> None:
    """Note what they were called before they were renamed, as it was recorded; not what others are called now.

    Before anything is taken out: whoever repeats it after an interruption would not find these names any more.
    """
    rows = Span.objects.filter(domain_id=domain_id, track=tracks.track_of("people"))
    found: set[str] = set()
    for pk in list(rows.values_list("pk", flat=True)):
        if data := rows.filter(pk=pk).values_list("data", flat=True).first():
            found |= _names_in(stream.Reader(data), extension)
    known = {*Departure.objects.filter(domain_id=domain_id, extension=extension).values_list("name", flat=True)}
    known |= {"", *Person.objects.filter(domain_id=domain_id).values_list("name", flat=True)}
    Departure.objects.bulk_create(
        Departure(domain_id=domain_id, extension=extension, name=name) for name in sorted(found - known)
    )


def _names_in(reader: stream.Reader, extension: str) -> set[str]:
    first = (reader.state.get("people") or {}).get(extension)
    later = [(change.documents or {}).get(extension) for change in reader.changes() if change.feed == "people"]
    people = map(patches.meaning, (first, *later))
    return {each.get("name", "") for each in people if isinstance(each, dict)}


class Cleaner:
    """Takes one person, who may have had several names, out of documents."""

    def __init__(self, extension: str, names: frozenset[str]) -> None:
        self.extension, self.names = extension, names

    def of(self, _reader: Reader) -> Clean:
        """What is done about any span."""
        return self.clean

    def clean(self, feed: str, key: str, document: Any) -> Any:
        """The document without this person; None where it is about them."""
        if not isinstance(document, dict) or key == "events":
            return document
        if feed == "people":
            return None if key == self.extension else self._without_name(document, "with")
        if feed in ("calls", "wall"):
            return document | {end: self._party(document[end]) for end in ("from", "to")}
        if feed == "alerts":
            is_theirs = document.get("person") == self.extension
            return None if is_theirs else self._without_name(document, "acknowledged_by")
        return document

    def _party(self, party: dict[str, Any]) -> dict[str, Any]:
        return party | {"name": ""} if party["extension"] == self.extension else party

    def _without_name(self, document: dict[str, Any], field: str) -> dict[str, Any]:
        return document | {field: ""} if document.get(field) in self.names else document
