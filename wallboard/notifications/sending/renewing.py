"""What a message says when it is tried again: some of it may be over by then, acknowledged, muted, or not to be seen.

What a mute keeps quiet is given back, to be told when the mute ends. Where the same person has had it at another
address, they would get it there twice, so then the message itself waits for that end.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from accounts.languages import choosing
from wallboard.notifications import mutes
from wallboard.notifications.deciding import batches, texts
from wallboard.notifications.deciding.receivers import Receivers
from wallboard.notifications.models import Delivery, Notice

HeldBack, State = Notice.HeldBack, Delivery.State


@dataclass(frozen=True, slots=True)
class Renewed:
    """What came of it: why the message is needless ("" where it is not), and whether it waits for the end of a mute."""

    needless: str = ""
    waits: bool = False


def renew(delivery: Delivery) -> Renewed:
    """Write anew what a message about alerts says, so that it is true now; its row stays as it is."""
    domain, now = delivery.domain, timezone.now()
    notices = Notice.objects.filter(batch__in=_batches(delivery), held_back="").order_by("pk")
    told = list(notices.select_related("alert__queue", "person__user", "route"))
    going = batches.still_true(told, Receivers(domain, now), list(mutes.open_now(domain.pk, now)))
    left_out = [each for each in told if each not in going]
    muted = [each for each in left_out if not each.held_back]
    was_sent = _others(delivery).filter(state=State.SENT).exists()
    if muted and not going and (was_sent or _is_being_sent_elsewhere(delivery, now)):
        return Renewed(waits=True)
    if not was_sent:
        for each in muted:
            each.batch = None
        batches.store(left_out if going else muted)
    if not going:
        # Without any left, another address of this person gave them back.
        return Renewed(str(HeldBack(told[-1].held_back if told and not muted else HeldBack.MUTED).label))
    if delivery.destination:
        with choosing.speaking(choosing.of_receiver(going[0].person, domain)):
            content = batches.Content(domain, texts.Writer(domain, now), going)
            delivery.content = content.of(delivery, delivery.destination)
    return Renewed()


def _batches(delivery: Delivery) -> list[str]:
    return [str(delivery.batch), *delivery.earlier]


def _others(delivery: Delivery) -> QuerySet[Delivery]:
    """The messages with the same notices to other addresses of the same receiver."""
    return Delivery.objects.filter(batch__in=_batches(delivery)).exclude(destination=delivery.destination_id)


def _is_being_sent_elsewhere(delivery: Delivery, now: datetime) -> bool:
    return _others(delivery).filter(state=State.WAITING, leased_until__gt=now).exists()
