"""Calls that lose their strangers: all of them after the time that the company keeps them, or those of one number.

Every batch takes the lock that writers of calls take, in a transaction of its own, so that nothing is delivered
half-way into it; and what is delivered later about a forgotten call stays without the stranger (leg_store.py,
detail_records.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.company_day import zone_of
from accounts.models import Domain
from wallboard.calls import leg_store
from wallboard.calls.detail_records import of_pairs
from wallboard.calls.models import Delivery, Forgetting, Leg, Record
from wallboard.calls.retention import anonymizing, traces
from wallboard.calls.retention.traces import GoOn, Trace
from wallboard.calls.webhooks import spool
from wallboard.queues import past_changes
from wallboard.queues.models import PastChange

BATCH = 100  # legs that are looked at together; with all others of the same numbers they may be more
MOST_OF_ONE = 500  # legs of one number in one batch
SETTLED = timedelta(minutes=2)  # after a call's end the provider may still report about it for so long


class NotNow(Exception):
    """It has to wait; the text says for what."""


@dataclass
class Batch:
    """What lost its strangers together: the ids of the calls, the mark of each number, and how many legs."""

    calls: set[str] = field(default_factory=set)
    marks: dict[str, str] = field(default_factory=dict)
    legs: int = 0
    records: int = 0


def limit(domain: Domain, days: int | None) -> datetime | None:
    """The midnight of the company before which everything is past its time; None where it is kept for ever."""
    if days is None:
        return None
    zone = zone_of(domain)
    # Whole days of the company: “90 days” must not depend on when the task runs.
    day = timezone.now().astimezone(zone).date() - timedelta(days=days)
    return datetime(day.year, day.month, day.day, tzinfo=zone)


def days_of_callers(domain: Domain) -> int:
    """For how many days callers are remembered: those without a time of their own go with their calls."""
    return min(domain.calls_kept_days or domain.log_kept_days, domain.log_kept_days)


def forget_next(domain: Domain, before: datetime) -> Batch | None:
    """The next batch of calls that ended before this; None when there is none left. Inside the caller's transaction.

    All calls of a number that are due get the same mark: how many callers there were on a day stays right.
    """
    leg_store.lock_domains([domain.pk])
    due = Leg.objects.filter(domain=domain, ended_at__lt=before, forgotten_at=None)
    until = done_until(domain)
    # From where the last run stopped, else each run would look through all that is forgotten already.
    first = due.filter(ended_at__gte=until) if until else due
    oldest = list(first.order_by("ended_at", "pk")[:BATCH])
    if not oldest:
        Forgetting.objects.update_or_create(domain=domain, defaults={"calls_until": before})
        return None
    found = {leg.pk: leg for leg in oldest}
    for number in {leg.caller_e164 for leg in oldest} - {""}:
        found |= {leg.pk: leg for leg in due.filter(caller_e164=number).order_by("ended_at", "pk")[:MOST_OF_ONE]}
    return _forget(domain, found.values())


def done_until(domain: Domain) -> datetime | None:
    """All calls that ended before this have lost their strangers."""
    return Forgetting.objects.filter(domain=domain).values_list("calls_until", flat=True).first()


def empty_deliveries(domain: Domain, before: datetime) -> int:
    """Drop the bodies of old deliveries; that they came, and when, stays until they are deleted."""
    old = Delivery.objects.filter(subscription__domain=domain, received_at__lt=before).exclude(body="")
    # What is not applied yet is still needed, however old.
    return old.exclude(applied_at=None, problem="").update(body="")


def of_number(domain: Domain, trace: Trace) -> "QuerySet[Leg]":
    """The legs with this number on either side."""
    there = Q(from_number__icontains=trace.core) | Q(to_number__icontains=trace.core)
    return Leg.objects.filter(Q(caller_e164=trace.number) | there, domain=domain)


def deliveries_with(domain: Domain, trace: Trace) -> "QuerySet[Delivery]":
    """What the provider posted with the core of the number in it."""
    return Delivery.objects.filter(subscription__domain=domain, body__icontains=trace.core)


def legs_of(domain: Domain, trace: Trace) -> list[Leg]:
    """As of_number(), without those in which the digits are part of another number; oldest first."""
    rows = of_number(domain, trace).order_by("first_seen_at", "pk")
    return [leg for leg in rows if trace.is_in([leg.caller_e164, leg.from_number, leg.to_number])]


def check(domain: Domain, trace: Trace, found: list[Leg]) -> None:
    """Raises NotNow where the number is the company's own, is on the line, or was until a moment ago."""
    # Erasing the company's own number would take it out of every call there ever was.
    if any(is_own(leg, domain, trace) for leg in found):
        raise NotNow(_("Calls come in on this number: it is one of your own company."))
    if any(leg.ended_at is None for leg in found):
        raise NotNow(_("A call with this number is still going on. Erase it once the call has ended."))
    if any(leg.ended_at and leg.ended_at > timezone.now() - SETTLED for leg in found):
        raise NotNow(_("A call with this number has just ended. Erase it in two minutes, when all is told about it."))
    waiting = deliveries_with(domain, trace).filter(applied_at=None, problem="")
    # A delivery that is applied afterwards would bring the number back.
    if spool.used_bytes() or waiting.exists():
        raise NotNow(_("Deliveries of the provider wait to be applied. Try again in a minute."))


def is_own(leg: Leg, domain: Domain, trace: Trace) -> bool:
    """Whether a stranger rang this number to reach the company."""
    called = traces.of(leg.to_number, domain.country) if leg.from_user == "" else None
    return called is not None and called.number == trace.number and leg.caller_e164 != trace.number


def erase(domain: Domain, trace: Trace) -> Batch:
    """Take the number out of all calls and records. Raises NotNow. Inside the caller's transaction."""
    leg_store.lock_domains([domain.pk])
    found = legs_of(domain, trace)
    check(domain, trace, found)
    return _forget(domain, found, trace)


def erase_deliveries(domain: Domain, trace: Trace, go_on: GoOn = traces.always) -> int:
    """Drop the bodies of deliveries with this number; not of one that is still to be applied, which is a new call."""
    rows = deliveries_with(domain, trace).exclude(applied_at=None, problem="")
    # The core of a number may be part of a longer one; only the text itself tells.
    held = []
    for piece in traces.pieces(Delivery.objects.filter(subscription__domain=domain), go_on):
        found = rows.filter(piece).values_list("pk", "body")
        held += [pk for pk, body in found.iterator() if trace.is_in(body)]
    for start in range(0, len(held), BATCH):
        go_on()
        Delivery.objects.filter(pk__in=held[start : start + BATCH]).update(body="")
    return len(held)


def mask_mentions(domain: Domain, trace: Trace, go_on: GoOn = traces.always) -> int:
    """Take the number out of what else is kept of old calls: a name that spells it, a body that only mentions it.

    Looked for without the lock, since that may take long, and taken out under it. A call that began meanwhile is new.
    """
    begun, count = timezone.now(), 0
    ended = Leg.objects.filter(domain=domain, ended_at__lt=begun)
    applied = Delivery.objects.filter(subscription__domain=domain, received_at__lt=begun)
    old: dict[type[Model], QuerySet[Any]] = {
        Leg: ended,
        Record: Record.objects.filter(domain=domain, received_at__lt=begun),
        Delivery: applied.exclude(applied_at=None, problem=""),
    }
    for place in [each for each in traces.places() if each.model in old]:
        found = [row["pk"] for row in traces.rows_with(place, domain.pk, trace, go_on)]
        for start in range(0, len(found), BATCH):
            go_on()
            with transaction.atomic():
                leg_store.lock_domains([domain.pk])
                rows = old[place.model].filter(pk__in=found[start : start + BATCH]).values("pk", *place.columns)
                count += sum(traces.mask(place, row, trace) for row in list(rows))
    return count


def _forget(domain: Domain, found: Iterable[Leg], trace: Trace | None = None) -> Batch:
    batch, now = Batch(), timezone.now()
    rows = list(found)
    for leg in rows:
        key = trace.number if trace else leg.caller_e164 or f"leg {leg.pk}"
        anonymizing.forget(leg, batch.marks.setdefault(key, anonymizing.new_mark()), now, trace)
        batch.calls.add(leg.from_call_id or leg.to_call_id)
    columns = [*anonymizing.COLUMNS, "forgotten_at"]
    batch.legs = Leg.objects.bulk_update(rows, columns, batch_size=BATCH) if rows else 0
    # Day figures know callers apart: they must not for longer than the calls do.
    past_changes.note(domain, PastChange.Kind.CALLS, (leg.first_seen_at for leg in rows))
    batch.records = _forget_records(domain, rows)
    return batch


def _forget_records(domain: Domain, rows: list[Leg]) -> int:
    """The records of these legs, each brought to what its leg says."""
    by_pair = {(leg.from_call_id, leg.to_call_id): leg for leg in rows}
    pairs, found = sorted(by_pair), {}
    for start in range(0, len(pairs), BATCH):
        for record in Record.objects.filter(of_pairs(pairs[start : start + BATCH]), domain=domain):
            if leg := by_pair.get((record.from_call_id, record.to_call_id)):
                anonymizing.forget_record(record, leg)
                found[record.pk] = record
    return Record.objects.bulk_update(found.values(), anonymizing.OF_RECORD, batch_size=BATCH) if found else 0
