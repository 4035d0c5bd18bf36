"""Outsiders go from the audit log: their numbers, and who an erased contact was. What was done and by whom stays.

Nothing else changes entries.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from accounts.audit import MASK
from accounts.models import AuditEntry

# Six to fifteen digits of any script, as E.164 has no more, and what people write between them; days are left alone.
NUMBER = re.compile(r"(?<!\d)(?!\d{4}-\d{2}-\d{2}(?!\d))\+?\d(?:[\s()./-]{0,3}\d){5,14}(?!\d)")
ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")
# Entries that name a contact, or may have been looked for by its name.
OF_CONTACTS = ("contact added", "contact changed", "contact looked at", "contact removed", "contacts merged")
SEARCHES = ("contacts searched", "calls searched")
WHO = ("name", "company", "email")
SHOWN_DIGITS = 2
AT_ONCE = 500


def mask_old_entries(domain_id: int, since: datetime | None, before: datetime) -> int:
    """Take what may be a phone number out of a company's entries of that time, and what was searched for; gives how
    many had any.
    """
    # A plain query set: that of the model refuses any change.
    rows: QuerySet[AuditEntry] = QuerySet(AuditEntry).filter(company_id=domain_id, at__lt=before)
    rows = rows.filter(at__gte=since) if since else rows
    rows.exclude(once=None).update(once=None)  # only said that the same is noted once, long ago
    count = 0
    for entry in rows.order_by("pk").iterator(AT_ONCE):
        # Nothing tells the name of a caller from other words.
        about = entry.about and MASK if entry.what in SEARCHES else masked(entry.about, NUMBER)
        changes = masked(entry.changes, NUMBER)
        if (about, changes) != (entry.about, entry.changes):
            count += QuerySet(AuditEntry).filter(pk=entry.pk).update(about=about, changes=changes)
    return count


def mask_contacts(domain_id: int, names: Iterable[str]) -> int:
    """Take contacts of these names, or e-mail addresses, out of a company's entries, also as they were called before;
    gives how many entries named one. Entries tell contacts by their names only, so namesakes go along.
    """
    rows: QuerySet[AuditEntry] = QuerySet(AuditEntry).filter(company_id=domain_id, what__in=OF_CONTACTS + SEARCHES)
    wanted, done, count = set(names) - {""}, set[str](), 0
    while wanted:
        about = Q(about__in=wanted) | Q(about_lower__in={name.lower() for name in wanted}, what__in=SEARCHES)
        found = list(rows.annotate(about_lower=Lower("about")).filter(about))
        for entry in found:
            changes = {key: _without_who(key, pair) for key, pair in entry.changes.items()}
            # `once` holds what was searched for.
            count += QuerySet(AuditEntry).filter(pk=entry.pk).update(about=MASK, changes=changes, once=None)
        done |= wanted
        wanted = {entry.changes["name"][0] for entry in found if entry.changes.get("name")} - done - {"", MASK}
    return count


def _without_who(key: str, pair: list[Any]) -> list[Any]:
    return [value and MASK for value in pair] if key in WHO else pair


def hinted(text: str) -> str:
    """A text for an entry that no retention reaches: of a number its last two digits, of an address nothing."""
    return ADDRESS.sub(MASK, NUMBER.sub(lambda found: f"{MASK} ••{_last_digits(found[0])}", text))


def _last_digits(number: str) -> str:
    return re.sub(r"\D", "", number)[-SHOWN_DIGITS:]


def masked(value: Any, pattern: str | re.Pattern[str]) -> Any:
    """A text, or whatever was JSON, without what the pattern finds in it."""
    if isinstance(value, str):
        return re.sub(pattern, MASK, value)
    if isinstance(value, list):
        return [masked(each, pattern) for each in value]
    if isinstance(value, dict):
        return {masked(key, pattern): masked(each, pattern) for key, each in value.items()}
    return value
