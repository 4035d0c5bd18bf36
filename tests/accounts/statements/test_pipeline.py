"""Statements travel in one message and are answered in one, whatever becomes of them: a real PostgreSQL."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from accounts.statements import pipeline
from tests.harness import postgres

AT = datetime(2026, 11, 20, 12, 0, 0, 123_456, tzinfo=UTC)
Raw = psycopg.Connection[Any]
PLANNED = "SELECT count(*)::int FROM pg_prepared_statements"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres.running_postgres(postgres.programs_or_skip(), "fsync=off") as running:
        yield running


@pytest.fixture
def raw(url: str) -> Iterator[Raw]:
    """As Django has it outside a transaction."""
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        connection.execute("CREATE TEMPORARY TABLE kept (number int PRIMARY KEY, words text)")
        yield connection


def status(raw: Raw) -> str:
    return psycopg.pq.TransactionStatus(raw.info.transaction_status).name


@contextmanager
def relayed(url: str) -> Iterator[tuple[str, list[bytes]]]:
    """An address before the server, and what was read from the client there, piece by piece."""
    address = urlsplit(url)
    pieces: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def carry() -> None:
            client = listening.accept()[0]
            server = socket.create_connection((address.hostname, address.port))
            with client, server:
                while True:
                    for side in select.select([client, server], [], [])[0]:
                        if not (piece := side.recv(1_000_000)):
                            return
                        (server if side is client else client).sendall(piece)
                        if side is client:
                            pieces.append(piece)

        thread = threading.Thread(target=carry, daemon=True)
        thread.start()
        yield url.replace(f":{address.port}", f":{listening.getsockname()[1]}"), pieces
        thread.join(10)


def test_answers_come_in_the_order_of_the_questions_as_what_they_mean(raw: Raw) -> None:
    odd = 'Zoë "Q" O\'Hara \\n %s 😀'

    found = pipeline.exchange(
        raw,
        [
            ("SELECT %s::text, %s::timestamptz, '100 %%'", [odd, AT]),
            ("INSERT INTO kept SELECT unnest(%s::int[]), NULL RETURNING number, words", [[3, 1, 2]]),
            ("UPDATE kept SET words = %s WHERE number = 1", [odd]),
            ("SELECT number FROM kept WHERE words IS NULL AND number = ANY(%s)", [[1, 2]]),
            ("SELECT %s::int, %s::bool", [None, True]),
        ],
    )

    assert found == [[(odd, AT, "100 %")], [(3, None), (1, None), (2, None)], [], [(2,)], [(None, True)]]
    assert status(raw) == "IDLE"
    assert raw.execute("SELECT words FROM kept WHERE number = 1").fetchall() == [(odd,)]


def test_all_of_it_with_the_begin_is_one_message(url: str) -> None:
    questions = [(f"SELECT {number} + %s::int", [1]) for number in range(8)]
    with relayed(url) as (address, pieces), closing(psycopg.connect(address)) as raw:
        pipeline.exchange(raw, questions)
        raw.rollback()
        pieces.clear()

        assert pipeline.exchange(raw, questions) == [[(number + 1,)] for number in range(8)]

        assert len(pieces) == 1
        assert status(raw) == "INTRANS"


def test_the_transaction_begins_with_the_first_message_and_goes_on_with_the_next(raw: Raw) -> None:
    raw.autocommit = False

    pipeline.exchange(raw, [("INSERT INTO kept VALUES (%s, 'one')", [1])])
    pipeline.exchange(raw, [("INSERT INTO kept VALUES (%s, 'two')", [2]), ("SELECT 1", [])])
    assert pipeline.exchange(raw, [("SELECT count(*)::int FROM kept", [])]) == [[(2,)]]
    raw.rollback()

    assert pipeline.exchange(raw, [("SELECT count(*)::int FROM kept", [])]) == [[(0,)]]


def test_what_fails_is_told_undoes_its_transaction_and_leaves_a_good_connection(raw: Raw) -> None:
    raw.autocommit = False
    failing = ("INSERT INTO kept VALUES (%s, '')", [7])
    pipeline.exchange(raw, [failing])

    with pytest.raises(psycopg.errors.UniqueViolation, match="kept_pkey"):
        pipeline.exchange(raw, [("SELECT 1", []), failing, ("SELECT 2", [])])
    assert status(raw) == "INERROR"
    raw.rollback()

    assert pipeline.exchange(raw, [("SELECT 2", []), failing, ("SELECT 1", [])]) == [[(2,)], [], [(1,)]]


def test_without_a_transaction_a_message_is_done_as_a_whole_or_not_at_all(raw: Raw) -> None:
    with pytest.raises(psycopg.errors.DivisionByZero):
        pipeline.exchange(raw, [("INSERT INTO kept VALUES (%s, '')", [1]), ("SELECT 1 / %s::int", [0])])

    assert raw.execute("SELECT * FROM kept").fetchall() == []


def test_a_value_that_cannot_be_kept_is_refused_before_anything_is_sent(raw: Raw) -> None:
    raw.autocommit = False

    with pytest.raises(psycopg.DataError, match="NUL"):
        pipeline.exchange(raw, [("INSERT INTO kept VALUES (%s, '')", [1]), ("SELECT %s::text", ["a\0b"])])

    assert status(raw) == "IDLE"


def test_a_statement_is_planned_once_for_each_kind_of_value(raw: Raw) -> None:
    for number in (1, 2, 2, 70_000):
        found = pipeline.exchange(raw, [("SELECT %s::bigint", [number]), ("SELECT %s::bigint", [number])])
        assert found == [[(number,)]] * 2

    assert raw.execute(PLANNED).fetchone() == (2,)  # for small numbers, and for those of four bytes


def test_what_failed_on_its_way_can_be_planned_again(raw: Raw) -> None:
    for _ in range(2):
        with pytest.raises(psycopg.errors.UndefinedTable):
            pipeline.exchange(raw, [("SELECT 5", []), ("SELECT 1 FROM nowhere", [])])

    assert pipeline.exchange(raw, [("SELECT 5", [])]) == [[(5,)]]


def test_statements_without_end_do_not_fill_the_server(raw: Raw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "MOST_PLANNED", 3)

    for number in range(10):
        assert pipeline.exchange(raw, [(f"SELECT {number}", []), (f"SELECT -{number}", [])]) == [
            [(number,)],
            [(-number,)],
        ]

    assert raw.execute(PLANNED).fetchone() == (3,)


def test_more_than_both_ends_can_hold_at_once_goes_through(raw: Raw) -> None:
    long = "x" * 3_000_000

    assert pipeline.exchange(raw, [("SELECT %s::text", [long])] * 8) == [[(long,)]] * 8


def test_a_server_that_ends_the_connection_is_told_as_such(url: str, raw: Raw) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [raw.info.backend_pid])

    with pytest.raises(psycopg.OperationalError):
        pipeline.exchange(raw, [("SELECT 1", []), ("SELECT 2", [])])

    assert raw.closed
    with pytest.raises(psycopg.OperationalError):
        pipeline.exchange(raw, [("SELECT 1", [])])


def test_whoever_is_interrupted_leaves_no_answers_to_the_next(raw: Raw, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = iter([False, False, True])
    really_wait = raw.wait

    def wait(work: Any) -> Any:
        if next(waits):
            raise SystemExit
        return really_wait(work)

    monkeypatch.setattr(raw, "wait", wait)
    with pytest.raises(SystemExit):
        pipeline.exchange(raw, [("SELECT 1", []), ("SELECT 2", [])])

    assert raw.closed
