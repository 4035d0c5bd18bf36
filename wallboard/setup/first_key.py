"""The one address that makes the first administrator: printed by `manage.py setup`, good for an hour and once.

Only its hash is stored. It works while nobody administrates the installation, so a key that was printed and never used
is worth nothing afterwards.
"""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts import audit, domains, people
from accounts.models import Domain, Person, User
from accounts.signin import joining
from wallboard.setup.models import FirstKey

VALIDITY = timedelta(hours=1)
ONLY = 1  # the one row


class Spent(Exception):
    """The key was used, has run out, or somebody administrates already."""


def is_needed() -> bool:
    """Whether nobody administrates any company of this installation."""
    return not Person.objects.filter(role=Person.Role.ADMINISTRATOR).exists()


def issue() -> str:
    """A new address in the place of any before."""
    key = secrets.token_urlsafe(32)
    fresh = {"key_hash": hash_of(key), "until": timezone.now() + VALIDITY}
    FirstKey.objects.update_or_create(pk=ONLY, defaults=fresh)
    return settings.PUBLIC_URL + reverse("setup:first", args=[key])


def is_good(key: str) -> bool:
    """Whether this key still opens the page."""
    return is_needed() and FirstKey.objects.filter(key_hash=hash_of(key), until__gt=timezone.now()).exists()


def spend(key: str, user: User) -> Person:
    """Make this unsaved user the first administrator. Of two at the same moment one gets it; raises Spent."""
    with transaction.atomic():
        # Deleted by one statement: whoever comes second finds no row.
        if not is_good(key) or not FirstKey.objects.filter(key_hash=hash_of(key)).delete()[0]:
            raise Spent
        domain = Domain.objects.order_by("pk").first() or domains.unconnected()
        user.save()
        person = people.get_or_create(domain, joining.LOCAL_EXTENSION)
        Person.objects.filter(pk=person.pk).update(is_hidden=True, role=Person.Role.ADMINISTRATOR, user=user)
        person.refresh_from_db()
        audit.log(domain.pk, "first administrator made", user.get_username())
    return person


def hash_of(key: str) -> str:
    """What is stored of a key."""
    return sha256(key.encode(errors="replace")).hexdigest()
