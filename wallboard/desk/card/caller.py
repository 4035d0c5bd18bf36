"""Who is calling, in words that can stand largest on the card."""

from copy import copy
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard.calls import legs, numbers
from wallboard.calls.models import Leg
from wallboard.contacts import caller_ids
from wallboard.contacts.models import Contact
from wallboard.contacts.safe_text import one_line
from wallboard.desk.card.call_history import Names

LONGEST = 120


@dataclass(frozen=True)
class Caller:
    """`name` is never empty; `number` is "" where it would only repeat the name, `dial` where nobody can call back."""

    name: str
    number: str
    dial: str
    is_withheld: bool
    is_internal: bool


def caller_of(domain: Domain, leg: Leg, known: Names) -> Caller:
    """The caller of a leg, as the person may see it whose phone it rings."""
    name = display_name(leg)
    # A colleague's name is ours to know, whatever the network sent.
    if legs.direction(leg) == "internal" and leg.from_user:
        return Caller(
            known.people.get(leg.from_user) or name or leg.from_user, leg.from_user, leg.from_user, False, True
        )
    if numbers.is_withheld(leg.from_number):
        return Caller(name or _("Number withheld"), _("withheld") if name else "", "", True, False)
    if numbers.is_removed(leg.from_number):
        return Caller(_("Number removed"), "", "", True, False)
    number = numbers.shown(leg.from_number, domain.country)[:LONGEST]
    if not name:
        return Caller(number, "", leg.caller_e164, False, False)
    return Caller(name, number, leg.caller_e164, False, False)


def swap_ends(leg: Leg) -> Leg:
    """A dialled leg with its ends exchanged, unsaved: whoever was called stands where a caller does."""
    # A copy: saving the other one must not turn the call round.
    seen = copy(leg)
    seen.from_user, seen.from_number, seen.from_name = leg.to_user, leg.to_number or leg.to_user, leg.to_name
    seen.to_user, seen.to_number, seen.to_name = leg.from_user, leg.from_number, leg.from_name
    return seen


def caller_id_of(domain: Domain, leg: Leg, known: Names) -> str:
    """The caller's address as contacts keep it; "" for a colleague and where it is withheld or was removed."""
    if leg.from_user and leg.from_user in known.people and legs.direction(leg) == "internal":
        return ""
    if numbers.is_removed(leg.from_number):
        return ""
    return leg.caller_e164 or caller_ids.normalize(leg.from_number, domain.country)


def with_contact_name(caller: Caller, contact: Contact | None) -> Caller:
    """The caller under the name that the company gave them; a number that stood for the name moves below it."""
    if contact is None:
        return caller
    return replace(caller, name=contact.name, number=caller.number or caller.name)


def display_name(leg: Leg) -> str:
    """The display name that came with the call, in one line; "" where it says nothing that the number does not."""
    return numbers.telling_name(one_line(leg.from_name)[:LONGEST], leg.from_number)
