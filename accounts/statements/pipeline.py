"""Statements that travel to PostgreSQL in one message, with the begin of their transaction, and are answered in one.

psycopg's own pipeline sends each statement by itself, once it has waited for the begin: eight of them wake the server
nine times, and cost this process four times as much. Here it is libpq's pipeline, as psycopg hands it out (psycopg.pq).
Each statement is planned once per connection.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    import psycopg
    from psycopg.pq.abc import PGresult

Row = tuple[Any, ...]
Question = tuple[str, Sequence[Any]]  # a statement and its values
Names = dict[tuple[str, tuple[int, ...]], bytes]  # (statement, types of its values) → the name it is planned under

MOST_PLANNED = 500  # on one connection; some dozens are usual, and those beyond it are planned each time
names_of: "WeakKeyDictionary[psycopg.Connection[Any], Names]" = WeakKeyDictionary()
_numbers = count()


class Message:
    """What is to be sent on one connection. Raises psycopg's DataError for a value that PostgreSQL cannot take."""

    def __init__(self, raw: "psycopg.Connection[Any]", questions: Sequence[Question]) -> None:
        from psycopg.adapt import Transformer  # only where the database is PostgreSQL
        from psycopg.pq import TransactionStatus

        self._pgconn = raw.pgconn
        self._names, self._new = names_of.setdefault(raw, {}), Names()
        self._sends: list[Callable[[], None]] = []
        self._asked: list[int] = []  # which of the answers are those to the questions
        self._transformer = Transformer(raw)
        if not raw.autocommit and raw.pgconn.transaction_status == TransactionStatus.IDLE:
            self._sends.append(partial(raw.pgconn.send_query_params, b"BEGIN", None))
        for statement, values in questions:
            self._add(statement, values)

    def _add(self, statement: str, values: Sequence[Any]) -> None:
        from psycopg.adapt import PyFormat
        from psycopg.pq import Format

        dumped = self._transformer.dump_sequence(values, [PyFormat.AUTO] * len(values))
        types, formats = self._transformer.types or (), self._transformer.formats
        name = self._names.get((statement, types)) or self._new.get((statement, types))
        if name is None:
            name = b""
            if len(self._names) + len(self._new) < MOST_PLANNED:
                # Never one that was used before: what failed on its way may be planned all the same.
                name = self._new[statement, types] = b"planned_%d" % next(_numbers)
            self._sends.append(partial(self._pgconn.send_prepare, name, numbered(statement), types))
        self._asked.append(len(self._sends))
        # Binary, since Django reads moments as text, in Python.
        bind = partial(self._pgconn.send_query_prepared, name, dumped, formats, result_format=Format.BINARY)
        self._sends.append(bind)

    def send(self) -> int:
        """Hand all of it to libpq; gives how many answers will come."""
        for send in self._sends:
            send()
        self._pgconn.pipeline_sync()
        return len(self._sends)

    def understand(self, results: "Sequence[PGresult]") -> list[list[Row]]:
        """The rows of each question. Raises what PostgreSQL says of the first that failed."""
        for result in results:
            _raise_if_failed(result)
        self._names |= self._new
        return [self._rows(results[place]) for place in self._asked]

    def _rows(self, result: "PGresult") -> list[Row]:
        self._transformer.set_pgresult(result)
        return self._transformer.load_rows(0, result.ntuples, tuple) if result.nfields else []


def exchange(raw: "psycopg.Connection[Any]", questions: Sequence[Question]) -> list[list[Row]]:
    """What PostgreSQL answers to each of these, in the transaction that is open or, without autocommit, begins here.

    Raises psycopg's errors. Where answers may still be under way, the connection is closed.
    """
    message = Message(raw, questions)
    with raw.lock:
        try:
            results = _answers(raw, message)
        except BaseException:
            raw.close()
            raise
    return message.understand(results)


def _answers(raw: "psycopg.Connection[Any]", message: Message) -> "list[PGresult]":
    from psycopg import generators

    raw.pgconn.enter_pipeline_mode()
    due = message.send()
    raw.wait(generators.send(raw.pgconn))
    results = [raw.wait(generators.fetch_many(raw.pgconn))[0] for _ in range(due)]
    raw.wait(generators.fetch_many(raw.pgconn))  # the end of the message
    raw.pgconn.exit_pipeline_mode()
    return results


def _raise_if_failed(result: "PGresult") -> None:
    import psycopg
    from psycopg.pq import ExecStatus

    if result.status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
        raise psycopg.errors.error_from_result(result)


@cache
def numbered(statement: str) -> bytes:
    """The statement with $1 and so on in place of each %s."""
    first, *others = statement.split("%s")
    return (first + "".join(f"${number}{text}" for number, text in enumerate(others, 1))).replace("%%", "%").encode()
