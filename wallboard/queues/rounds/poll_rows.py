"""The rows of a poll: read with its lease, held while figures are made, and written; on PostgreSQL a statement each.

Elsewhere Django's own statements do the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, TypeVar

import msgspec
from django.db import connection, models

from accounts import leases
from accounts.leases import HeldLease
from accounts.models import CompanyToken, Domain
from accounts.statements import planned
from wallboard.live import feeds
from wallboard.queues import figures
from wallboard.queues.hours import calendar
from wallboard.queues.models import Hours, PollState, Queue, Reading, Target
from wallboard.queues.targets import levels
from wallboard.telephony.resources import QueueStats

M = TypeVar("M", bound=models.Model)
LEASE_SECONDS = 30.0  # an exchange with the provider and a fetch of a token end within ten seconds each
# In the order of the models, as from_db() takes them; what else there is, is read when it is asked for.
OF_DOMAIN = ("id", "slug", "base_url", "time_zone", "poll_seconds")
OF_STATE = tuple(each.attname for each in PollState._meta.concrete_fields if each.attname != "rolled_until")
OF_TOKEN = tuple(each.attname for each in CompanyToken._meta.concrete_fields)
OF_QUEUE = '"number" AS queue__number'
COLUMNS = f"""{planned.columns(Domain, OF_DOMAIN, "d")}, {planned.columns(PollState, OF_STATE, "s")},
        {planned.columns(CompanyToken, OF_TOKEN, "t")}"""
BESIDE = f"""LEFT JOIN {PollState._meta.db_table} s ON s.domain_id = d.id
    LEFT JOIN {CompanyToken._meta.db_table} t ON t.domain_id = d.id"""
READ = f"{COLUMNS} FROM taken CROSS JOIN {Domain._meta.db_table} d {BESIDE} WHERE d.id = %s"


class Held(NamedTuple):
    """What the figures of a company are made with."""

    wait_unit: str
    hidden_waits: list[str]
    period_waits: list[str]
    standards: levels.Standards
    schedule: calendar.Schedule


def taken(domain_id: int) -> tuple[HeldLease, Domain] | None:
    """The lease of the company's poll, and the company with all that a poll needs, read under it; None if it is held.

    Two workers, or two beats, must not ask the provider twice.
    """
    name = lease_name(domain_id)
    if planned.is_possible() and (found := leases.acquire_and_read(name, LEASE_SECONDS, READ, [domain_id])):
        return found[0], domain_of(found[1])
    lease = leases.acquire(name, LEASE_SECONDS)
    if lease is None:
        return None
    try:
        return lease, Domain.objects.select_related("poll_state", "company_token").get(pk=domain_id)
    except BaseException:
        lease.release()
        raise


def lease_name(domain_id: int) -> str:
    """The lease of the company's poll."""
    return f"poll:{domain_id}"


def domain_of(values: Sequence[Any]) -> Domain:
    """The company in a row of COLUMNS."""
    of_state = len(OF_DOMAIN) + len(OF_STATE)
    domain = _made(Domain, OF_DOMAIN, values)
    parts = (PollState, OF_STATE, values[len(OF_DOMAIN) : of_state]), (CompanyToken, OF_TOKEN, values[of_state:])
    for (model, names, part), attribute in zip(parts, ("poll_state", "company_token"), strict=True):
        row = None if part[0] is None else _made(model, names, part)
        domain._state.fields_cache[attribute] = row
        if row is not None:
            row._state.fields_cache["domain"] = domain
    return domain


def _made(model: type[M], names: Sequence[str], values: Sequence[Any]) -> M:
    """A row as an object; fields beyond these are read when they are asked for."""
    converted = [
        convert(value, None, connection) if convert else value
        for convert, value in zip(_converters(model, tuple(names)), values, strict=False)
    ]
    return model.from_db(connection.alias, names, converted)


@cache
def _converters(model: type[models.Model], names: tuple[str, ...]) -> list[Any]:
    return [getattr(model._meta.get_field(name), "from_db_value", None) for name in names]


# The targets and hours lie in a statement of their own rows, as JSON: hardly any company has more than a few.
WITH = f"""d.wait_unit, d.hidden_waits, d.period_waits,
        (SELECT json_agg(each)::text FROM (
            SELECT q.{OF_QUEUE}, {planned.columns(Target, levels.TARGET_COLUMNS, "t")} FROM {Target._meta.db_table} t
            LEFT JOIN {Queue._meta.db_table} q ON q.id = t.queue_id WHERE t.domain_id = d.id) each),
        (SELECT json_agg(each)::text FROM (
            SELECT q.{OF_QUEUE}, {planned.columns(Hours, calendar.COLUMNS, "h")} FROM {Hours._meta.db_table} h
            LEFT JOIN {Queue._meta.db_table} q ON q.id = h.queue_id WHERE h.domain_id = d.id) each)
    FROM {PollState._meta.db_table} s JOIN {Domain._meta.db_table} d ON d.id = s.domain_id"""  # noqa: S608
HOLD = f"SELECT {WITH} WHERE s.domain_id = %s FOR UPDATE OF s"


def held(domain: Domain) -> Held:
    """What figures are made with now; nobody else stores readings of that company until the transaction is over."""
    if not planned.is_possible():
        now = PollState.lock_with(domain, "wait_unit", "hidden_waits", "period_waits")
        standards, schedule = levels.standards(domain.pk), calendar.schedule(domain)
        return Held(now.wait_unit, now.hidden_waits.split(), now.period_waits.split(), standards, schedule)
    (row,) = planned.answer(HOLD, [domain.pk])
    return held_of(domain, row)


def held_of(domain: Domain, row: Sequence[Any]) -> Held:
    """The same in a row of WITH."""
    unit, hidden, period, targets, hours = row
    standards = levels.of_rows(msgspec.json.decode(targets) if targets else [])
    schedule = calendar.of_rows(domain.time_zone, [_hours(row) for row in msgspec.json.decode(hours)] if hours else [])
    return Held(unit, hidden.split(), period.split(), standards, schedule)


def _hours(row: Mapping[str, Any]) -> dict[str, Any]:
    # These are text in the table.
    return {**row, **{name: msgspec.json.decode(row[name]) for name in ("week", "closed_days")}}


def merged(
    before: figures.Held, answer: Iterable[QueueStats], now: Held, version: int, read_at: datetime
) -> figures.Newest:
    """An answer laid over the figures before it."""
    at, waits = feeds.milliseconds(read_at), (now.hidden_waits, now.period_waits)
    return figures.merged(before, answer, now.wait_unit, now.standards, version, at, now.schedule, *waits)


def moved_at(state: PollState, newest: figures.Newest, read_at: datetime) -> datetime | None:
    """The reading since which as many callers wait as do now, once this one is stored."""
    return read_at if newest.has_moved else state.moved_at


def raw_of(answer: Iterable[QueueStats]) -> dict[str, tuple[Any, ...]]:
    """What a reading keeps of the answer as the provider said it."""
    return {stats.number: msgspec.structs.astuple(stats)[1:] for stats in answer}


SET = (
    *("fence", "tried_at", "read_at", "moved_at", "skipped_rows", "figures"),
    *("failing_since", "failure", "failures", "not_before"),
)
STORE = f"""WITH written AS (
        UPDATE {PollState._meta.db_table} SET version = version + 1, {", ".join(f"{name} = %s" for name in SET)}
        WHERE id = %s AND version = %s AND fence <= %s RETURNING domain_id),
    reading AS (
        INSERT INTO {Reading._meta.db_table} (domain_id, read_at, figures, raw)
        SELECT domain_id, %s::timestamptz, %s, %s FROM written),
    released AS ({leases.RELEASE} AND EXISTS (SELECT 1 FROM written))
    SELECT 1 FROM written"""  # noqa: S608  (names of ours)


def store(state: PollState, lease: HeldLease, changes: Mapping[str, Any], reading: Any, raw: Any) -> bool:
    """Write what a poll changed and its reading, unless somebody else has written since; on PostgreSQL the lease ends
    with the transaction, and the caller says so once it is committed."""
    if not planned.is_possible():
        is_written = write(state, lease.fence, changes)
        if is_written:
            Reading.objects.create(domain_id=state.domain_id, read_at=changes["read_at"], figures=reading, raw=raw)
        return is_written
    stored = [text_of(value) if name == "figures" else value for name, value in changes.items()]
    by_name = {"fence": lease.fence, **dict(zip(changes, stored, strict=True))}
    of_state = [*(by_name[name] for name in SET), state.pk, state.version, lease.fence]
    of_reading = [changes["read_at"], text_of(reading), text_of(raw)]
    return bool(planned.answer(STORE, [*of_state, *of_reading, *lease.release_values]))


def write(state: PollState, fence: int, changes: Mapping[str, Any]) -> bool:
    """Write these changes, unless somebody else has written since."""
    mine = PollState.objects.filter(pk=state.pk, version=state.version, fence__lte=fence)
    return mine.update(fence=fence, version=state.version + 1, **changes) == 1


def text_of(value: Any) -> str:
    """As a column of JSON holds it."""
    return msgspec.json.encode(value).decode()
