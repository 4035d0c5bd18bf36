"""A document becomes a company's configuration: all of it or nothing, and only what differs is touched.

What the document does not name stays: no queue, team, route, board or rotation is removed.
"""

from dataclasses import dataclass

import msgspec
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy
from msgspec import UNSET

from accounts import audit
from accounts.models import Domain
from wallboard.configuration import comparing, exporting, setters
from wallboard.configuration.comparing import Difference
from wallboard.configuration.document import Configuration, NotUnderstood, check_texts
from wallboard.configuration.places import Place, Wrong
from wallboard.contacts.address_book import InvalidInput

LEFT_OUT = gettext_lazy(
    "These places name TVs or destinations that are not here: %(places)s. Pair or add them, and import again."
)


@dataclass(frozen=True)
class _Section:
    name: str
    set_it: setters.Setter


SECTIONS = tuple(_Section(name, set_it) for name, set_it in setters.IN_ORDER.items())


class _Enough(Exception):
    """A dry run has seen all: what it did is taken back."""


def take(
    domain: Domain, wanted: Configuration, *, is_dry: bool = False, left_out: list[str] | None = None
) -> list[Difference]:
    """Set what the document says; gives what that changes. Raises NotUnderstood, and then nothing has changed.

    `left_out` is filled with the places of what no document can make: TVs to be paired, destinations to be entered.
    """
    found: list[Difference] = []
    left_out = [] if left_out is None else left_out
    try:
        check_texts(msgspec.to_builtins(wanted))
    except RecursionError:  # some versions of Python let the decoder go deeper than what is written in Python
        raise NotUnderstood("nested too deeply", is_technical=True) from None
    try:
        with transaction.atomic():
            domain = Domain.objects.select_for_update(no_key=True).get(pk=domain.pk)
            before = exporting.export(domain)
            for section in SECTIONS:
                left_out += _set(section, domain, wanted, before)
            domain.refresh_from_db()
            found = comparing.differences(before, exporting.export(domain))
            if is_dry:
                raise _Enough
            if found:
                audit.log(domain.pk, "configuration imported", domain.slug, {"places": ["", str(len(found))]})
    except _Enough:
        pass
    return found


def _set(section: _Section, domain: Domain, wanted: Configuration, before: Configuration) -> list[str]:
    value, present = getattr(wanted, section.name), getattr(before, section.name)
    if value is UNSET or value == present:
        return []
    place = Place(f"$.{section.name}")
    try:
        section.set_it(domain, value, present, place)
    except ValidationError as error:
        raise NotUnderstood(" ".join(error.messages), place.path) from None
    except (Wrong, InvalidInput, ValueError) as error:
        raise NotUnderstood(str(error), place.path) from None
    return place.left_out
