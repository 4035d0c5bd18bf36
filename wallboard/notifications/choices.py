"""What each person chose for themselves: what reaches them, and when."""

from datetime import time
from typing import Any

from accounts import audit
from accounts.models import Person
from wallboard.notifications.deciding import timers
from wallboard.notifications.hours import EVERY_DAY
from wallboard.notifications.models import Choice


def of(person: Person) -> Choice:
    """A person's choice, not stored where they never made one: then everything that is sent to them reaches them."""
    return Choice.objects.filter(person=person).first() or Choice(person=person, level="watch", days=EVERY_DAY)


def save(person: Person, **values: Any) -> Choice:
    """Store a choice. Messages that wait for a later time by the choice before are decided anew."""
    before = audit.snapshot(of(person), *values)
    choice, _ = Choice.objects.update_or_create(person=person, defaults=values)
    timers.begin_anew(choice)
    changes = {name: [_text(old), _text(new)] for name, (old, new) in audit.differences(before, values).items()}
    audit.log_changes(person.domain_id, "notifications changed", audit.person_label(person), changes)
    return choice


def _text(value: object) -> object:
    return value.isoformat("minutes") if isinstance(value, time) else value
