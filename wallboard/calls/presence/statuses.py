"""The status people set for themselves, "at lunch, back 13:30": shown beside what their phone does."""

from datetime import datetime, time, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, company_day
from accounts.models import Domain, Person
from wallboard.calls import leg_store, publisher
from wallboard.calls.leg_store import Changes
from wallboard.calls.models import Presence
from wallboard.calls.presence import states

LONGEST_NOTE = 60
LONGEST = timedelta(hours=12)  # a clock time further ahead than this is meant to be one of today that is over


class InvalidStatus(Exception):
    """The status cannot be set; the sentence says what to do."""


def moment_of(clock: time, zone: str, now: datetime) -> datetime:
    """The next moment at which the company's clock shows that time. Raises InvalidStatus where that is far off."""
    wall = company_day.zone_named(zone)
    local = now.astimezone(wall)
    # At 23:50 “back at 0:30” means tomorrow.
    for day in (local.date(), local.date() + timedelta(days=1)):
        moment = datetime.combine(day, clock, wall)
        if now < moment <= now + LONGEST:
            return moment
    raise InvalidStatus(_("%(time)s is over already. Write when you will be back.") % {"time": f"{clock:%H:%M}"})


def set_status(person: Person, status: str, note: str = "", until: datetime | None = None) -> None:
    """From now on this is shown beside the person's state; with `until` it ends by itself. Raises InvalidStatus."""
    if status not in Presence.Status.values or not status:
        raise InvalidStatus(_("Choose one of the statuses."))
    if until is not None and until <= timezone.now():
        raise InvalidStatus(_("This time is over already. Write when you will be back."))
    # PostgreSQL takes no NUL.
    _store(person, status, note.replace("\0", "").strip()[:LONGEST_NOTE], until)


def clear_status(person: Person) -> None:
    """The person has no status any more."""
    _store(person, "", "", None)


def _store(person: Person, status: str, note: str, until: datetime | None) -> None:
    """Write it into the person's presence, under the lock that call events take too, and publish after the commit."""
    now = timezone.now()
    with transaction.atomic():
        [domain] = leg_store.lock_domains([person.domain_id])
        row = _presence(domain, person, now)
        before = audit.snapshot(row, "status", "status_note", "status_until")
        states.clear_status(row)
        row.overdue_since = None
        if status:
            row.status, row.status_note, row.status_since, row.status_until = status, note, now, until
        changes = audit.differences(before, audit.snapshot(row, "status", "status_note", "status_until"))
        # Saved as it was: no version, no news, no line in the audit log.
        if not changes:
            return
        audit.log(domain.pk, "status changed", audit.person_label(person), changes)
        states.save([row])
        changes_of = {domain.pk: Changes(presences={person.extension: row})}
        transaction.on_commit(lambda: publisher.publish_changes(changes_of), robust=True)


def _presence(domain: Domain, person: Person, now: datetime) -> Presence:
    known = Presence.objects.filter(person=person).select_related("person", "leg").first()
    if known is not None:
        return known
    [made] = states.refresh(domain, {person.extension: ""}, leg_store.queue_numbers_of(domain), now, heard=False)
    return made


def texts() -> dict[str, str]:
    """How scripts show a status: the label of each, and the form with the time of return."""
    return {**{each.value: str(each.label) for each in Presence.Status if each.value}, "back": _("{word}, back {time}")}
