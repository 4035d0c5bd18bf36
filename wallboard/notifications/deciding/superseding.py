"""A newer message takes the place of an older one that still waits: after an outage nobody gets a pile of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Domain
from wallboard.notifications.deciding.receivers import Receivers
from wallboard.notifications.models import Delivery, Destination, Notice

State = Delivery.State
HeldBack = Notice.HeldBack


@dataclass(frozen=True, slots=True)
class Unsent:
    """What waits for a destination: the batches, and the notices in them that are still worth telling."""

    batches: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


def unsent(domain: Domain, destinations: Sequence[Destination], receivers: Receivers) -> Mapping[int, Unsent]:
    """What waits for each of these destinations and nobody is sending. Locked until the end of the transaction."""
    waiting = _waiting(domain, receivers.now).filter(destination__in=[each.pk for each in destinations])
    found: dict[int, Unsent] = defaultdict(Unsent)
    # A worker that takes one meanwhile holds its row; what it sends stays as it is.
    for each in waiting.order_by("pk").select_for_update(skip_locked=True, of=("self",)):
        found[each.destination_id or 0].batches.extend([*each.earlier, str(each.batch)])
    if not found:
        return found
    batches = {batch for each in found.values() for batch in each.batches}
    by_batch: dict[str, list[Notice]] = defaultdict(list)
    for notice in _worth_telling(batches, receivers):
        by_batch[str(notice.batch)].append(notice)
    for one in found.values():
        one.notices.extend(notice for batch in one.batches for notice in by_batch[batch])
    return found


def replace(domain: Domain, fresh: Iterable[Delivery], now: datetime) -> None:
    """End what waited for the destinations that get a newer message now; runs before that is stored."""
    targets = [each.destination_id for each in fresh]
    waiting = _waiting(domain, now).filter(destination__in=targets)
    waiting.update(content={}, state=State.DROPPED, outcome=_("went into a newer message"), ended_at=now)


def _waiting(domain: Domain, now: datetime) -> QuerySet[Delivery]:
    is_free = Q(leased_until=None) | Q(leased_until__lte=now)
    waiting = Delivery.objects.filter(is_free, domain=domain, state=State.WAITING, is_test=False)
    # A report is no alert: nothing that is newer says what it says.
    return waiting.exclude(content__has_key="html")


def _worth_telling(batches: Iterable[str], receivers: Receivers) -> list[Notice]:
    """The notices of these batches that are true now, and that their receivers may still see; oldest first."""
    is_true = Q(what=Notice.What.RESOLVED) | Q(alert__ended_at=None, alert__acknowledged_at=None)
    notices = Notice.objects.filter(is_true, batch__in=list(batches)).select_related("alert__queue", "person__user")
    return [
        each
        for each in notices.order_by("pk")
        if each.person is None or receivers.held_back(each.person, each.alert) != HeldBack.LIMIT
    ]
