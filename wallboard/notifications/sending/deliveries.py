"""Sending what was decided: each delivery under a lease, tried again after a pause, given up after an hour.

At least once: a delivery is taken for a time, and who takes it may die. Then its lease ends and another one sends it
again, under the same id. What a channel does is bounded in time by the channel itself.
"""

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.access import Viewer, viewer_of
from accounts.encryption import WrongKey
from accounts.languages.choosing import of_company, speaking
from accounts.limits import Limit
from accounts.models import Person
from wallboard.notifications import destinations
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.deciding.timers import LOOK_AGAIN
from wallboard.notifications.messages import Message
from wallboard.notifications.models import Channel, Delivery, Destination, Notice
from wallboard.notifications.sending import renewing

log = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)  # longer than any channel may take for one try
GIVE_UP_AFTER = timedelta(hours=1)  # an alert that is older helps nobody
GIVE_UP_PAGES_AFTER = timedelta(days=1)  # a report still does
FRESH = timedelta(seconds=30)  # what was decided just now is true
MOST_PER_PAIR = 4  # at once: a mail server that hangs delays only its own company's mail
PAUSES_SECONDS = (5, 15, 45, 120, 300, 600)
State = Delivery.State
Pair = tuple[int, str]  # company and channel


@dataclass(frozen=True, slots=True)
class Busy:
    """What this process sends already: to these destinations, and how many for each pair of company and channel."""

    destinations: Collection[int] = ()
    pairs: Mapping[Pair, int] = field(default_factory=dict)


def claim(most: int, busy: Busy) -> list[Delivery]:
    """Take up to so many deliveries that are due, the oldest first: one for a destination, a few for each pair."""
    now = timezone.now()
    is_free = Q(leased_until=None) | Q(leased_until__lte=now) | Q(leased_until__gt=now + 2 * LEASE)  # a clock set back
    due = Delivery.objects.filter(is_free, state=State.WAITING, due_at__lte=now, domain__is_active=True)
    due = due.exclude(destination__in=list(busy.destinations))
    for domain_id, channel in (pair for pair, count in busy.pairs.items() if count >= MOST_PER_PAIR):
        due = due.exclude(domain_id=domain_id, channel=channel)
    if not due.exists():  # most often: without a lock on the database
        return []
    with transaction.atomic():
        found = due.order_by("due_at", "pk").select_for_update(skip_locked=True, of=("self",))[: most * 4]
        ids, lease = [each.pk for each in _fairly(found, busy)][:most], uuid4()
        Delivery.objects.filter(pk__in=ids).update(lease=lease, leased_until=now + LEASE, tries=F("tries") + 1)
    return list(Delivery.objects.filter(pk__in=ids).select_related("destination__person__user", "domain"))


def _fairly(found: Iterable[Delivery], busy: Busy) -> Iterator[Delivery]:
    """One for each destination, and no more for a pair than there is room for."""
    destinations, counts = set(), Counter(busy.pairs)
    for each in found:
        pair = (each.domain_id, each.channel)
        if each.destination_id not in destinations and counts[pair] < MOST_PER_PAIR:
            destinations.add(each.destination_id)
            counts[pair] += 1
            yield each


def deliver(delivery: Delivery) -> None:
    """Try once, and store what came of it, in the company's language; what nobody needs to hear is not sent."""
    with speaking(of_company(delivery.domain)):
        _deliver(delivery)


def _deliver(delivery: Delivery) -> None:
    reason = why_needless(delivery)
    # A report says what was; everything else has to be true now.
    if not (reason or _is_new(delivery) or "html" in delivery.content):
        renewed = renewing.renew(delivery)
        if renewed.waits:
            _postpone(delivery)
            return
        reason = renewed.needless
    if reason:
        _finish(delivery, State.DROPPED, reason)
        return
    try:
        outcome = handed_over(delivery)
    except NotSent as failure:
        _failed(delivery, failure)
    else:
        _finish(delivery, State.SENT, outcome)
        if delivery.destination:
            destinations.record(delivery.destination, outcome, is_good=True)


def why_needless(delivery: Delivery) -> str:
    """Why nobody may get this message any more; "" where somebody may, as nearly always."""
    destination = delivery.destination
    if destination is not None and destination.person_id is not None and not destinations.has_owner(destination):
        return _("this person has no sign-in any more")
    if not _may_still_see(delivery):
        return str(Notice.HeldBack.LIMIT.label)
    return ""


def _is_new(delivery: Delivery) -> bool:
    """Whether what it says was looked at just now."""
    return delivery.is_test or (delivery.tries <= 1 and timezone.now() - delivery.created_at < FRESH)


def seen_by(viewer: Viewer) -> dict[str, Any]:
    """For the `data` of a page: what its reader may see as it is made, since it may wait for a day until it is sent."""
    return {"seen": [None if each is None else sorted(each) for each in (viewer.limit.queues, viewer.limit.people)]}


def _may_still_see(delivery: Delivery) -> bool:
    seen = delivery.content.get("data", {}).get("seen")
    if seen is None or delivery.destination is None:
        return True
    person = delivery.destination.person
    viewer = viewer_of(person.user) if person and person.user else None
    then = Limit(*(None if each is None else frozenset(each) for each in seen))
    return viewer is not None and viewer.may(Person.Role.SUPERVISOR) and viewer.limit.covers(then)


def handed_over(delivery: Delivery) -> str:
    """Hand the message to its channel: what the other side said. Raises NotSent."""
    destination = delivery.destination
    if destination is None:
        raise NotSent(_("the destination was removed"), is_final=True)
    if not destination.is_enabled and not delivery.is_test:
        raise NotSent(_("the destination was switched off"), is_final=True)
    return send(destination, Message(id=delivery.uid.hex, **delivery.content))


def send(destination: Destination, message: Message) -> str:
    """Send over the channel of a destination: what the other side said, without its address. Raises NotSent."""
    is_mail = destination.channel == Channel.EMAIL  # mail servers like to repeat to whom they were to send
    try:
        words = str(_channel(destination).send(address_of(destination), message))
        return destinations.masked(words) if is_mail else words
    except NotSent as failure:
        if is_mail:
            raise NotSent(destinations.masked(failure.reason), is_final=failure.is_final) from failure
        raise
    except WrongKey as error:
        raise NotSent(str(error)) from error
    except Exception as error:
        log.exception("The channel %s failed", destination.channel)
        raise NotSent(_("internal error (%(kind)s); see the log") % {"kind": type(error).__name__}) from error


def address_of(destination: Destination) -> Any:
    """The address as its channel takes it: e-mail also needs to know whose mail server to use."""
    address = destinations.open_address(destination)
    if destination.channel == Channel.EMAIL:
        return {"to": address, "domain_id": destination.domain_id}
    return address


def _channel(destination: Destination) -> Any:
    # Only the channels that are in use are imported: their libraries are large.
    return import_module(f"wallboard.notifications.channels.{Channel(destination.channel).value}")


def _failed(delivery: Delivery, failure: NotSent) -> None:
    now, reason = timezone.now(), failure.reason
    pause = timedelta(seconds=PAUSES_SECONDS[min(delivery.tries, len(PAUSES_SECONDS)) - 1])
    keeps = GIVE_UP_PAGES_AFTER if "html" in delivery.content else GIVE_UP_AFTER
    is_over = failure.is_final or delivery.is_test or now + pause > delivery.created_at + keeps
    if is_over:
        _finish(delivery, State.GIVEN_UP, reason)
    else:
        _mine(delivery).update(due_at=now + pause, outcome=reason[:300], lease=None, leased_until=None)
    if delivery.destination is None or not delivery.destination.is_enabled:
        return
    if failure.is_final:
        destinations.give_up(delivery.destination, reason)
    else:
        destinations.record(delivery.destination, reason, is_good=False)


def _postpone(delivery: Delivery) -> None:
    """Look again soon, as if it had not been taken: a mute may end at any time."""
    _mine(delivery).update(due_at=timezone.now() + LOOK_AGAIN, tries=F("tries") - 1, lease=None, leased_until=None)


def _finish(delivery: Delivery, state: str, outcome: str) -> None:
    values = {"state": state, "outcome": outcome[:300], "ended_at": timezone.now()}
    title = {"title": delivery.content.get("title", "")}  # for the list of messages; the rest was for the receiver
    _mine(delivery).update(**values, content=title, lease=None, leased_until=None)


def _mine(delivery: Delivery) -> Any:
    """Its row, unless another one has taken it meanwhile."""
    return Delivery.objects.filter(pk=delivery.pk, lease=delivery.lease, state=State.WAITING)
