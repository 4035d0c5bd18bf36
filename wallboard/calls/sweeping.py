"""What runs every few seconds so that nothing stays behind: deliveries, spools of dead processes, ghosts, names."""

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Domain
from accounts.signin import identity
from accounts.signin import linking as numbers_shown
from wallboard.calls import linking, publisher
from wallboard.calls.models import Delivery, EventGap, Forgetting, Leg, Record, Subscription
from wallboard.calls.presence import aging, new_queues
from wallboard.calls.subscriptions import provider_domain
from wallboard.calls.webhooks import intake, spool

log = logging.getLogger(__name__)
# Deliveries get in between two such pieces.
AT_ONCE = 500
# Callers go from a call and its notes first, at the company's midnight (wallboard/privacy/erasing.py). Not for longer:
# after a change of settings so much may be past its time that it is better deleted right away.
WAIT_FOR_FORGETTING = timedelta(days=2)
KEEP_DELIVERIES = timedelta(days=7)  # raw bodies hold personal data and serve only to look into a fault of this week


def take_over() -> None:
    """Apply what was kept and never applied, and take over orphaned spools."""
    # First what is in the database already: spools may be long.
    publisher.publish_changes(apply_leftovers())
    spool.replay_orphans(lambda piece: publisher.publish_changes(intake.commit(piece)))


def sweep(domain_ids: Collection[int]) -> None:
    """End what nobody heard of any more at these companies, and learn from their calls; asked first, of all of them at
    once, where there is anything to do."""
    for changes in aging.refresh(aging.outdated(domain_ids)):
        publisher.publish_changes(changes)
    steps: list[tuple[Callable[[Domain], object], set[int]]] = [
        (provider_domain.learn, provider_domain.unknown(domain_ids)),
        (linking.look, linking.awaiting(domain_ids)),
        (_put_right, new_queues.mistaken(domain_ids)),
    ]
    for domain in Domain.objects.filter(pk__in=set().union(*(due for _, due in steps))).order_by("pk"):
        for step, due in steps:
            if domain.pk in due:
                step(domain)


def _put_right(domain: Domain) -> None:
    for changes in new_queues.put_right(domain):
        publisher.publish_changes({domain.pk: changes})


def apply_leftovers() -> intake.ChangesByDomain:
    """Deliveries that are in the database and not applied; those with a known problem stay as they are."""
    changes: intake.ChangesByDomain = {}
    while rows := list(
        Delivery.objects.filter(applied_at=None, problem="").select_related("subscription").order_by("pk")[:AT_ONCE]
    ):
        # Each gets applied or gets a problem, so the loop ends.
        intake.merge_changes(changes, intake.reapply(rows))
        log.warning("%d deliveries that had been kept are applied now.", len(rows))
    return changes


def delete_expired() -> None:
    """Delete what is past its time."""
    now = timezone.now()
    _delete(Delivery.objects.filter(received_at__lt=now - KEEP_DELIVERIES))
    for domain in Domain.objects.all():
        _delete_calls(domain, now - timedelta(days=domain.log_kept_days))
    gone = Subscription.objects.filter(state=Subscription.State.RETIRED, provider_id="")
    # After its deliveries, which it would take along.
    gone.filter(retired_at__lt=now - KEEP_DELIVERIES).delete()
    identity.forget_old_probes()
    numbers_shown.forget_old()


def _delete_calls(domain: Domain, before: datetime) -> None:
    Forgetting.objects.get_or_create(domain=domain, defaults={"calls_until": before - WAIT_FOR_FORGETTING})
    # Said first: a day that is half deleted is none without calls. The latest stays where they are kept for longer now.
    row = Forgetting.objects.filter(domain=domain)
    row.filter(Q(deleted_until=None) | Q(deleted_until__lt=before)).update(deleted_until=before)
    of_company = Record.objects.filter(domain=domain)
    _delete(of_company.filter(started_at__lt=before))
    _delete(of_company.filter(started_at=None, received_at__lt=before))
    # By the end: a leg that still lives is never old.
    old = Leg.objects.filter(domain=domain, ended_at__lt=before)
    _delete(old.filter(Q(forgotten_at__isnull=False) | Q(ended_at__lt=before - WAIT_FOR_FORGETTING)))
    # As long as the calls that they are missing from.
    _delete(EventGap.objects.filter(domain=domain, until__lt=before))


def _delete(rows: QuerySet[Any]) -> None:
    """Delete them a few at a time: on SQLite deliveries wait for whoever writes."""
    while ids := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
        rows.model._default_manager.filter(pk__in=ids).delete()
