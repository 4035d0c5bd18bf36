"""The rows of the polls of several companies at once, on PostgreSQL: taken in one statement, stored in two.

Whoever is not among the answers goes on by himself: a row that somebody else has locked, a company that was never read,
one with a new queue, one whose answer nothing can be made of.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from accounts import leases
from accounts.leases import HeldLease
from accounts.models import Domain, Lease
from accounts.statements import planned
from wallboard.queues import figures
from wallboard.queues.models import PollState, Reading
from wallboard.queues.rounds import poll_rows
from wallboard.telephony.resources import QueueStatsList

TAKE = f"""WITH free AS (
        SELECT l.id, wanted.owner, wanted.domain_id
        FROM UNNEST(%s::text[], %s::text[], %s::bigint[]) AS wanted (name, owner, domain_id)
        JOIN {Lease._meta.db_table} l ON l.name = wanted.name
        WHERE l.owner = '' OR l.until <= STATEMENT_TIMESTAMP() OR l.until > {leases.AFTER}
        ORDER BY l.id FOR UPDATE OF l SKIP LOCKED),
    taken AS (
        UPDATE {Lease._meta.db_table} l SET owner = free.owner, fence = l.fence + 1, until = {leases.AFTER}
        FROM free WHERE l.id = free.id RETURNING free.domain_id, l.name, l.owner, l.fence)
    SELECT taken.domain_id, taken.name, taken.owner, taken.fence, {poll_rows.COLUMNS}
    FROM taken JOIN {Domain._meta.db_table} d ON d.id = taken.domain_id {poll_rows.BESIDE}"""  # noqa: S608
# The company, too, as a reading that refers to it would wait for whoever has that row.
HOLD = f"""SELECT s.domain_id, {poll_rows.WITH} WHERE s.domain_id = ANY(%s)
    ORDER BY s.domain_id FOR UPDATE OF s SKIP LOCKED FOR KEY SHARE OF d SKIP LOCKED"""
STORE = f"""WITH newest AS (
        SELECT * FROM UNNEST(%s::bigint[], %s::bigint[], %s::bigint[], %s::timestamptz[], %s::int[], %s::text[],
            %s::text[], %s::text[], %s::text[], %s::text[], %s::timestamptz[], %s::timestamptz[])
        AS each (id, version, fence, tried_at, skipped_rows, figures, reading, raw, name, owner, read_at, moved_at)),
    written AS (
        UPDATE {PollState._meta.db_table} s SET version = s.version + 1, fence = n.fence, tried_at = n.tried_at,
            read_at = n.read_at, moved_at = n.moved_at, skipped_rows = n.skipped_rows, figures = n.figures,
            failing_since = NULL, failure = '', failures = 0, not_before = NULL
        FROM newest n WHERE s.id = n.id AND s.version = n.version AND s.fence <= n.fence
        RETURNING s.id, s.domain_id, s.read_at),
    reading AS (
        INSERT INTO {Reading._meta.db_table} (domain_id, read_at, figures, raw)
        SELECT w.domain_id, w.read_at, n.reading, n.raw FROM written w JOIN newest n ON n.id = w.id),
    released AS (
        UPDATE {Lease._meta.db_table} l SET owner = '', until = STATEMENT_TIMESTAMP()
        FROM newest n JOIN written w ON w.id = n.id WHERE l.name = n.name AND l.owner = n.owner AND l.fence = n.fence)
    SELECT domain_id FROM written"""  # noqa: S608  (names of ours)


@dataclass(frozen=True)
class Answered:
    """A company whose provider has answered, with the state that was read under the lease."""

    domain: Domain
    state: PollState
    lease: HeldLease
    tried_at: datetime
    answer: QueueStatsList
    read_at: datetime = field(default_factory=timezone.now)


@dataclass(frozen=True)
class Stored:
    """What became of an answer: whether it was written, and what is held since then."""

    is_written: bool
    newest: figures.Newest


def taken(domain_ids: Sequence[int]) -> list[tuple[HeldLease, Domain] | None]:
    """As poll_rows.taken(); None, too, where more than one statement is needed to find out."""
    names, owners = [poll_rows.lease_name(pk) for pk in domain_ids], [uuid4().hex for _ in domain_ids]
    too_far = 2 * poll_rows.LEASE_SECONDS + leases.DOUBT_SECONDS
    with leases.free_if_lost(names, owners):
        rows = planned.answer(TAKE, [names, owners, list(domain_ids), too_far, poll_rows.LEASE_SECONDS])
    found = {pk: (HeldLease(*lease), poll_rows.domain_of(values)) for pk, lease, values in map(_parted, rows)}
    return [found.get(pk) for pk in domain_ids]


def _parted(row: Sequence[Any]) -> tuple[int, Sequence[Any], Sequence[Any]]:
    return row[0], row[1:4], row[4:]


def store(polls: Sequence[Answered]) -> list[Stored | None]:
    """Store these answers in one transaction, which ends their leases, too."""
    with transaction.atomic():
        rows = planned.answer(HOLD, [[each.domain.pk for each in polls]])
        held = {row[0]: row[1:] for row in rows}
        made = {
            each.domain.pk: newest
            for each in polls
            if each.domain.pk in held and (newest := _made(each, held[each.domain.pk]))
        }
        stored = [each for each in polls if each.domain.pk in made]
        written = _written(stored, made) if stored else set()
    for each in stored:
        each.lease.is_over = each.domain.pk in written
    return [Stored(pk in written, made[pk]) if (pk := each.domain.pk) in made else None for each in polls]


def _made(poll: Answered, row: Sequence[Any]) -> figures.Newest | None:
    """What is held after this answer; None where it is not as simple as that."""
    before, now = figures.held(poll.state.figures), poll_rows.held_of(poll.domain, row)
    newest = poll_rows.merged(before, poll.answer, now, poll.state.version + 1, poll.read_at)
    return newest if newest.reading.keys() <= before.keys() else None


def _written(polls: Sequence[Answered], made: dict[int, figures.Newest]) -> set[int]:
    rows = []
    for each in polls:
        newest, raw = made[each.domain.pk], poll_rows.raw_of(each.answer)
        of_state = each.state.pk, each.state.version, each.lease.fence, each.tried_at, each.answer.skipped
        texts = map(poll_rows.text_of, (newest.held, newest.reading, raw))
        moments = each.read_at, poll_rows.moved_at(each.state, newest, each.read_at)
        rows.append((*of_state, *texts, each.lease.name, each.lease.owner, *moments))
    columns = [list(column) for column in zip(*rows, strict=True)]
    return {domain_id for (domain_id,) in planned.answer(STORE, columns)}
