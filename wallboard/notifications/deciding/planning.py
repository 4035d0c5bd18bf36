"""What became of alerts becomes messages: decided once, in one transaction, whichever worker does it.

The events of alerts were stored with the alerts; here they turn into timers, timers into notices, and notices into
deliveries (batches.py). All of it is stored before anything is sent, so a worker may die at any moment.
"""

import logging
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.languages.choosing import of_company, speaking
from accounts.models import Domain
from wallboard.alerts.models import Alert, AlertEvent
from wallboard.notifications.deciding import batches, timers
from wallboard.notifications.deciding.receivers import Receivers
from wallboard.notifications.models import Notice, PlanningState

log = logging.getLogger(__name__)
What = AlertEvent.What
MOST_EVENTS = 2000  # at once; the rest is taken by the next run, a moment later


def domains_with_work(now: datetime) -> list[int]:
    """The companies for which there may be something to decide."""
    events = AlertEvent.objects.filter(handled_at=None).values_list("alert__domain_id", flat=True)
    due = timers.due_by(now).values_list("alert__domain_id", flat=True)
    waiting = Notice.objects.filter(batch=None, held_back="").values_list("domain_id", flat=True)
    return sorted({*events.distinct(), *due.distinct(), *waiting.distinct()})


def is_behind(domain_id: int) -> bool:
    """Whether something became of the company's alerts that was not decided yet. Most often not: it takes no lock."""
    return AlertEvent.objects.filter(handled_at=None, alert__domain=domain_id, alert__domain__is_active=True).exists()


def run_all(now: datetime) -> None:
    """Decide for every company that has something; one that fails does not keep the others from it."""
    for domain in Domain.objects.filter(pk__in=domains_with_work(now), is_active=True):
        try:
            run(domain)
        except Exception:
            log.exception("The messages of domain %d could not be decided", domain.pk)


def run(domain: Domain) -> int:
    """Decide whatever there is to decide now; gives the number of messages."""
    PlanningState.objects.get_or_create(domain=domain)  # the row that the lock below is taken on
    with speaking(of_company(domain)), transaction.atomic():
        PlanningState.objects.select_for_update().get(domain=domain)
        now = timezone.now()
        _take_in(domain, now)
        Notice.objects.bulk_create(timers.fire(domain, now), batch_size=500)
        return batches.make(domain, now)


def _take_in(domain: Domain, now: datetime) -> None:
    unhandled = AlertEvent.objects.filter(handled_at=None, alert__domain=domain)
    events = list(unhandled.select_related("alert__queue").order_by("pk")[:MOST_EVENTS])
    if not events:
        return
    timers.begin(domain, [each for each in events if each.what in (What.RAISED, What.LEVEL)])
    over = {each.alert_id: each.alert for each in events if each.what in (What.ENDED, What.ACKNOWLEDGED)}
    timers.end(over.values())
    _resolve(domain, [each.alert for each in events if each.what == What.ENDED], now)
    AlertEvent.objects.filter(pk__in=[each.pk for each in events]).update(handled_at=now)


def _resolve(domain: Domain, ended: Iterable[Alert], now: datetime) -> None:
    """Whoever was told that it began is told that it is over."""
    # One that got worse after somebody had taken it is raised anew in the same breath: it is not over.
    over = [each for each in ended if each.ended_why != Alert.Ended.WORSE]
    if not over:
        return
    receivers = Receivers(domain, now)
    told = Notice.objects.filter(alert__in=[each.pk for each in over]).exclude(batch=None).order_by("pk")
    told = told.exclude(person=None, destination=None)  # removed meanwhile
    fresh: dict[tuple[int, tuple[str, int]], Notice] = {}
    for each in told.select_related("alert__queue", "person", "route"):
        held_back = receivers.held_back(each.person, each.alert) if each.person else ""
        wants = each.person_id is None or receivers.wants_resolved(each.person_id)
        wants = wants and held_back != Notice.HeldBack.LIMIT and (each.route is None or each.route.tells_resolved)
        if wants and each.what != Notice.What.RESOLVED:
            fresh[each.alert_id, each.receiver] = Notice(
                alert=each.alert,
                domain=domain,
                person_id=each.person_id,
                destination_id=each.destination_id,
                what=Notice.What.RESOLVED,
                told=each.told,
                route_id=each.route_id,
                route_name=each.route_name,
                held_back=held_back,
            )
    Notice.objects.bulk_create(fresh.values(), batch_size=500)
