"""Calls that hang: live by our events, without news for long, and cleared by a supervisor who knows that they are over.

What the provider tells later still counts: its detail record says how the call really went.
"""

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.limits import Limit
from accounts.models import Domain
from wallboard.calls import ledger, legs, news, numbers, publisher, within
from wallboard.calls.ledger import News
from wallboard.calls.log import CALL_OF
from wallboard.calls.models import Leg


def clear(domain: Domain, leg_id: int, sight: Limit) -> int | None:
    """End all that hangs of this leg's call, on every open page at once; gives how many legs did, 0 where there came
    news of it meanwhile. None for a call that does not exist or that somebody with this limit may not see.
    """
    with transaction.atomic():
        [domain] = ledger.locked([domain.pk])
        of_domain = Leg.objects.filter(domain=domain)
        leg = within.shown(of_domain.filter(pk=leg_id), domain.pk, sight).first()
        if leg is None:
            return None
        of_call = of_domain.annotate(call=CALL_OF).filter(call=news.call_of(leg))
        hanging: list[Leg] = list(of_call.filter(ended_at=None, is_unconfirmed=True).order_by("pk"))
        if hanging:
            _end(domain, hanging)
    return len(hanging)


def _end(domain: Domain, hanging: list[Leg]) -> None:
    now = timezone.now()
    for leg in hanging:
        legs.write(leg, legs.given_up(legs.facts_of(leg), now))
        audit.note(domain.pk, "call cleared", _named(leg))
    ledger.save(hanging)
    rows = {leg.pk: leg for leg in hanging}
    presences = ledger.refresh_parties(domain, hanging, ledger.queue_numbers_of(domain))
    told = {domain.pk: News(rows, dict(rows), presences)}
    transaction.on_commit(lambda: publisher.tell(told), robust=True)


def _named(leg: Leg) -> str:
    """The call as entries name it: our own phones and queues in full, a stranger's number masked."""
    ends = (leg.from_user or numbers.masked(leg.from_number), leg.to_user or numbers.masked(leg.to_number))
    return " → ".join(ends)
