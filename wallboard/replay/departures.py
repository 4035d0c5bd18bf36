"""People who are deleted go from what was recorded, too: noted as they go, taken out by the worker."""

import re
from typing import Any

import msgspec
from django.db.models.signals import post_delete
from django.dispatch import receiver

from accounts.models import Domain, Person
from wallboard.replay.models import Departure
from wallboard.replay.rewriting import Clean, rewrite
from wallboard.replay.stream import Reader


@receiver(post_delete, sender=Person)
def note(instance: Person, **_: Any) -> None:
    """Somebody is deleted."""
    # With a whole company nothing of it stays anyway.
    if Domain.objects.filter(pk=instance.domain_id, removal_at=None).exists():
        Departure.objects.create(domain_id=instance.domain_id, extension=instance.extension, name=instance.name)


def take_out() -> int:
    """Take everybody who was deleted out of what was recorded; gives how many spans held them. Safe to repeat."""
    count = 0
    for gone in Departure.objects.order_by("pk"):
        texts = [msgspec.json.encode(word).decode() for word in (gone.extension, gone.name) if word]
        count += rewrite(gone.domain_id, re.compile("|".join(map(re.escape, texts))), Cleaner(gone).of)
        gone.delete()
    return count


class Cleaner:
    """Takes one person out of documents."""

    def __init__(self, gone: Departure) -> None:
        self._gone = gone

    def of(self, _reader: Reader) -> Clean:
        """What is done about any span."""
        return self.clean

    def clean(self, feed: str, key: str, document: Any) -> Any:
        """The document without this person; None where it is about them."""
        if not isinstance(document, dict) or key == "events":
            return document
        if feed == "people":
            return None if key == self._gone.extension else self._without_name(document, "with")
        if feed in ("calls", "wall"):
            return document | {end: self._party(document[end]) for end in ("from", "to")}
        if feed == "alerts":
            is_theirs = document.get("person") == self._gone.extension
            return None if is_theirs else self._without_name(document, "acknowledged_by")
        return document

    def _party(self, party: dict[str, Any]) -> dict[str, Any]:
        return party | {"name": ""} if party["extension"] == self._gone.extension else party

    def _without_name(self, document: dict[str, Any], field: str) -> dict[str, Any]:
        is_named = bool(self._gone.name) and document.get(field) == self._gone.name
        return document | {field: ""} if is_named else document
