"""What ends somebody's rights, whoever deletes or switches it off, in whatever way: open sockets hear of it."""

from typing import Any

from django.db.models.signals import post_delete, post_save

from accounts.models import Domain, Grant, Person, User
from accounts.signin import rights, sessions


def connect() -> None:
    """Watch the models that rights hang on."""
    # Signals, since the admin site and cascades delete without calling any function of ours.
    post_delete.connect(_user_deleted, User)
    post_delete.connect(_person_deleted, Person)
    post_delete.connect(_grant_deleted, Grant)
    post_delete.connect(_domain_ended, Domain)
    post_save.connect(_domain_saved, Domain)


def _user_deleted(instance: User, **_: Any) -> None:
    sessions.close_sockets(instance.pk)


def _person_deleted(instance: Person, **_: Any) -> None:
    if instance.user_id:
        sessions.close_sockets(instance.user_id)


def _grant_deleted(instance: Grant, **_: Any) -> None:
    """Without what the provider granted nobody knows whether the provider still stands behind this sign-in."""
    sessions.end(instance.user_id)


def _domain_ended(instance: Domain, **_: Any) -> None:
    rights.changed(domain_id=instance.pk)


def _domain_saved(instance: Domain, **_: Any) -> None:
    if not instance.is_active:
        rights.changed(domain_id=instance.pk)
