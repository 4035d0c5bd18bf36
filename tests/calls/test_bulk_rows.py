"""Rows kept and read past the ORM are those that Django would keep and read."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import DataError, IntegrityError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Domain, Person
from accounts.statements import bulk_rows, pipeline, planned
from tests.calls.conftest import Deliver
from tests.calls.events import event
from wallboard.calls.models import ChangedLeg, Delivery, Leg, Presence, Subscription

AT = datetime(2026, 11, 20, 12, 0, 0, 123_456, tzinfo=UTC)
ODD = 'Zoë "Q" O\'Hara \\n \u2028 %s 😀 {"a": [1]}'
PAIR = ("domain_id", "from_call_id", "to_call_id")
MOST_STATEMENTS = {"postgresql": 12, "sqlite": 24}  # of one transaction, with its begin and end, however many come


def leg(domain: Domain, number: int, **columns: object) -> Leg:
    ends = {"from_call_id": f"c{number}", "to_call_id": f"l{number}", "from_name": ODD}
    return Leg(**({"domain": domain, "first_seen_at": AT, "heard_at": AT} | ends | columns))


def values(rows: list[Leg]) -> list[dict[str, object]]:
    return [{name: getattr(row, name) for name in bulk_rows.shape_of(Leg).names} for row in rows]


def test_rows_are_put_as_they_are_and_read_as_they_were(domain: Domain) -> None:
    rows = [leg(domain, 1), leg(domain, 2, is_human=False, ended_at=AT + timedelta(microseconds=1), version=2**40)]

    bulk_rows.upsert(rows, PAIR)

    assert values(list(Leg.objects.order_by("pk"))) == values(rows)
    assert values(sorted(bulk_rows.select(Leg, {"domain_id": domain.pk}), key=lambda row: row.pk)) == values(rows)


def test_a_row_that_stands_becomes_equal_and_keeps_its_id(domain: Domain) -> None:
    bulk_rows.upsert([leg(domain, 1)], PAIR)
    before = Leg.objects.get()

    rows = [leg(domain, 2), leg(domain, 1, to_user="104", ended_at=AT)]
    bulk_rows.upsert(rows, PAIR)

    assert rows[1].pk == before.pk != rows[0].pk
    assert values(list(Leg.objects.order_by("from_call_id"))) == values([rows[1], rows[0]])


def test_rows_that_were_numbered_are_stored_with_what_refers_to_them(domain: Domain) -> None:
    bulk_rows.upsert([leg(domain, 1)], PAIR)
    known, ana = Leg.objects.get(), Person.objects.create(domain=domain, extension="101")
    known.to_user = "104"
    rows = [leg(domain, 2), known, leg(domain, 3)]

    bulk_rows.number(rows, 3)
    numbers = [row.pk for row in rows]
    presence = Presence(person=ana, since=AT, leg=rows[2])
    bulk_rows.upsert_all((rows, PAIR), ([presence], ("person_id",)))
    bulk_rows.upsert_all(([], PAIR), ([], ("person_id",)))

    assert (numbers[1], len({*numbers})) == (known.pk, 3)
    assert values(list(Leg.objects.order_by("from_call_id"))) == values([known, rows[0], rows[2]])
    assert [row.pk for row in rows] == numbers
    assert (Presence.objects.get().pk, Presence.objects.get().leg_id) == (presence.pk, numbers[2])
    assert Leg.objects.create(domain=domain, first_seen_at=AT, heard_at=AT).pk not in numbers


def test_the_first_rows_of_a_table_are_numbered_too(domain: Domain) -> None:
    rows = [leg(domain, 1), leg(domain, 2)]

    bulk_rows.number(rows, 5)
    bulk_rows.upsert(rows, PAIR)

    assert len(set(Leg.objects.values_list("pk", flat=True)) & {row.pk for row in rows}) == 2


def test_conditions_are_met_together_and_sets_of_them_one_or_the_other(domain: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://127.0.0.1:1", client_id="id")
    rows = [leg(domain, 1, to_user="101"), leg(domain, 2, from_user="102"), leg(domain, 3, to_user="101", ended_at=AT)]
    bulk_rows.upsert([*rows, leg(other, 1, to_user="101"), leg(domain, 4, to_user="103")], PAIR)

    live = {"domain_id": domain.pk, "ended_at": None}
    people = ["101", "102"]
    found = bulk_rows.select(Leg, live | {"from_user__in": people}, live | {"to_user__in": people})

    assert sorted(row.from_call_id for row in found) == ["c1", "c2"]
    assert bulk_rows.select(Leg, {"domain_id": domain.pk, "to_user__in": []}) == []


def test_rows_come_with_the_row_that_refers_to_them_or_with_none(domain: Domain) -> None:
    ana, bo = (Person.objects.create(domain=domain, extension=each, name=ODD) for each in ("101", "102"))
    presence = Presence.objects.create(person=ana, since=AT, published_name=ODD)

    of_both = {"domain_id": domain.pk, "extension__in": ["102", "101"]}
    found = bulk_rows.select_beside(Person, Presence, "person_id", of_both)

    assert sorted(found, key=lambda pair: pair[0].extension) == [(ana, presence), (bo, None)]
    assert all(person.name == ODD for person, _ in found)


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_ahead_is_answered_once_and_all_else_as_it_is_asked() -> None:
    if connection.vendor != "postgresql":
        return
    wanted = bulk_rows.worded(Leg, ({"domain_id": 1, "to_user__in": {"b", "a"}},))

    with planned.asked_ahead([("SELECT set_config('work_mem', %s, false)", ["4MB"])], [wanted, ("SELECT 2", [])]):
        with CaptureQueriesContext(connection) as asked:
            assert bulk_rows.select(Leg, {"domain_id": 1, "to_user__in": ["a", "b"]}) == []
            assert planned.answer("SELECT 2", []) == [(2,)]
        assert len(asked) == 0
        assert planned.answer("SELECT 2", []) == [(2,)]
        assert planned.answer("SELECT 3", []) == [(3,)]

    assert planned.foreseen.answers == {}
    with pytest.raises(DataError):
        planned.answers([("SELECT 1", []), ("SELECT 1 / %s::int", [0]), ("SELECT 2", [])])
    assert planned.answer("SELECT 4", []) == [(4,)]


def test_an_identity_that_is_there_already_is_refused(subscription: Subscription) -> None:
    identity = uuid4()

    def row() -> Delivery:
        return Delivery(identity=identity, subscription=subscription, received_at=AT, body=ODD)

    bulk_rows.insert([row()])

    with pytest.raises(IntegrityError), transaction.atomic():
        bulk_rows.insert([row()])
    assert Delivery.objects.get().body == ODD


def test_many_deliveries_cost_no_more_statements_than_one(deliver: Deliver) -> None:
    people = [str(100 + number) for number in range(40)]
    deliver(*(event("ringing", call=f"a{user}", leg=f"b{user}", user=user) for user in people))

    with CaptureQueriesContext(
        connection,
    ) as asked:
        deliver(*(event("active", call=f"a{user}", leg=f"b{user}", user=user) for user in people))

    assert len(asked) <= MOST_STATEMENTS[connection.vendor], [each["sql"][:80] for each in asked.captured_queries]


def test_what_is_sealed_can_be_opened_and_the_row_saved(subscription: Subscription) -> None:
    (row,) = bulk_rows.select(Subscription, {"id": subscription.pk})
    row.failure = "late"
    row.save(update_fields=["failure"])

    kept = Subscription.objects.get()
    assert (row.secret.open(), row.created_at) == (kept.secret.open(), kept.created_at)
    assert kept.failure == "late"


def test_rows_are_taken_in_the_order_of_their_ids(domain: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://127.0.0.1:1", client_id="id")

    with transaction.atomic():
        taken = bulk_rows.lock(Domain, [other.pk, domain.pk, other.pk])

    assert [(each.pk, each.slug) for each in taken] == [(domain.pk, domain.slug), (other.pk, "other")]


@pytest.mark.django_db(transaction=True)
def test_a_table_that_a_migration_changes_is_planned_anew_on_all_connections_but_the_first() -> None:
    if connection.vendor != "postgresql":  # SQLite has no statements that outlive what they were planned for
        return

    def connected() -> psycopg.Connection[Any]:
        return psycopg.connect(**connection.get_connection_params() | {"context": None}, autocommit=True)

    question = bulk_rows.worded(Leg, ({"domain_id": 1},))
    with connected() as migrating, connected() as other:
        planned.answer(*question)
        pipeline.exchange(other, [question])
        migrating.execute("ALTER TABLE calls_leg ALTER to_name TYPE varchar(201)")

        with pytest.raises(OperationalError):  # as the committer has it, who then tries once more
            planned.answer(*question)
        connection.close()

        assert planned.answer(*question) == []
        assert pipeline.exchange(other, [question]) == [[]]
        migrating.execute("ALTER TABLE calls_leg ALTER to_name TYPE varchar(200)")
    pipeline.names_of.clear()
    connection.close()


def test_rows_of_a_single_column_travel_as_all_others_do() -> None:
    assert bulk_rows.shape_of(ChangedLeg).as_json([ChangedLeg(leg_id=5)]) == '[{"leg_id":5}]'
