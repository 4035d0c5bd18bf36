"""People and their extensions: found, linked to a sign-in, renamed, given a role.

Nobody else saves a person, but limits.py for what one may see, and signin/joining.py where a local account becomes
somebody with a phone.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import audit
from accounts.languages.digits import ascii_digits
from accounts.models import Domain, Grant, Person, User
from accounts.signin import joining, sessions


class LastAdministrator(Exception):
    """The company would be left without anybody who may change roles."""


def extension_meant(domain: Domain, typed: str) -> str:
    """The extension that was typed: as it is written where somebody has it so, else with ASCII digits."""
    plain = ascii_digits(typed)
    is_known = plain != typed and Person.objects.filter(domain=domain, extension=typed).exists()
    return typed if is_known else plain


def get_or_create(domain: Domain, extension: str, name: str = "") -> Person:
    """The person with this extension, made when it is new; a name is only kept where there is none yet."""
    if not extension:
        raise ValueError("A person needs an extension.")
    person, _ = Person.objects.get_or_create(domain=domain, extension=extension, defaults={"name": name})
    if name and not person.name:
        rename(person, name)
    return person


def remove_unknown(domain: Domain, extension: str, since: datetime, told_names: Collection[str]) -> Person | None:
    """Remove who is known from calls since then alone, where the extension turned out to be nobody's; gives their row.

    None, and nothing removed, where anybody gave them a name beside those told, a sign-in, a role, a limit or a team.
    """
    found = Person.objects.filter(domain=domain, extension=extension, created_at__gte=since, user=None, teams=None)
    untouched = found.filter(role=Person.Role.AGENT, only_queues__isnull=True, only_team=None, is_hidden=False)
    person = untouched.filter(name__in={"", *told_names}).select_related("presence").first()
    if person is not None:
        Person.objects.filter(pk=person.pk).delete()
    return person


def rename(person: Person, name: str) -> None:
    """Keep a new name; the empty one makes the extension stand for it."""
    _set(person, "name", name)


def hide(person: Person, is_hidden: bool) -> None:
    """Keep the person off the boards, or show it again."""
    _set(person, "is_hidden", is_hidden)


def _set(person: Person, column: str, value: object) -> None:
    before = getattr(person, column)
    setattr(person, column, value)
    with transaction.atomic():
        person.save(update_fields=[column])
        if before != value:
            audit.log(person.domain_id, "person changed", audit.person_label(person), {column: [before, value]})


def change_role(person: Person, role: str) -> None:
    """Give a role, which open pages notice at once; raises LastAdministrator rather than lock everybody out."""
    if role == person.role:
        return
    with transaction.atomic():
        # In the transaction: of two who demote each other at once, one must fail.
        if is_last_administrator(person, role):
            raise LastAdministrator
        _set(person, "role", role)
        if person.user_id:
            sessions.close_sockets(person.user_id)


def administrators(domain_id: int | None = None) -> QuerySet[Person]:
    """Who administrates this company, or any, or can once they sign in; nobody can as an unlinked local account."""
    found = Person.objects.filter(role=Person.Role.ADMINISTRATOR)
    found = found.exclude(extension=joining.LOCAL_EXTENSION, user=None)
    return found if domain_id is None else found.filter(domain_id=domain_id)


def is_last_administrator(person: Person, role: str) -> bool:
    """Whether giving this role would leave the company without an administrator. Locks their rows in a transaction."""
    if person.role != Person.Role.ADMINISTRATOR or role == Person.Role.ADMINISTRATOR:
        return False
    if transaction.get_connection().in_atomic_block:
        lock_administrators(person.domain_id)
    return not administrators(person.domain_id).exclude(pk=person.pk).exists()


def lock_administrators(domain_id: int) -> None:
    """Until the transaction ends nobody else takes an administrator of the company away.

    To be called before any of their rows is locked: all are taken in one order, so that no two wait for each other.
    """
    # list(), as only rows that are read are locked. no_key: rows that point at them, as notes do, need not wait.
    list(administrators(domain_id).order_by("pk").select_for_update(no_key=True).values_list("pk"))


def link(person: Person, user: User) -> None:
    """From now on this sign-in is that person. Whoever was it before is signed out everywhere."""
    with transaction.atomic():
        current = Person.objects.select_for_update().get(pk=person.pk)
        if current.user_id == user.pk:
            return
        # One sign-in is one person: it may have been linked to somebody else meanwhile.
        for other in Person.objects.select_for_update().filter(user=user):
            _unlink(other)
        if current.user_id:
            sessions.end(current.user_id)
        Person.objects.filter(pk=person.pk).update(user=user)
        User.objects.filter(pk=user.pk).update(link_code="")
        audit.log(person.domain_id, "sign-in linked", audit.person_label(current), {"user": [current.user_id, user.pk]})
    person.user = user


def hand_over(person: Person) -> Person:
    """The extension goes to somebody new, who begins as an agent without a name: gives their row.

    Whoever had it is signed out and goes on as a hidden person under a name of their own, with what they noted.
    Raises LastAdministrator.
    """
    with transaction.atomic():
        # Refused for the company's last administrator, hence first.
        change_role(person, Person.Role.AGENT)
        _unlink(person)
        extension, moment = person.extension, timezone.now()
        # Cut, so that the column has room for the date behind it.
        person.extension = f"{extension[:38]} until {moment:%Y-%m-%d %H:%M:%S}"
        person.is_hidden = True
        person.save(update_fields=["extension", "is_hidden"])
        audit.log(person.domain_id, "extension handed over", extension, {"extension": [extension, person.extension]})
        return get_or_create(person.domain, extension)


def unlink(person: Person) -> None:
    """The sign-in no longer stands for this person; its sessions end. Raises LastAdministrator."""
    with transaction.atomic():
        if is_last_local(person):
            raise LastAdministrator
        _unlink(person)


def is_last_local(person: Person) -> bool:
    """Whether this is a local account, which nobody can be again once it is unlinked, and the last administrator."""
    is_linked = person.user_id is not None and person.extension == joining.LOCAL_EXTENSION
    return is_linked and is_last_administrator(person, Person.Role.AGENT)


def _unlink(person: Person) -> None:
    if person.user_id is None:
        return
    with transaction.atomic():
        sessions.end(person.user_id)
        audit.log(person.domain_id, "sign-in unlinked", audit.person_label(person), {"user": [person.user_id, None]})
        person.user = None
        person.save(update_fields=["user"])


def awaiting_link(domain_id: int) -> QuerySet[Grant]:
    """Sign-ins whose extension is not known yet, longest waiting first."""
    unknown = Grant.objects.filter(domain_id=domain_id, refused_at=None, user__is_active=True, user__person=None)
    return unknown.exclude(user__link_code="").select_related("user", "domain").order_by("signed_in_at")
