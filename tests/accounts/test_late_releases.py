"""Nobody waits for a lease whose owner could not release it while the database was away."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import leases
from accounts.models import Lease
from wallboard.demo.processes import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
AWAY = (DatabaseError, InterfaceError)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(leases, "RETRY_SECONDS", 0.05)
    yield
    assert wait_until(lambda: leases.late_releases.is_done, 10)


@contextmanager
def lost_database() -> Iterator[None]:
    """This thread's connection fails within the block: ended by the server, or locked out of the file."""
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        pid = connection.connection.info.backend_pid
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        other.close()
        yield
        connection.close()
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
    locking = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    locking.execute("BEGIN EXCLUSIVE")
    yield
    locking.execute("ROLLBACK")
    locking.close()
    connection.close()


def test_lease_is_released_once_the_database_is_back() -> None:
    held = leases.acquire("mending", 60)
    assert held is not None

    with lost_database(), pytest.raises(AWAY):
        held.release()

    assert wait_until(lambda: leases.acquire("mending", 60) is not None, 10)


def test_end_of_the_block_that_holds_it_releases_it_later_as_well() -> None:
    held = leases.acquire("mending", 60)
    assert held is not None

    with lost_database(), pytest.raises(AWAY), held:
        Lease.objects.update(fence=7)

    assert wait_until(lambda: leases.acquire("mending", 60) is not None, 10)


def test_lease_that_was_taken_without_an_answer_is_nobodys() -> None:
    held = leases.acquire("mending", 60)
    assert held is not None

    with pytest.raises(OperationalError), leases.free_if_lost([held.name], [held.owner]):
        raise OperationalError("the connection is lost")

    assert wait_until(lambda: leases.acquire("mending", 60) is not None, 10)


def test_next_owner_keeps_what_the_late_release_meets() -> None:
    late = leases.acquire("mending", 0.001)
    assert late is not None
    time.sleep(0.01)
    owner = leases.acquire("mending", 60)
    assert owner is not None

    leases.late_releases.plan(late.name, late.owner)

    assert wait_until(lambda: leases.late_releases.is_done, 10)
    assert owner.renew(60)


def test_what_cannot_be_released_for_long_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LONGEST_SECONDS", 0.0)
    held = leases.acquire("mending", 60)
    assert held is not None

    leases.late_releases.plan(held.name, held.owner)

    assert wait_until(lambda: leases.late_releases.is_done, 10)
    assert held.renew(60)  # nobody has released it


def test_thousands_that_were_left_are_released_in_a_few_statements() -> None:
    owned = [(f"lease {number}", f"owner {number}") for number in range(2500)]
    ahead = timezone.now() + timedelta(minutes=1)
    Lease.objects.bulk_create(Lease(name=name, owner=owner, until=ahead) for name, owner in owned)
    Lease.objects.filter(name="lease 7").update(owner="the next one")

    with CaptureQueriesContext(connection) as asked:
        leases.LateReleases()._release(owned)

    assert len(asked) == 3
    assert list(Lease.objects.exclude(owner="").values_list("name", flat=True)) == ["lease 7"]
