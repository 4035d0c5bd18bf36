"""Calls that hang: live by our events, without news for long, and cleared by a supervisor who knows that they are over.

What the provider tells later still counts: its detail record says how the call really went.
"""

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.limits import Limit
from accounts.models import Domain
from wallboard.calls import documents, leg_store, legs, numbers, publisher, visible_calls
from wallboard.calls.leg_store import Changes
from wallboard.calls.log.newest import CALL_OF
from wallboard.calls.models import Leg
from wallboard.calls.presence import aging


def clear(domain: Domain, leg_id: int, limit: Limit) -> int | None:
    """End all that hangs of this leg's call, on every open page at once; gives how many legs did, 0 where there came
    news of it meanwhile. None for a call that does not exist or that somebody with this limit may not see.
    """
    with transaction.atomic():
        # Before the legs are read: a delivery that is under way may be the very news that makes clearing wrong.
        [domain] = leg_store.lock_domains([domain.pk])
        of_domain = Leg.objects.filter(domain=domain)
        leg = visible_calls.shown(of_domain.filter(pk=leg_id), domain.pk, limit).first()
        # The same answer for a foreign call as for none, so that ids tell nothing.
        if leg is None:
            return None
        of_call = of_domain.annotate(call=CALL_OF).filter(call=documents.call_of(leg))
        hanging: list[Leg] = list(aging.without_news(of_call).order_by("pk"))
        if hanging:
            _end(domain, hanging)
    return len(hanging)


def _end(domain: Domain, hanging: list[Leg]) -> None:
    now = timezone.now()
    for leg in hanging:
        legs.apply_facts(leg, legs.closed(legs.facts_of_leg(leg), now))
        audit.log(domain.pk, "call cleared", _named(leg))
    leg_store.save(domain, hanging)
    leg_store.note_past(domain, hanging)
    rows = {leg.pk: leg for leg in hanging}
    presences = leg_store.refresh_presences(domain, hanging, leg_store.queue_numbers_of(domain))
    # As after a delivery, so that boards, desks and people hear of it in the one way they know.
    changes = {domain.pk: Changes(rows, dict(rows), presences)}
    transaction.on_commit(lambda: publisher.publish_changes(changes), robust=True)


def _named(leg: Leg) -> str:
    """The call as entries name it: our own phones and queues in full, a stranger's number masked."""
    ends = (leg.from_user or numbers.masked(leg.from_number), leg.to_user or numbers.masked(leg.to_number))
    return " → ".join(ends)
