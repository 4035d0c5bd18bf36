"""Open call-backs by who may see them: of each queue, of each person who was rung directly, and the rest."""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from accounts.models import Domain, Person
from wallboard.calls.log.newest import CALL_OF
from wallboard.calls.models import Leg
from wallboard.desk import callbacks
from wallboard.desk.callbacks import INBOUND, LOOKBACK, OpenCallback


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many callers wait to be rung back, and since when the oldest of them."""

    open: int
    oldest_at: datetime


@dataclass(frozen=True, slots=True)
class Subjects:
    """Call-backs that nobody has taken, by the number of a queue and by extension; `others` belong to neither."""

    queues: Mapping[str, Waiting]
    people: Mapping[str, Waiting]
    others: Waiting | None


def of(domain: Domain, numbers: Container[str]) -> Subjects:
    """The call-backs of a company with these queues; who called several of them waits in each."""
    queues: dict[str, list[datetime]] = defaultdict(list)
    people: dict[str, list[datetime]] = defaultdict(list)
    others: list[datetime] = []
    waiting = [each for each in callbacks.open_callbacks(domain, timezone.now()) if each.owner is None]
    rung = _rung(domain, waiting)
    known = set(Person.objects.filter(domain=domain).values_list("extension", flat=True)) if waiting else set()
    for each in waiting:
        legs = [rung[ring.call] for ring in each.missed.calls if ring.call in rung]
        through = {queue for leg in legs for queue in leg.queues if queue in numbers}
        phones = {phone for leg in legs if not leg.queues for phone in leg.phones & known}
        for number in through:
            queues[number].append(each.since)
        # A call through a queue is that queue's matter, whichever phones it rang.
        for extension in phones:
            people[extension].append(each.since)
        if not through and not phones:
            others.append(each.since)
    return Subjects(_counted(queues), _counted(people), Waiting(len(others), min(others)) if others else None)


@dataclass(frozen=True, slots=True)
class _Rung:
    """What a call rang."""

    queues: frozenset[str] = frozenset()
    phones: frozenset[str] = frozenset()


def _rung(domain: Domain, waiting: Sequence[OpenCallback]) -> dict[str, _Rung]:
    calls = {ring.call for each in waiting for ring in each.missed.calls}
    legs = Leg.objects.filter(INBOUND, domain=domain, first_seen_at__gte=timezone.now() - LOOKBACK)
    theirs = legs.filter(caller_e164__in=[each.missed.number for each in waiting])
    found: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for call, queue, phone in theirs.annotate(call=CALL_OF).values_list("call", "queue", "to_user"):
        if call in calls:
            queues, phones = found[call]
            if queue:
                queues.add(queue)
            elif phone:
                phones.add(phone)
    return {call: _Rung(frozenset(queues), frozenset(phones)) for call, (queues, phones) in found.items()}


def _counted(since: Mapping[str, list[datetime]]) -> dict[str, Waiting]:
    return {name: Waiting(len(moments), min(moments)) for name, moments in since.items()}
