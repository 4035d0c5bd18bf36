"""Reports are read from the replica while that is good, everything else and every write goes to the database itself.

tests/machines/test_long_replica.py has a real replica that lags and goes away.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

from accounts.models import Domain
from wallboard.reports.reading import replica
from wallboard.reports.reading.replica import ALIAS, Health, Router


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A replica is named in the settings; what it answers is the newest text of the list, "" for good."""
    troubles = [""]
    monkeypatch.setattr(replica, "_trouble", lambda: troubles[-1])
    monkeypatch.setattr(replica, "health", Health())
    connections.databases[ALIAS] = connections.databases[DEFAULT_DB_ALIAS]
    yield troubles
    del connections.databases[ALIAS]


def test_only_reads_inside_go_there() -> None:
    router = Router()
    assert (router.db_for_read(Domain), router.db_for_write(Domain)) == (DEFAULT_DB_ALIAS, DEFAULT_DB_ALIAS)
    with replica.reading():
        assert (router.db_for_read(Domain), router.db_for_write(Domain)) == (ALIAS, DEFAULT_DB_ALIAS)
    assert router.db_for_read(Domain) == DEFAULT_DB_ALIAS
    assert (router.allow_migrate("replica", "calls"), router.allow_relation(Domain(), Domain())) == (False, True)


def test_a_view_falls_back_where_there_is_none_or_it_lags_or_fails(
    named: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(replica, "time", SimpleNamespace(monotonic=lambda: now))
    fails: list[Any] = []

    @replica.read_there
    def view() -> str:
        where = Router().db_for_read(Domain)
        if where == ALIAS and fails:
            raise fails.pop()
        return where

    assert view() == ALIAS
    named.append("the replica is 40 s behind")
    now += replica.LOOK_SECONDS
    assert view() == DEFAULT_DB_ALIAS
    named.append("")
    assert view() == DEFAULT_DB_ALIAS
    now += replica.PAUSE_SECONDS
    assert view() == ALIAS

    fails.append(OperationalError("canceling statement due to conflict with recovery"))
    assert view() == DEFAULT_DB_ALIAS
    assert view() == DEFAULT_DB_ALIAS
    now += replica.PAUSE_SECONDS
    assert view() == ALIAS


def test_without_a_replica_nothing_is_asked() -> None:
    assert not Health().is_good()
