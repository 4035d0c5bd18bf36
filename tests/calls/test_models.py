"""Indexes of legs are written when a call begins and ends, not at each event between."""

from collections.abc import Iterator

import pytest
from django.db import connection

from tests.calls.conftest import Deliver
from tests.calls.events import event
from wallboard.calls.models import Leg


def leg_updates() -> tuple[int, int]:
    """How often this transaction wrote a leg again, and how often of that without its indexes (PostgreSQL)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_xact_user_tables WHERE relname = 'calls_leg'")
        updates, without = cursor.fetchone()
    return updates, without


def indexed_together() -> Iterator[list[str]]:
    """The columns of each index of legs."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Leg._meta.db_table)
    yield from (each["columns"] for each in found.values() if each["index"] or each["unique"])


def test_a_leg_is_written_again_without_its_indexes_while_the_call_goes_on(deliver: Deliver) -> None:
    deliver(event("progressing"))
    if connection.vendor == "postgresql":
        before = leg_updates()

    deliver(event("ringing"))
    deliver(event("active"))

    assert Leg.objects.get().to_state == "active"
    if connection.vendor == "postgresql":
        updates, without = leg_updates()
        assert (updates - before[0], without - before[1]) == (2, 2)


@pytest.mark.django_db
def test_no_index_of_legs_is_the_beginning_of_another() -> None:
    # Partial ones apart, which are small.
    whole = [each for each in indexed_together() if each and each != ["domain_id"]]

    assert not [each for each in whole for other in whole if each != other and other[: len(each)] == each]
    assert sum(each == ["domain_id"] for each in indexed_together()) == 1
