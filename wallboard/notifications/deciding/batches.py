"""From notices to messages: what waits for one receiver is one message, and nobody gets more than one a minute."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.db.models import Q

from accounts.models import Domain, Person
from wallboard.notifications import links
from wallboard.notifications.deciding import texts
from wallboard.notifications.models import Delivery, Destination, LastMessage, Notice

MOST_AT_ONCE = 900  # ids in one statement
PAUSE = timedelta(seconds=60)  # between two messages to one receiver
What, HeldBack = Notice.What, Notice.HeldBack
Receiver = tuple[str, int]


def make(domain: Domain, now: datetime) -> int:
    """Turn what waits into deliveries, stored and due now; gives how many those are. Runs inside a transaction."""
    waiting = Notice.objects.filter(domain=domain, batch=None, held_back="").order_by("pk")
    by_receiver: dict[Receiver, list[Notice]] = defaultdict(list)
    for each in waiting.select_related("alert__queue", "person"):
        by_receiver[each.receiver].append(each)
    if not by_receiver:
        return 0
    resting = _resting(domain, now)
    destinations = _destinations(domain, by_receiver)
    writer, fresh, changed = texts.Writer(domain, now), [], []
    for receiver, notices in by_receiver.items():
        if receiver in resting:
            continue
        changed += notices
        if going := _still_true(notices):
            fresh += _messages(domain, writer, going, destinations[receiver])
    _store(changed)
    Delivery.objects.bulk_create(fresh, batch_size=200)
    _remember(domain, {each.receiver for each in changed if each.batch}, now)
    return len(fresh)


def _store(changed: Sequence[Notice]) -> None:
    alike: dict[tuple[UUID | None, str], list[int]] = defaultdict(list)
    for each in changed:
        alike[each.batch, each.held_back].append(each.pk)
    for (batch, held_back), ids in alike.items():
        for begin in range(0, len(ids), MOST_AT_ONCE):
            some = Notice.objects.filter(pk__in=ids[begin : begin + MOST_AT_ONCE])
            some.update(batch=batch, held_back=held_back)


def _still_true(notices: Sequence[Notice]) -> list[Notice]:
    """Those that are still worth telling; the others are marked with why they are not."""
    going = []
    for each in notices:
        if each.what != What.RESOLVED and each.alert.ended_at is not None:
            each.held_back = HeldBack.ENDED
        elif each.what != What.RESOLVED and each.alert.acknowledged_at is not None:
            each.held_back = HeldBack.TAKEN
        else:
            going.append(each)
    return going


def _messages(
    domain: Domain, writer: texts.Writer, notices: Sequence[Notice], destinations: Sequence[Destination]
) -> list[Delivery]:
    """One message for one receiver, over each of their channels."""
    batch = uuid4()
    for notice in notices:
        notice.batch, notice.held_back = (batch, "") if destinations else (None, HeldBack.NOWHERE)
    if not destinations:
        return []
    title, text, data = writer.content(notices)
    is_over = all(each.what == What.RESOLVED for each in notices)
    level = max((each.alert.level for each in notices), key=["normal", "watch", "late"].index)
    person = notices[0].person
    found = []
    for each in destinations:
        delivery = Delivery(domain=domain, batch=batch, destination=each, person=person, channel=each.channel)
        delivery.destination_name = str(each)
        clean = str if each.shows_numbers else texts.without_numbers
        alerts = [{**alert, "name": clean(alert["name"]), "why": clean(alert["why"])} for alert in data["alerts"]]
        delivery.content = {
            "title": clean(title),
            "text": clean(text),
            "url": settings.PUBLIC_URL + page_for(person),
            "acknowledge_url": "" if is_over or not may_acknowledge(person) else links.acknowledge_url(delivery.uid),
            "level": level,
            "is_resolved": is_over,
            "data": {"company": domain.name, "alerts": alerts},
        }
        found.append(delivery)
    return found


def may_acknowledge(person: Person | None) -> bool:
    """Whether a message to this person offers it; one to the company does, as the page asks who it is."""
    return person is None or person.role != Person.Role.AGENT


def page_for(person: Person | None) -> str:
    """The page that a message opens: the alerts, or the wall for those who have no such page."""
    return "/alerts/" if may_acknowledge(person) else "/boards/"


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
    usable = Destination.objects.filter(domain=domain, is_enabled=True)
    for each in usable.filter(Q(person__in=people) | Q(pk__in=own, person=None)):
        found[("person", each.person_id) if each.person_id is not None else ("destination", each.pk)].append(each)
    return found
