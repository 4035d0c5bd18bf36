"""The first administrator signs in with a password; here that account comes to stand for an extension.

Whoever makes an installation cannot sign in at the provider yet. They are a person under a name that no phone has, and
become the person of their extension at their first sign-in there: it was begun in their own session, so the provider's
word about it is about them.
"""

from contextlib import suppress

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import IntegrityError, transaction
from django.db.models import ManyToOneRel, Q

from accounts import audit
from accounts.models import Domain, Person, User

LOCAL_EXTENSION = "local-administrator"
WITHOUT_PASSWORD = Q(password="") | Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)  # of users
OF_PHONES = {"presence"}  # related rows that tell of the phone, not of who is linked to it


class Taken(Exception):
    """The extension belongs to another sign-in."""


def local_person(user: object) -> Person | None:
    """The person of this user, where that has no extension yet."""
    if not isinstance(user, User):
        return None
    return Person.objects.filter(user=user, extension=LOCAL_EXTENSION).select_related("domain").first()


def has_local_accounts(domain: Domain | None = None) -> bool:
    """Whether anybody of this company, or of any, signs in here with a password or a passkey, and has pages here."""
    linked = User.objects.filter(is_active=True, person__isnull=False)
    linked = linked.filter(person__domain=domain) if domain is not None else linked
    return linked.exclude(WITHOUT_PASSWORD).exists() or linked.filter(passkeys__isnull=False).exists()


def join(domain: Domain, user: User, extension: str) -> Person:
    """From now on the local account is the person with this extension, with the same rights. Raises Taken."""
    with transaction.atomic():
        local = Person.objects.select_for_update().get(user=user, domain=domain, extension=LOCAL_EXTENSION)
        known = Person.objects.select_for_update().filter(domain=domain, extension=extension).first()
        if known is not None and known.user_id not in (None, user.pk):
            raise Taken
        if known is not None:
            _move_all(local, known)
            name = known.name or local.name
            # The name goes on, so it must not be taken out of what was recorded, as that of a deleted person is.
            Person.objects.filter(pk=local.pk).update(user=None, name="")
            Person.objects.filter(pk=local.pk).delete()
        else:
            known, name = local, local.name
        # Seen on the boards from now on, and with nothing that would keep the first administrator from anything.
        rights = {"role": local.role, "only_queues": None, "only_team": None, "is_hidden": False}
        Person.objects.filter(pk=known.pk).update(user=user, extension=extension, name=name, **rights)
        known.refresh_from_db()
        audit.log(domain.pk, "sign-in linked", audit.person_label(known), {"user": [None, user.pk]})
    return known


def _move_all(local: Person, known: Person) -> None:
    """All that hangs on the row that stood in hangs on that of the extension; where only one can, what they chose."""
    for relation in Person._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ManyToOneRel):  # those of many to many are here as tables of their own
            continue
        rows, column = relation.related_model._default_manager, relation.field.name
        own = rows.filter(**{column: local})
        if relation.one_to_one and relation.name not in OF_PHONES and own.exists():
            rows.filter(**{column: known}).delete()
        for pk in list(own.values_list("pk", flat=True)):
            # The extension has the same already.
            with suppress(IntegrityError), transaction.atomic():
                rows.filter(pk=pk).update(**{column: known})
