"""Call detail records: kept as sent, and used to close what call events missed."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.db.models import Q

from accounts.models import Domain
from wallboard.calls.models import Leg, Record
from wallboard.calls.retention import anonymizing
from wallboard.telephony.messages import CallRecord, parse_time

FILLED = (
    *("started_at", "answered_at", "ended_at", "duration_seconds"),
    *("from_number", "from_user", "from_name", "to_number", "to_user"),
)


def store(domain: Domain, records: list[tuple[CallRecord, datetime]]) -> None:
    """Store these records, each with the time it came in.

    Several for one pair of call ids become one: what is missing is filled, of two values the greater stays, so that
    neither order nor repetition matters. The caller holds the domain's lock, inside a transaction.
    """
    of_these = of_pairs((record.from_.call_id, record.to.call_id) for record, _ in records)
    known = {_pair(row): row for row in Record.objects.filter(of_these, domain=domain)}
    touched: dict[tuple[str, str], Record] = {}
    for record, received_at in records:
        fresh = _row(domain, record, received_at)
        stored = known.setdefault(_pair(fresh), fresh)
        _fill(stored, fresh)
        touched[_pair(fresh)] = stored
    # Records may come after the caller was erased; they must not bring the number back.
    for leg in Leg.objects.filter(of_these, domain=domain, forgotten_at__isnull=False):
        if (pair := (leg.from_call_id, leg.to_call_id)) in touched:
            anonymizing.forget_record(touched[pair], leg)
    Record.objects.bulk_create(
        [touched[pair] for pair in sorted(touched)],
        update_conflicts=True,
        unique_fields=["domain", "from_call_id", "to_call_id"],
        update_fields=FILLED,
    )


def of_pairs(pairs: Iterable[tuple[str, str]]) -> Q:
    """Records, or legs, of the calls that these pairs of call ids belong to; of a call without a caller's id just the
    one, since all such calls together are no call.
    """
    wanted = set(pairs)
    found = Q(from_call_id__in={head for head, _tail in wanted if head})
    # Without a caller's id every such leg would count as one huge call.
    lone = {tail for head, tail in wanted if not head}
    return found | Q(from_call_id="", to_call_id__in=lone) if lone else found


def is_asked(leg: Leg) -> bool:
    """Whether how long people talked is to be asked of the detail record: no event told the answer, or none the end."""
    # Nothing was heard after the record, so it was the record that ended the leg, however late it came.
    is_ended_by_record = leg.has_record and leg.ended_at == leg.heard_at
    return leg.is_answered and (leg.active_at is None or is_ended_by_record)


def talk_of(record: Record) -> timedelta | None:
    """How long people talked by that record; None where it does not tell."""
    if record.answered_at is None or record.ended_at is None or record.ended_at < record.answered_at:
        return None
    return record.ended_at - record.answered_at


def _pair(row: Record) -> tuple[str, str]:
    return row.from_call_id, row.to_call_id


def _row(domain: Domain, record: CallRecord, received_at: datetime) -> Record:
    source, target = record.from_, record.to
    return Record(
        domain=domain,
        from_call_id=source.call_id,
        to_call_id=target.call_id,
        started_at=parse_time(record.start_time, UTC),
        answered_at=parse_time(record.answer_time, UTC),
        ended_at=parse_time(record.end_time, UTC),
        duration_seconds=record.duration_seconds,
        from_number=source.id,
        from_user=source.user,
        from_name=source.name,
        to_number=target.id,
        to_user=target.user,
        received_at=received_at,
    )


def _fill(stored: Record, fresh: Record) -> None:
    for field in FILLED:
        values = [value for value in (getattr(stored, field), getattr(fresh, field)) if value not in (None, "")]
        if values:
            # The greater one, whichever came first: it says nothing about truth, only that all processes agree.
            setattr(stored, field, max(values))
