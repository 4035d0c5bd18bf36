"""Which of our phones dialled a number that somebody who waits to be linked was shown.

How a provider shows a number that leads nowhere is not documented: it may stand as it was dialled, inside a SIP
address, as the user of the far side, in any state and for a second only. So the digits count wherever they stand for
the called side. Who dialled them counts strictly: one of our extensions, on the first leg of the call, and nothing
that was forwarded or handed on, since then somebody else chose the number.
"""

import re
from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from accounts import linking
from accounts.models import Domain, LinkNumber
from wallboard.calls import health, ledger, legs, numbers
from wallboard.calls.models import Leg

DIALLED = re.compile(r"\+?(\d{4})")
LOOKED_BACK = linking.VALID + timedelta(minutes=1)


def taken(domain: Domain) -> set[str]:
    """Numbers that lead somewhere in this company, beside its people's extensions."""
    return ledger.queue_numbers_of(domain)


def is_heard(domain: Domain) -> bool:
    """Whether call events come in, so that a call can be seen."""
    return health.of(domain.pk).state == "live"


def notice(domain_id: int, changed: Iterable[Leg]) -> None:
    """Tell of every leg whose called side is four digits; most are ordinary calls between colleagues."""
    dialled = {leg.pk: leg for leg in changed if digits(leg) and leg.from_user}
    if not dialled:
        return
    wanted = {number for leg in dialled.values() for number in digits(leg)}
    shown = LinkNumber.objects.filter(domain_id=domain_id, number__in=wanted, until__gt=timezone.now() - LOOKED_BACK)
    asked_for = set(shown.values_list("number", flat=True))
    if not asked_for:
        return
    domain = Domain.objects.get(pk=domain_id)
    for leg in dialled.values():
        for number in digits(leg) & asked_for:
            if is_own_dialling(leg, domain):
                linking.heard(domain_id, number, leg.from_user, leg.first_seen_at)


def look(domain: Domain) -> None:
    """The same from the database, for calls of which nobody could be told at the time."""
    now = timezone.now()
    if LinkNumber.objects.filter(domain=domain, until__gt=now - LOOKED_BACK).exists():
        recent = Leg.objects.filter(domain=domain, first_seen_at__gt=now - linking.VALID - LOOKED_BACK)
        notice(domain.pk, recent.exclude(from_user="").order_by("first_seen_at"))


def digits(leg: Leg) -> set[str]:
    """The four digits that the called side may stand for."""
    told = (numbers.bare(text).partition("@")[0] for text in (leg.to_user, leg.to_number))
    return {found[1] for text in told if (found := DIALLED.fullmatch(text))}


def is_own_dialling(leg: Leg, domain: Domain) -> bool:
    """Whether the phone of `from_user` itself placed this call, as far as the provider shows it."""
    if leg.from_user in ledger.queue_numbers_of(domain) or leg.by_call_id or legs.direction(leg) == "in":
        return False
    if leg.on_net is False and leg.from_number.startswith("+"):
        return False  # a stranger's call that this phone sends on
    ours = domain.provider_domain.casefold()
    if ours and leg.from_domain and leg.from_domain.casefold() != ours:
        return False
    if leg.has_record and not leg.started_text:
        return False  # known by its record only, which may come at any time after the call
    same_call = Leg.objects.filter(domain=domain, from_call_id=leg.from_call_id, first_seen_at__lt=leg.first_seen_at)
    return leg.from_call_id != "" and not same_call.exclude(pk=leg.pk).exists()
