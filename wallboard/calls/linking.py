"""Which of our phones dialled a number that somebody who waits to be linked was shown.

How a provider shows a number that leads nowhere is not documented: it may stand as it was dialled, inside a SIP
address, as the user of the far side, in any state and for a second only. So the digits count wherever they stand for
the called side. Who dialled them counts strictly: one of our extensions, on the first leg of the call, and nothing
that was forwarded or handed on, since then somebody else chose the number.
"""

import re
from collections.abc import Collection, Iterable
from datetime import timedelta

from django.utils import timezone

from accounts.models import Domain, LinkNumber
from accounts.signin import linking
from wallboard.calls import leg_store, legs, numbers
from wallboard.calls.models import Leg
from wallboard.calls.subscriptions import health, provider_domain

DIALLED = re.compile(r"\+?(\d{4})")
# A call may begin in the number's last second and be delivered some seconds later.
LOOKED_BACK = linking.VALIDITY + timedelta(minutes=1)


def taken(domain: Domain) -> set[str]:
    """Numbers that lead somewhere in this company, beside its people's extensions."""
    return leg_store.queue_numbers_of(domain)


def is_heard(domain: Domain) -> bool:
    """Whether call events come in, so that a call can be seen."""
    return health.of(domain.pk).state == "live"


def notice(domain_id: int, changed: Iterable[Leg]) -> None:
    """Tell of every leg whose called side is four digits; most are ordinary calls between colleagues."""
    dialled = {leg.pk: leg for leg in changed if digits(leg) and leg.from_user}
    if not dialled:
        return
    wanted = {number for leg in dialled.values() for number in digits(leg)}
    # One query for all of a batch: four digits are also how colleagues dial each other.
    shown = LinkNumber.objects.filter(domain_id=domain_id, number__in=wanted, until__gt=timezone.now() - LOOKED_BACK)
    awaited = set(shown.values_list("number", flat=True))
    if not awaited:
        return
    domain = Domain.objects.get(pk=domain_id)
    # A phone of another company at the provider may have the same extension.
    provider_domain.learn(domain)
    for leg in dialled.values():
        for number in digits(leg) & awaited:
            if is_own_dialling(leg, domain):
                linking.number_dialled(domain_id, number, leg.from_user, leg.first_seen_at)


def awaiting(domain_ids: Collection[int]) -> set[int]:
    """Of these companies those in which somebody was shown a number lately; in one query."""
    shown = LinkNumber.objects.filter(domain__in=domain_ids, until__gt=timezone.now() - LOOKED_BACK)
    return set(shown.values_list("domain_id", flat=True))


def look(domain: Domain) -> None:
    """The same from the database, for calls of which nobody could be told at the time."""
    recent = Leg.objects.filter(domain=domain, first_seen_at__gt=timezone.now() - linking.VALIDITY - LOOKED_BACK)
    notice(domain.pk, recent.exclude(from_user="").order_by("first_seen_at"))


def digits(leg: Leg) -> set[str]:
    """The four digits that the called side may stand for."""
    texts = (numbers.bare(text).partition("@")[0] for text in (leg.to_user, leg.to_number))
    return {found[1] for text in texts if (found := DIALLED.fullmatch(text))}


def is_own_dialling(leg: Leg, domain: Domain) -> bool:
    """Whether the phone of `from_user` itself placed this call, as far as the provider shows it."""
    # A queue dials nobody, and `by_call_id` says that somebody handed the call on.
    if leg.from_user in leg_store.queue_numbers_of(domain) or leg.by_call_id or legs.direction(leg) == "in":
        return False
    if not (_is_of_company(leg, domain) and _shows_itself(leg)):
        return False
    if leg.has_record and not leg.started_text:
        return False  # known by its record only, which may come at any time after the call
    # The first leg only: later ones are where the system, not the phone, sent the call.
    same_call = Leg.objects.filter(domain=domain, from_call_id=leg.from_call_id, first_seen_at__lt=leg.first_seen_at)
    return leg.from_call_id != "" and not same_call.exclude(pk=leg.pk).exists()


def _is_of_company(leg: Leg, domain: Domain) -> bool:
    """Whether no other domain is named for the phone. While ours is not known, any that is named is another."""
    # Names of hosts are equal in any case.
    return leg.from_domain.casefold() in ("", domain.provider_domain.casefold())


def _shows_itself(leg: Leg) -> bool:
    """Whether nothing but the phone itself stands for it: no number of a stranger whose call it sends on.

    Phones may be named after their extension, as `201` or `201-kitchen`. With `+` or without, as a SIP address or
    plain: anything else is somebody else's.
    """
    shown = numbers.bare(leg.from_number).partition("@")[0]
    rest = shown.removeprefix(leg.from_user)
    return shown in ("", leg.from_user) or (rest != shown and not rest[:1].isdigit())
