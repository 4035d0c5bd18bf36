"""From notices to messages: what waits for one receiver is one message, and nobody gets more than one a minute."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db.models import Q, QuerySet
from django.utils.translation import get_language

from accounts.companies import addresses
from accounts.languages import choosing
from accounts.models import Domain
from wallboard.notifications import destinations, links, mutes
from wallboard.notifications.deciding import pages, superseding, texts, timers
from wallboard.notifications.deciding.receivers import Receivers
from wallboard.notifications.deciding.superseding import Unsent
from wallboard.notifications.models import Channel, Delivery, Destination, LastMessage, Mute, Notice

MOST_AT_ONCE = 900  # ids in one statement
MOST_IDS = 100  # of alerts in a push message
PAUSE = timedelta(seconds=60)  # between two messages to one receiver
What, HeldBack = Notice.What, Notice.HeldBack
Receiver = tuple[str, int]


def make(domain: Domain, now: datetime) -> int:
    """Turn what waits into deliveries, stored and due now; gives how many those are. Runs inside a transaction."""
    by_receiver: dict[Receiver, list[Notice]] = defaultdict(list)
    for each in _waiting(domain, now).select_related("alert__queue", "person__user", "route"):
        by_receiver[each.receiver].append(each)
    if not by_receiver:
        return 0
    receivers, quiet = Receivers(domain, now), list(mutes.open_now(domain.pk, now))
    reaching = _destinations(domain, by_receiver)
    older = superseding.unsent(domain, [each for some in reaching.values() for each in some], receivers, quiet)
    writer, fresh, changed = texts.Writer(domain, now), [], []
    for receiver, notices in by_receiver.items():
        if going := still_true(notices, receivers, quiet):
            fresh += _messages(domain, writer, going, reaching[receiver], older)
        changed += [each for each in notices if each.batch or each.held_back]
    store(changed)
    _forget_repeats(changed)
    superseding.replace(older, fresh, now)
    Delivery.objects.bulk_create(fresh, batch_size=200)
    _remember(domain, {each.receiver for each in changed if each.batch}, now)
    return len(fresh)


def store(changed: Sequence[Notice]) -> None:
    """Keep which message these notices are in now, or why they are in none."""
    alike: dict[tuple[UUID | None, str], list[int]] = defaultdict(list)
    for each in changed:
        alike[each.batch, each.held_back].append(each.pk)
    for (batch, held_back), ids in alike.items():
        for begin in range(0, len(ids), MOST_AT_ONCE):
            some = Notice.objects.filter(pk__in=ids[begin : begin + MOST_AT_ONCE])
            some.update(batch=batch, held_back=held_back)


def _forget_repeats(changed: Sequence[Notice]) -> None:
    """That nothing reaches somebody stands in the history once, and not with each repetition."""
    vain = [each.pk for each in changed if each.held_back == HeldBack.NOWHERE and each.what == What.REPEATED]
    for begin in range(0, len(vain), MOST_AT_ONCE):
        Notice.objects.filter(pk__in=vain[begin : begin + MOST_AT_ONCE]).delete()


def _waiting(domain: Domain, now: datetime) -> QuerySet[Notice]:
    """What nobody was told yet, of those who may get a message now."""
    resting = _resting(domain, now)
    people = [pk for kind, pk in resting if kind == "person"]
    own = [pk for kind, pk in resting if kind == "destination"]
    waiting = Notice.objects.filter(domain=domain, batch=None, held_back="").order_by("pk")
    return waiting.exclude(person__in=people).exclude(destination__in=own)


def still_true(notices: Sequence[Notice], receivers: Receivers, quiet: Sequence[Mute]) -> list[Notice]:
    """Those that are still worth telling; others are marked with why they are not, or wait for the end of a mute."""
    going = []
    for each in notices:
        if each.what != What.RESOLVED and each.alert.ended_at is not None:
            each.held_back = HeldBack.ENDED
        elif each.what != What.RESOLVED and each.alert.acknowledged_at is not None:
            each.held_back = HeldBack.TAKEN
        elif each.person and receivers.held_back(each.person, each.alert) == HeldBack.LIMIT:
            each.held_back = HeldBack.LIMIT
        elif timers.is_switched_off(each):
            each.held_back = HeldBack.DISABLED
        elif mutes.covering(quiet, each.alert) is None:
            going.append(each)
        elif each.what == What.RESOLVED:
            each.held_back = HeldBack.MUTED
    return going


def _messages(
    domain: Domain,
    writer: texts.Writer,
    notices: Sequence[Notice],
    reaching: Sequence[Destination],
    older: Mapping[int, Unsent],
) -> list[Delivery]:
    """One message for one receiver, over each of their channels, and with what had not gone out there before."""
    batch = uuid4()
    for notice in notices:
        notice.batch, notice.held_back = (batch, "") if reaching else (None, HeldBack.NOWHERE)
    if not reaching:
        return []
    with choosing.speaking(choosing.of_receiver(notices[0].person, domain)):
        return _over_each(domain, writer, notices, batch, reaching, older)


def _over_each(
    domain: Domain,
    writer: texts.Writer,
    notices: Sequence[Notice],
    batch: UUID,
    reaching: Sequence[Destination],
    older: Mapping[int, Unsent],
) -> list[Delivery]:
    person, found = notices[0].person, []
    usual = Content(domain, writer, notices)
    for each in reaching:
        delivery = Delivery(domain=domain, batch=batch, destination=each, person=person, channel=each.channel)
        delivery.destination_name = str(each)
        unsent = older.get(each.pk, Unsent())
        delivery.earlier = unsent.batches
        content = Content(domain, writer, [*unsent.notices, *notices]) if unsent.notices else usual
        delivery.content = content.of(delivery, each)
        found.append(delivery)
    return found


class Content:
    """What a message with these notices says, written once for all channels."""

    def __init__(self, domain: Domain, writer: texts.Writer, notices: Sequence[Notice]) -> None:
        newest = {each.alert_id: each for each in notices}.values()
        self._domain, self._company, self._person = domain, domain.name, notices[0].person
        self._title, self._text, data = writer.content(notices)
        self._alerts = data["alerts"]
        self._by_id = {each.alert_id: each.alert for each in notices}
        pressing = [each.alert for each in newest if each.what != What.RESOLVED]
        self._url = addresses.of(domain) + pages.page_for(pressing or self._by_id.values(), self._person)
        self._is_over = all(each.what == What.RESOLVED for each in newest)
        self._level = max((each.alert.level for each in newest), key=["normal", "watch", "late"].index)

    def of(self, delivery: Delivery, destination: Destination) -> dict[str, Any]:
        """As it goes to this destination."""
        clean = str if destination.shows_numbers else texts.without_numbers
        may_take = not self._is_over and pages.may_acknowledge(self._person)
        return {
            "title": clean(self._title),
            "text": clean(self._text),
            "url": self._url,
            "acknowledge_url": links.acknowledge_url(delivery.uid, self._domain) if may_take else "",
            "level": self._level,
            "is_resolved": self._is_over,
            "language": get_language() or "",
            "data": self._data(destination, clean),
        }

    def _data(self, destination: Destination, clean: Callable[[str], str]) -> dict[str, Any]:
        """What its channel reads of the alerts: programs all of it, browsers the numbers, people nothing."""
        if destination.channel == Channel.PUSH:
            return {"alerts": [{"id": each["id"]} for each in self._alerts[:MOST_IDS]]}
        if destination.channel != Channel.WEBHOOK:
            return {}
        return {"company": self._company, "alerts": [self._document(each, clean) for each in self._alerts]}

    def _document(self, alert: dict[str, Any], clean: Callable[[str], str]) -> dict[str, Any]:
        url = addresses.of(self._domain) + pages.page_of(self._by_id[alert["id"]], self._person)
        return {**alert, "name": clean(alert["name"]), "why": clean(alert["why"]), "url": url}


def _resting(domain: Domain, now: datetime) -> set[Receiver]:
    """Those who got a message within the last minute; a moment ahead of now is the mark of a clock set back."""
    lately = LastMessage.objects.filter(domain=domain, at__gt=now - PAUSE, at__lte=now)
    found = set()
    for name in lately.values_list("receiver", flat=True):
        kind, _, pk = name.partition(":")
        found.add((kind, int(pk)))
    return found


def _remember(domain: Domain, receivers: set[Receiver], now: datetime) -> None:
    rows = [LastMessage(domain=domain, receiver=f"{kind}:{pk}", at=now) for kind, pk in receivers]
    LastMessage.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["domain", "receiver"], update_fields=["at"], batch_size=500
    )


def _destinations(domain: Domain, receivers: dict[Receiver, list[Notice]]) -> dict[Receiver, list[Destination]]:
    """What reaches each receiver and is switched on."""
    people = [pk for kind, pk in receivers if kind == "person"]
    own = [pk for kind, pk in receivers if kind == "destination"]
    found: dict[Receiver, list[Destination]] = defaultdict(list)
    usable = destinations.usable().filter(domain=domain)
    for each in usable.filter(Q(person__in=people) | Q(pk__in=own, person=None)):
        found[("person", each.person_id) if each.person_id is not None else ("destination", each.pk)].append(each)
    return found
