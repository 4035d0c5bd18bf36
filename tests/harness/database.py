"""Which database a test process or an installation gets."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

numbers = count(1)


def on_postgres() -> bool:
    """Whether this test run was given a PostgreSQL server by DATABASE_URL."""
    return os.environ["DATABASE_URL"].startswith("postgres")


@contextmanager
def own_database() -> Iterator[str]:
    """The URL of a new database on the run's PostgreSQL server, dropped afterwards; "" where the run is on SQLite."""
    if not on_postgres():
        yield ""
        return
    server = urlsplit(os.environ["DATABASE_URL"])
    name = f"wallboard_site_{os.getpid()}_{next(numbers)}"
    with psycopg.connect(urlunsplit(server), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield urlunsplit(server._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(urlunsplit(server), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
