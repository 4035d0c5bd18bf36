"""A row committed in PostgreSQL by itself, with nothing of ours around it: the least that makes something durable."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def committing(url: str) -> Iterator[Callable[[bytes], object]]:
    """A function that comes back once its bytes are committed in the database at this address."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS bench_commit (id bigserial PRIMARY KEY, body bytea NOT NULL)")
        yield lambda body: connection.execute("INSERT INTO bench_commit (body) VALUES (%s)", [body], prepare=True)
