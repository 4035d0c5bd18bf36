"""What people say of themselves, "at lunch, back 13:30": kept beside what their phone does, and told at once."""

from datetime import datetime, time, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, days
from accounts.models import Domain, Person
from wallboard.calls import ledger, presence, publisher
from wallboard.calls.ledger import News
from wallboard.calls.models import Presence

LONGEST_NOTE = 60
LONGEST = timedelta(hours=12)  # a clock time further ahead than this is meant to be one of today that is over


class BadStatus(Exception):
    """What was said makes no sense; the sentence says what to do."""


def moment_of(clock: time, zone: str, now: datetime) -> datetime:
    """The next moment at which the company's clock shows that time. Raises BadStatus where that is far off."""
    wall = days.zone_named(zone)
    local = now.astimezone(wall)
    for day in (local.date(), local.date() + timedelta(days=1)):
        moment = datetime.combine(day, clock, wall)
        if now < moment <= now + LONGEST:
            return moment
    raise BadStatus(_("%(time)s is over already. Write when you will be back.") % {"time": f"{clock:%H:%M}"})


def say(person: Person, word: str, note: str = "", until: datetime | None = None) -> None:
    """From now on this is shown beside the person's state; with `until` it ends by itself. Raises BadStatus."""
    if word not in Presence.Said.values or not word:
        raise BadStatus(_("Choose one of the words."))
    if until is not None and until <= timezone.now():
        raise BadStatus(_("This time is over already. Write when you will be back."))
    _keep(person, word, note.replace("\0", "").strip()[:LONGEST_NOTE], until)


def retract(person: Person) -> None:
    """Nothing is said any more."""
    _keep(person, "", "", None)


def _keep(person: Person, word: str, note: str, until: datetime | None) -> None:
    """Write it into the person's presence, under the lock that call events take too, and tell after the commit."""
    now = timezone.now()
    with transaction.atomic():
        [domain] = ledger.locked([person.domain_id])
        row = _presence(domain, person, now)
        before = audit.values(row, "said", "said_note", "said_until")
        presence.hush(row)
        if word:
            row.said, row.said_note, row.said_since, row.said_until = word, note, now, until
        changes = audit.differences(before, audit.values(row, "said", "said_note", "said_until"))
        if not changes:
            return
        audit.note(domain.pk, "status said", audit.named(person), changes)
        presence.save([row])
        told = {domain.pk: News(presences={person.extension: row})}
        transaction.on_commit(lambda: publisher.tell(told), robust=True)


def _presence(domain: Domain, person: Person, now: datetime) -> Presence:
    known = Presence.objects.filter(person=person).select_related("person", "leg").first()
    if known is not None:
        return known
    [made] = presence.refresh(domain, {person.extension: ""}, ledger.queue_numbers_of(domain), now, heard=False)
    return made


def words() -> dict[str, str]:
    """What the scripts of pages say for it: each word, and the word with the time of return."""
    return {**{each.value: str(each.label) for each in Presence.Said if each.value}, "back": _("{word}, back {time}")}
