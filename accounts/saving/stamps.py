"""Forms that two people have open at once: a stamp says what a form was made from.

Whoever sends a form with the stamp of something that has changed since is refused, once, and keeps what they wrote.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

M = TypeVar("M", bound=Model)


class Changed(Exception):
    """Somebody else saved meanwhile: the text says what to do, `stamp` is for the form as it is shown again."""

    def __init__(self, stamp: str) -> None:
        super().__init__(
            _(
                "Somebody else changed this meanwhile, and nothing of yours is saved yet. The form holds what you "
                "wrote: look in another tab at what is stored now, then save again."
            )
        )
        self.stamp = stamp


def of(values: object) -> str:
    """Changes whenever these values do. Keyed, since it stands in pages that need not show all of them."""
    return salted_hmac("stamp", repr(values), algorithm="sha256").hexdigest()[:16]


def shown(request: HttpRequest, values: object) -> str:
    """What the form is to carry: a form that comes back for a mistake or a preview keeps the stamp it was sent with."""
    return request.POST.get("stamp") or of(values)


@contextmanager
def saving(request: HttpRequest, row: M, values: Callable[[M], object]) -> Iterator[M]:
    """The row as it is now, locked; all is saved or nothing. Raises Changed where the form shows other values.

    A form without a stamp is of a page from before there were any, and is taken as it is.
    """
    with transaction.atomic():
        # no_key: rows that point at this one, as those of calls do at a company, need not wait.
        locked = get_object_or_404(type(row)._default_manager.select_for_update(no_key=True), pk=row.pk)
        now = of(values(locked))
        if request.POST.get("stamp", now) != now:
            raise Changed(now)
        yield locked
