"""Actor changed what, and who looked at which caller: written once, never changed, kept when the thing itself is gone.

Editing functions call `log` with what they did; who did it comes from the request that is being served, which a
middleware names, or else it was a command or a process of ours. Nothing secret is kept: only that it was changed.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Model, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.encryption import Sealed
from accounts.models import AuditEntry, Domain, Person, User

RETENTION = timedelta(days=400)  # a year and a little, so that the same month of last year can be looked up
MAX_LENGTH = 300
MASK = "•••"
SECRET_WORDS = ("secret", "token", "password")
Changes = dict[str, list[Any]]


@dataclass(frozen=True)
class Actor:
    """Somebody who acts; `user_id` is None for a command or a process of ours."""

    name: str
    user_id: int | None = None


SYSTEM = Actor("system")
# Under ASGI many requests share a thread, hence no thread-local.
_acting: ContextVar[Callable[[], Actor]] = ContextVar("acting", default=lambda: SYSTEM)


@contextmanager
def acting_as(who: Callable[[], Actor]) -> Iterator[None]:
    """Whatever is logged inside was done by whom `who` names; it is called only when something is logged."""
    before = _acting.set(who)
    try:
        yield
    finally:
        _acting.reset(before)


def current_actor() -> Actor:
    """Who acts now, for work that goes on after the request."""
    return _acting.get()()


def actor_of(user: object) -> Actor:
    """The name that an entry keeps of a user: extension and name of the person, or the account of the admin site."""
    if not isinstance(user, User):
        return Actor("nobody")
    person = getattr(user, "person", None)
    return Actor(person_label(person) if person else user.get_username(), user.pk)


def person_label(person: Person) -> str:
    """A person as entries name it."""
    return f"{person.extension} {person.name}".strip()


def log(domain_id: int | None, what: str, about: str, changes: Changes | None = None, once: str = "") -> None:
    """Keep that somebody did this. With `once`, the same by the same user is kept a single time."""
    who = _acting.get()()
    slug = Domain.objects.filter(pk=domain_id or 0).values("slug")  # looked up by the one statement that writes
    entry = AuditEntry(
        company_id=domain_id,
        company=Coalesce(Subquery(slug), Value("")),
        who=who.name[:MAX_LENGTH],
        user_id=who.user_id,
        what=what,
        about=clean(about),
        changes=masked(changes or {}),
        once=f"{what}:{who.user_id}:{once}"[:MAX_LENGTH] if once else None,
    )
    # `once` is unique: of two equal entries at one moment the database takes one.
    AuditEntry.objects.bulk_create([entry], ignore_conflicts=bool(once))


def log_changes(domain_id: int | None, what: str, about: str, changes: Changes) -> None:
    """As `log`, where anything changed at all."""
    if changes:
        log(domain_id, what, about, changes)


def snapshot(row: Model, *names: str) -> dict[str, Any]:
    """These columns of a row as they are now, to be compared later."""
    return {name: getattr(row, name) for name in names}


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Changes:
    """{name: [old, new]} of what differs."""
    return {name: [old, after[name]] for name, old in before.items() if old != after[name]}


def masked(changes: Changes) -> dict[str, Any]:
    """The changes as they may be kept: nothing secret, no endless texts, no NUL."""
    return {
        name: [MASK if is_secret(name, value) and value else jsonable(value) for value in pair]
        for name, pair in changes.items()
    }


def is_secret(name: str, value: object) -> bool:
    """Whether a value must not be kept, by its kind or by its name."""
    return isinstance(value, Sealed) or any(word in name for word in SECRET_WORDS)


def jsonable(value: object) -> Any:
    """A value as JSON holds it."""
    return value if value is None or isinstance(value, bool | int | float) else clean(str(value))


def clean(text: str) -> str:
    """Text that every database takes, of bounded length."""
    # PostgreSQL takes no NUL, and no database a lone surrogate.
    return text.replace("\0", "")[:MAX_LENGTH].encode("utf-8", "replace").decode()


def forget_old() -> int:
    """Drop entries past their time; the only way in which entries ever go."""
    old = AuditEntry.objects.filter(at__lt=timezone.now() - RETENTION)
    # The query set refuses to delete, so that no other code can.
    return int(old._raw_delete(old.db))
