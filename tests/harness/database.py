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


def url_of(name: str) -> str:
    """The address of that database: one of the run's PostgreSQL server, or an SQLite file."""
    if not on_postgres():
        return f"sqlite:///{name}"
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))


@contextmanager
def own_database() -> Iterator[str]:
    """The URL of a new database on the run's PostgreSQL server, dropped afterwards; "" where the run is on SQLite."""
    if not on_postgres():
        yield ""
        return
    name = f"wallboard_site_{os.getpid()}_{next(numbers)}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield url_of(name)
    finally:
        drop(name)


def drop(name: str) -> None:
    """Remove that database of the run's PostgreSQL server, whoever is connected to it."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
