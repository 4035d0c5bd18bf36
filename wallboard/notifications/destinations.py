"""Where messages go to: added, changed and removed, each with an entry in the audit log that shows no address."""

import json
import re
from collections.abc import Mapping
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts import audit
from accounts.encryption import WrongKey, sealed
from accounts.models import Domain, Person
from wallboard.notifications.models import Channel, Destination

Address = str | Mapping[str, Any]
MOST_PER_PERSON = 20
MAIL_ADDRESS = re.compile(r"([^\s<>@\"'()•])[^\s<>@\"'()]*@([\w.-]+)")


def of_person(person: Person) -> QuerySet[Destination]:
    """A person's own: of the sign-in that the person has now, not of one that had the extension before."""
    return Destination.objects.filter(person=person, user=person.user_id)


def of_company(domain: Domain) -> QuerySet[Destination]:
    """Those of the company as a whole."""
    return Destination.objects.filter(domain=domain, person=None)


def usable() -> QuerySet[Destination]:
    """Those that alerts may go to: switched on and confirmed. A person without a sign-in is no longer told anything."""
    of_people = Q(user=F("person__user"), user__is_active=True)
    switched_on = Destination.objects.filter(is_enabled=True, is_confirmed=True, domain__is_active=True)
    return switched_on.filter(Q(person=None) | of_people)


def has_owner(destination: Destination) -> bool:
    """Whether a person's destination still belongs to whoever has the person's sign-in."""
    user = destination.person.user if destination.person else None
    return user is not None and user.is_active and destination.user_id == user.pk


def remove_orphans() -> None:
    """Forget those of people whose extension belongs to another sign-in by now."""
    for each in Destination.objects.filter(person__user__isnull=False).exclude(user=F("person__user")):
        remove(each)


def add(
    domain: Domain, channel: Channel, name: str, address: Address, person: Person | None = None, **values: Any
) -> Destination:
    """Add one: of a person, or of the company. The address is sealed, and JSON where it is more than a text."""
    text = address if isinstance(address, str) else json.dumps(dict(address))
    name = masked(name) if channel == Channel.EMAIL else name
    destination = Destination.objects.create(
        domain=domain,
        person=person,
        user_id=person.user_id if person else None,
        channel=channel,
        name=name[:120],
        address=sealed(text),
        **values,
    )
    audit.log(domain.pk, "destination added", label(destination))
    return destination


def masked(text: str) -> str:
    """The text with no more of an e-mail address in it than its owner needs to know it again: "a•••@example.com"."""
    return MAIL_ADDRESS.sub(rf"\1{audit.MASK}@\2", text)


def full_name(destination: Destination) -> str:
    """The name as its owner sees it: with the address of a mailbox, where that stands for the name."""
    if destination.channel != Channel.EMAIL or audit.MASK not in destination.name:
        return destination.name
    try:
        return str(open_address(destination))
    except WrongKey:
        return destination.name


def open_address(destination: Destination) -> Address:
    """The address as it was given to `add`. Raises encryption.WrongKey where no key opens it."""
    text = destination.address.open()
    values: dict[str, Any] | None = json.loads(text) if text.startswith("{") else None
    return text if values is None else values


def set_address(destination: Destination, address: Address) -> None:
    """Replace the address, as when a webhook gets a new secret; what failed before is forgotten."""
    text = address if isinstance(address, str) else json.dumps(dict(address))
    destination.address = sealed(text)
    destination.failing_since = None
    destination.save(update_fields=["address", "failing_since"])
    audit.log(destination.domain_id, "destination changed", label(destination))


def switch(destination: Destination, *, on: bool) -> None:
    """Let messages through or hold them back."""
    if destination.is_enabled != on:
        destination.is_enabled = on
        destination.save(update_fields=["is_enabled"])
        audit.log(destination.domain_id, "destination changed", label(destination), {"is_enabled": [not on, on]})


def show_numbers(destination: Destination, *, on: bool) -> None:
    """Let texts carry phone numbers there, or leave them out."""
    if destination.shows_numbers != on:
        destination.shows_numbers = on
        destination.save(update_fields=["shows_numbers"])
        audit.log(destination.domain_id, "destination changed", label(destination), {"shows_numbers": [not on, on]})


def remove(destination: Destination) -> None:
    """Forget it; what was sent there stays in the history by its name."""
    audit.log(destination.domain_id, "destination removed", label(destination))
    destination.delete()


def give_up(destination: Destination, reason: str) -> None:
    """The other side said that it is gone for good: a browser's is removed, any other is switched off."""
    if destination.channel == Channel.PUSH:
        remove(destination)
        return
    switch(destination, on=False)
    record(destination, reason, is_good=False)


def record(destination: Destination, outcome: str, *, is_good: bool) -> None:
    """Keep what the other side said last, and since when it takes nothing."""
    now = timezone.now()
    row = Destination.objects.filter(pk=destination.pk)
    row.update(last_tried_at=now, last_outcome=outcome[:300])
    if is_good:
        row.exclude(failing_since=None).update(failing_since=None)
    else:
        row.filter(failing_since=None).update(failing_since=now)


def label(destination: Destination) -> str:
    """As the audit log names it: channel, name and whose it is, never the address."""
    whose = audit.person_label(destination.person) if destination.person else ""
    return " ".join(part for part in (destination.channel, destination.name, whose) if part)
