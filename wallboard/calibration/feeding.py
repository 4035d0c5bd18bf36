"""From what is stored to observations: readings and deliveries that were not taken in yet, in the order of their times.

Nothing is taken in that is younger than SETTLED_SECONDS: a transaction that began earlier may still add to it. What is
dated further ahead than clocks of two machines differ is left out, else it would hold up everything until that time.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

from django.db.models import Exists, OuterRef, Q

from accounts.models import Domain
from accounts.spreading import companies
from wallboard.calibration.models import Progress
from wallboard.calibration.observations import Heard, Observation, Poll, Recorded
from wallboard.calls.models import Delivery, Subscription
from wallboard.calls.subscriptions import health
from wallboard.calls.webhooks import intake, outsiders
from wallboard.queues.models import Reading
from wallboard.telephony.messages import CallEvent
from wallboard.telephony.resources import QueueStats

SETTLED_SECONDS = 10
READINGS_SECONDS = 55  # without deliveries readings by themselves are taken in once a minute
CLOCKS_DIFFER = timedelta(seconds=60)
FIRST_LOOK = timedelta(minutes=10)  # back from the first run on: more would hold up a large company for minutes
MOST_DELIVERIES, MOST_READINGS = 20_000, 5_000


def begin(progress: Progress, now: datetime, look_back: timedelta = FIRST_LOOK) -> None:
    """Where the first run starts: with what came so long before."""
    progress.started_at = now
    deliveries = Delivery.objects.filter(subscription__domain_id=progress.domain_id, received_at__lt=now - look_back)
    readings = Reading.objects.filter(domain_id=progress.domain_id, read_at__lt=now - look_back)
    progress.delivery_id, progress.reading_id = _newest(deliveries), _newest(readings)


def _newest(rows: Any) -> int:
    return rows.order_by("-pk").values_list("pk", flat=True).first() or 0


def behind(domain_ids: Collection[int], now: datetime) -> set[int]:
    """Of these companies those that may have been delivered something that was not taken in, and those of which
    nothing was for READINGS_SECONDS; in one query. Of more than a few only the latter: no finding waits for seconds."""
    since = OuterRef("taken_at") - timedelta(seconds=SETTLED_SECONDS) - 2 * health.WRITE_EVERY
    delivered = Exists(Subscription.objects.filter(domain=OuterRef("domain"), heard_at__gt=since))
    late = Q(taken_at=None) | Q(taken_at__lte=now - timedelta(seconds=READINGS_SECONDS)) | Q(taken_at__gt=now)
    due = late if len(domain_ids) > companies.FEW else late | delivered
    quiet = Progress.objects.filter(domain__in=domain_ids).exclude(due)
    return set(domain_ids) - set(quiet.values_list("domain_id", flat=True))


def take_new(domain: Domain, progress: Progress, now: datetime) -> list[Observation]:
    """What is new, oldest first; moves the marks of `progress`, which the caller saves with what it makes of this."""
    settled_at, ahead = now - timedelta(seconds=SETTLED_SECONDS), now + CLOCKS_DIFFER
    deliveries = _settled(
        Delivery.objects.filter(subscription__domain=domain, pk__gt=progress.delivery_id)
        .order_by("pk")
        .only("received_at", "body", "applied_at")[:MOST_DELIVERIES],
        "received_at",
        settled_at,
        ahead,
    )
    # With a backlog of deliveries, readings wait for them: what is compared is of the same time.
    until = min(settled_at, deliveries[-1].received_at) if len(deliveries) == MOST_DELIVERIES else settled_at
    readings = _settled(
        Reading.objects.filter(domain=domain, pk__gt=progress.reading_id).order_by("pk")[:MOST_READINGS],
        "read_at",
        until,
        ahead,
    )
    if deliveries:
        progress.delivery_id = deliveries[-1].pk
    if readings:
        progress.reading_id = readings[-1].pk
    found = [poll for each in readings if each.read_at <= ahead and (poll := poll_of(each)) is not None]
    timely = [row for row in deliveries if row.applied_at and row.received_at <= ahead]
    is_person = outsiders.people_of(domain)
    heard = [each for row in timely for each in heard_in(row, domain, is_person)]
    return sorted([*found, *heard], key=attrgetter("at"))


def _settled(rows: Iterable[Any], column: str, until: datetime, ahead: datetime) -> list[Any]:
    """Rows up to the first one that is too young; those that are dated ahead are passed over."""
    found = []
    for row in rows:
        if until < getattr(row, column) <= ahead:
            break
        found.append(row)
    return found


def poll_of(reading: Reading) -> Poll | None:
    """A reading as it came, waits in the provider's own unit; None for one of a release that did not keep that."""
    if not reading.raw:
        return None
    return Poll(reading.read_at.timestamp(), {number: QueueStats(number, *row) for number, row in reading.raw.items()})


def heard_in(delivery: Delivery, domain: Domain, is_person: outsiders.IsPerson) -> list[Observation]:
    """The call event, or the records, of a delivery."""
    message, at = intake.parse(delivery.body), delivery.received_at.timestamp()
    if isinstance(message, CallEvent):
        return [Heard(at, outsiders.seen_from(domain, message, is_person))]
    if isinstance(message, tuple):
        return [Recorded(at, outsiders.seen_from(domain, record, is_person)) for record in message]
    return []
