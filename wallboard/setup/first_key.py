"""The one address that makes the first administrator: good for an hour and once, and only its hash is stored.

`manage.py setup` prints the one of the installation, and whoever opens it keeps the installation from then on
(accounts/signin/operators.py). An operator gets one for each company. Either works while there is no administrator, so
a key that was never used is worth nothing afterwards.
"""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts import audit, domains, people
from accounts.companies import addresses, public_address
from accounts.models import Domain, Person, User
from accounts.signin import joining
from wallboard.setup.models import FirstKey

VALIDITY = timedelta(hours=1)


class Spent(Exception):
    """The key was used, has run out, or somebody administrates already."""


def is_needed(domain: Domain | None = None) -> bool:
    """Whether nobody administrates this company, or any of the installation."""
    return not people.administrators(domain.pk if domain is not None else None).exists()


def issue(domain: Domain | None = None) -> str:
    """A new address in the place of any before, for this company or for the installation."""
    key = secrets.token_urlsafe(32)
    with transaction.atomic():
        FirstKey.objects.filter(domain=domain).delete()
        FirstKey.objects.create(domain=domain, key_hash=hash_of(key), until=timezone.now() + VALIDITY)
        if domain is not None:
            audit.log(domain.pk, "administrator invited", domain.slug)
    base = public_address.url() if domain is None else addresses.of(domain)
    return base + reverse("setup:first", args=[key])


def is_good(key: str) -> bool:
    """Whether this key still opens the page."""
    return _found(key) is not None


def spend(key: str, user: User) -> Person:
    """Make this unsaved user the first administrator. Of two at the same moment one gets it; raises Spent."""
    with transaction.atomic():
        found = _found(key)
        # Deleted by one statement: whoever comes second finds no row.
        if found is None or not FirstKey.objects.filter(pk=found.pk).delete()[0]:
            raise Spent
        domain = found.domain or Domain.objects.order_by("pk").first() or domains.unconnected()
        user.is_operator = found.domain is None
        user.save()
        person = people.get_or_create(domain, joining.LOCAL_EXTENSION)
        Person.objects.filter(pk=person.pk).update(is_hidden=True, role=Person.Role.ADMINISTRATOR, user=user)
        person.refresh_from_db()
        audit.log(domain.pk, "first administrator made", user.get_username())
    return person


def hash_of(key: str) -> str:
    """What is stored of a key."""
    return sha256(key.encode(errors="replace")).hexdigest()


def _found(key: str) -> FirstKey | None:
    in_time = FirstKey.objects.filter(key_hash=hash_of(key), until__gt=timezone.now())
    found = in_time.select_related("domain").first()
    if found is None or not is_needed(found.domain) or (found.domain and not found.domain.is_active):
        return None
    return found
