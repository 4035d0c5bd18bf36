"""A newer message takes the place of an older one that still waits: after an outage nobody gets a pile of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard.notifications import mutes
from wallboard.notifications.deciding import timers
from wallboard.notifications.deciding.receivers import Receivers
from wallboard.notifications.models import Delivery, Destination, Mute, Notice

State = Delivery.State
HeldBack = Notice.HeldBack


@dataclass(frozen=True, slots=True)
class Unsent:
    """What waits for a destination: the deliveries, their batches, and the notices in them still worth telling, but
    for those that a mute holds back."""

    deliveries: list[int] = field(default_factory=list)
    batches: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    muted: list[int] = field(default_factory=list)


def unsent(
    domain: Domain, destinations: Sequence[Destination], receivers: Receivers, quiet: Sequence[Mute]
) -> Mapping[int, Unsent]:
    """What waits for each of these destinations and nobody is sending. Locked until the end of the transaction.

    A message that is muted as a whole is left out: it waits by itself (sending/renewing.py).
    """
    waiting = _waiting(domain, receivers.now).filter(destination__in=[each.pk for each in destinations])
    # A worker that takes one meanwhile holds its row; what it sends stays as it is.
    locked = list(waiting.order_by("pk").select_for_update(skip_locked=True, of=("self",)))
    found: dict[int, Unsent] = defaultdict(Unsent)
    if not locked:
        return found
    batches = {each.pk: [*each.earlier, str(each.batch)] for each in locked}
    by_batch: dict[str, list[Notice]] = defaultdict(list)
    for notice in _worth_telling({batch for some in batches.values() for batch in some}, receivers):
        by_batch[str(notice.batch)].append(notice)
    for each in locked:
        told = [notice for batch in batches[each.pk] for notice in by_batch[batch]]
        loud = [notice for notice in told if mutes.covering(quiet, notice.alert) is None]
        if loud or not told:
            one, kept = found[each.destination_id or 0], {notice.pk for notice in loud}
            one.deliveries.append(each.pk)
            one.batches.extend(batches[each.pk])
            one.notices.extend(loud)
            one.muted.extend(
                notice.pk for notice in told if notice.pk not in kept and notice.what != Notice.What.RESOLVED
            )
    return found


def replace(older: Mapping[int, Unsent], fresh: Iterable[Delivery], now: datetime) -> None:
    """End what waited for the destinations that get a newer message now, and is in it: unsent() read and locked it.

    What a sender gave back since is in none, so it stays and is sent by itself.
    """
    targets = {each.destination_id or 0 for each in fresh} & older.keys()
    # In the message nobody finds these: they are told when the mute ends.
    Notice.objects.filter(pk__in=[pk for target in targets for pk in older[target].muted]).update(batch=None)
    waiting = Delivery.objects.filter(pk__in=[pk for target in targets for pk in older[target].deliveries])
    waiting.update(content={}, state=State.DROPPED, outcome=_("went into a newer message"), ended_at=now)


def _waiting(domain: Domain, now: datetime) -> QuerySet[Delivery]:
    is_free = Q(leased_until=None) | Q(leased_until__lte=now)
    waiting = Delivery.objects.filter(is_free, domain=domain, state=State.WAITING, is_test=False)
    # A report is no alert: nothing that is newer says what it says.
    return waiting.exclude(content__has_key="html")


def _worth_telling(batches: Iterable[str], receivers: Receivers) -> list[Notice]:
    """The notices of these batches that are true now, and that their receivers may still hear; oldest first."""
    notices = Notice.objects.filter(Notice.STILL_TRUE, batch__in=list(batches)).select_related(
        "alert__queue", "person__user", "route"
    )
    return [
        each
        for each in notices.order_by("pk")
        if (each.person is None or receivers.held_back(each.person, each.alert) != HeldBack.LIMIT)
        and not timers.is_switched_off(each)
    ]
