"""The first administrator signs in with a password; here that account comes to stand for an extension.

Whoever makes an installation cannot sign in at the provider yet. They are a person under a name that no phone has, and
become the person of their extension at their first sign-in there: it was begun in their own session, so the provider's
word about it is about them.
"""

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction
from django.db.models import ProtectedError, Q, RestrictedError

from accounts import audit, people
from accounts.models import Domain, Person, User

LOCAL_EXTENSION = "local-administrator"
WITHOUT_PASSWORD = Q(password="") | Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)  # of users


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
            _give_way(local)
        else:
            known = local
        # Seen on the boards from now on, and with nothing that would keep the first administrator from anything.
        rights = {"role": local.role, "only_queues": None, "only_team": None, "is_hidden": False}
        Person.objects.filter(pk=known.pk).update(user=user, extension=extension, **rights)
        known.refresh_from_db()
        audit.log(domain.pk, "sign-in linked", audit.person_label(known), {"user": [None, user.pk]})
    return known


def _give_way(local: Person) -> None:
    """The row that stood in goes, or where something hangs on it, stays hidden and without rights."""
    Person.objects.filter(pk=local.pk).update(user=None)
    try:
        with transaction.atomic():
            Person.objects.filter(pk=local.pk).delete()
    except (ProtectedError, RestrictedError):
        people.hide(local, True)
