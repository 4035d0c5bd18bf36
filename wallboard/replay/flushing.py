"""What many recorders know, written in one transaction on PostgreSQL: most of them change rows that are there.

All or nothing: where one is superseded, or the database refuses anything, each has to write by himself.
"""

from collections.abc import Sequence

from django.db import DatabaseError, InterfaceError, transaction

from accounts.models import Lease
from accounts.statements import planned
from wallboard.replay.models import Run, Span
from wallboard.replay.recorder import LEASE_SECONDS, Piece, Recorder

TOGETHER = 50  # recorders in a transaction
RENEW = f"""UPDATE {Lease._meta.db_table} l SET until = STATEMENT_TIMESTAMP() + %s * INTERVAL '1 second'
    FROM UNNEST(%s::text[], %s::text[], %s::bigint[]) AS mine (name, owner, fence)
    WHERE l.name = mine.name AND l.owner = mine.owner AND l.fence = mine.fence RETURNING 1"""  # noqa: S608
END_RUNS = f"""UPDATE {Run._meta.db_table} r SET ends = known.ends
    FROM UNNEST(%s::bigint[], %s::bigint[]) AS known (id, ends)
    WHERE r.id = known.id RETURNING 1"""  # noqa: S608
WRITE = f"""UPDATE {Span._meta.db_table} s SET data = known.data
    FROM UNNEST(%s::bigint[], %s::int[], %s::bytea[]) AS known (id, version, data)
    WHERE s.id = known.id AND s.version = known.version RETURNING 1"""  # noqa: S608
FIND = f"""SELECT 1 FROM {Span._meta.db_table} s JOIN UNNEST(%s::bigint[], %s::int[]) AS known (id, version)
    ON s.id = known.id AND s.version = known.version"""  # noqa: S608


class _AreOthers(Exception):
    """Rows of ours are gone, or somebody else's: which of them, each finds out by himself."""


def write_together(recorders: Sequence[Recorder]) -> set[int]:
    """The companies of which all that is known was written together."""
    if not planned.is_possible():
        return set()
    fitting = [each for each in recorders if each.rows is not None]
    done: set[int] = set()
    for begin in range(0, len(fitting), TOGETHER):
        some = fitting[begin : begin + TOGETHER]
        try:
            with transaction.atomic():
                _write(some)
        except (_AreOthers, DatabaseError, InterfaceError):
            continue
        for each in some:
            each.flushed()
            done.add(each.domain_id)
    return done


def _write(recorders: Sequence[Recorder]) -> None:
    leases = [each.lease.release_values for each in recorders]
    _all(RENEW, leases, LEASE_SECONDS)
    found = [rows for each in recorders if (rows := each.rows) is not None]
    _all(END_RUNS, [(run.pk, each.known_until) for (run, _), each in zip(found, recorders, strict=True)])
    pieces = [piece for _, pieces in found for piece in pieces]
    _all(FIND, [_row(piece) for piece in pieces if piece.writer.is_written])
    _all(WRITE, [(*_row(piece), piece.writer.growing()) for piece in pieces if not piece.writer.is_written])


def _row(piece: Piece) -> tuple[int, int]:
    assert piece.row is not None
    return piece.row.pk, piece.row.version


def _all(statement: str, rows: Sequence[Sequence[object]], *before: object) -> None:
    """Run a statement with the columns of these rows. Raises _AreOthers where it did not find all of them."""
    if not rows:
        return
    columns = [list(column) for column in zip(*rows, strict=True)]
    if len(planned.answer(statement, [*before, *columns])) != len(rows):
        raise _AreOthers
