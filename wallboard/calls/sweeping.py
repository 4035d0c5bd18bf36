"""What runs every few seconds so that nothing stays behind: deliveries, spools of dead processes, ghosts, names."""

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts import identity
from accounts import linking as numbers_shown
from accounts.models import Domain
from wallboard.calls import intake, ledger, legs, linking, presence, publisher, spool
from wallboard.calls.ledger import News
from wallboard.calls.models import Delivery, Leg, Record, Subscription

log = logging.getLogger(__name__)
UNCONFIRMED_AFTER = timedelta(minutes=10)  # without news of a live leg nobody can say that it still lives
GIVEN_UP_AFTER = timedelta(hours=2)  # long enough for nearly every call; its detail record corrects the end
AT_ONCE = 500
KEEP_DELIVERIES = timedelta(days=7)  # raw bodies hold personal data and serve only to look into a fault of this week
KEEP_CALLS = timedelta(days=400)  # a year of history, and some weeks to compare it with


def sweep() -> None:
    """Apply what was kept and never applied, take over orphaned spools, and end what nobody heard of any more."""
    publisher.tell(apply_leftovers())
    spool.replay_orphans(lambda piece: publisher.tell(intake.commit(piece)))
    for domain in Domain.objects.filter(is_active=True).order_by("pk"):
        publisher.tell({domain.pk: tidy(domain)})
        linking.look(domain)


def apply_leftovers() -> intake.Told:
    """Deliveries that are in the database and not applied; those with a known problem stay as they are."""
    told: intake.Told = {}
    while rows := list(
        Delivery.objects.filter(applied_at=None, problem="").select_related("subscription").order_by("pk")[:AT_ONCE]
    ):
        intake.join(told, intake.reapply(rows))
        log.warning("%d deliveries that had been kept are applied now.", len(rows))
    return told


def tidy(domain: Domain) -> News:
    """Mark live legs without news, end those nobody heard of for long, and bring everyone's presence up to date."""
    now = timezone.now()
    with transaction.atomic():
        [domain] = ledger.locked([domain.pk])
        queue_numbers = ledger.queue_numbers_of(domain)
        changed = [leg for leg in _live(domain) if _age(leg, domain, queue_numbers)]
        ledger.save(changed)
        told = presence.refresh_all(domain, queue_numbers, now)
    legs_told = {leg.pk: leg for leg in changed}
    return News(legs_told, dict(legs_told), {row.person.extension: row for row in told})


def forget_old() -> None:
    """Delete what is past its time."""
    now = timezone.now()
    Delivery.objects.filter(received_at__lt=now - KEEP_DELIVERIES).delete()
    Record.objects.filter(received_at__lt=now - KEEP_CALLS).delete()
    Leg.objects.filter(ended_at__lt=now - KEEP_CALLS).delete()
    gone = Subscription.objects.filter(state=Subscription.State.RETIRED, provider_id="")
    gone.filter(retired_at__lt=now - KEEP_DELIVERIES).delete()
    identity.forget_old_probes()
    numbers_shown.forget_old()


def _live(domain: Domain) -> list[Leg]:
    return list(Leg.objects.filter(domain=domain, ended_at=None).order_by("pk"))


def _age(leg: Leg, domain: Domain, queue_numbers: set[str]) -> bool:
    """Write what time and newly known queues make of a live leg into it; True when that is news."""
    silent_for = timezone.now() - leg.heard_at
    before = leg.is_unconfirmed, leg.queue, leg.ended_at
    leg.is_unconfirmed = silent_for >= UNCONFIRMED_AFTER
    ledger.place(leg, domain, queue_numbers)
    if silent_for >= GIVEN_UP_AFTER:
        legs.write(leg, legs.given_up(legs.facts_of(leg), timezone.now()))
    return before != (leg.is_unconfirmed, leg.queue, leg.ended_at)
