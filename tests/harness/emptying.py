"""Emptying the tables after a test that committed: those that have rows. Django empties every table, and then makes
the rows of content types and permissions anew, which takes longer than most of these tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test import TransactionTestCase

from tests.harness.database import on_postgres

KEPT = {"django_migrations", "django_content_type", "auth_permission"}  # of migrations; no test changes them
TRIES = 4  # a server of the test that still writes can deadlock with us (PostgreSQL ends one of the two)


@contextmanager
def quick_flush() -> Iterator[None]:
    """Tests marked `django_db(transaction=True)` are followed by this instead of Django's `flush`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda self: empty())
        yield


def empty() -> None:
    """Delete all rows, again where somebody was in the way."""
    for _ in range(TRIES - 1):
        try:
            delete_rows()
        except OperationalError:
            connection.close()
        else:
            return
    delete_rows()


def delete_rows() -> None:
    """Once whoever still writes has done so; keys that point to rows already gone are looked at with the last."""
    with transaction.atomic(), connection.cursor() as cursor:
        names = tables()
        if on_postgres():
            cursor.execute(f"LOCK TABLE {', '.join(names)} IN SHARE ROW EXCLUSIVE MODE")
        cursor.execute("SELECT " + ", ".join(f"EXISTS(SELECT 1 FROM {name})" for name in names))
        for name, has_rows in zip(names, cursor.fetchone(), strict=True):
            if has_rows:
                cursor.execute(f"DELETE FROM {name}")


@cache
def tables() -> list[Any]:
    """The quoted names of all tables but those that stay."""
    found = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return [connection.ops.quote_name(name) for name in found if name not in KEPT]
