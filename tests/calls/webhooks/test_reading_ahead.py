"""What a transaction reads is asked at once, and whatever was guessed wrong is asked when it is needed."""

import threading

import psycopg
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Domain, Person
from accounts.statements import bulk_rows, pipeline, planned
from tests.calls.conftest import Deliver, arrival, make_subscription
from tests.calls.events import event
from wallboard.calls import documents, leg_store
from wallboard.calls.models import Delivery, Leg, Presence, Subscription
from wallboard.calls.webhooks import intake, reading_ahead
from wallboard.demo.processes import wait_until
from wallboard.queues.models import Queue
from wallboard.telephony import messages


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many statements went to the database together, each time."""
    found: list[int] = []
    really_ask = planned.answers

    def answers(questions: list[pipeline.Question]) -> list[list[pipeline.Row]]:
        found.append(len(questions))
        return really_ask(questions)

    for module in (planned, bulk_rows):
        monkeypatch.setattr(module, "answers", answers)
    return found


def test_a_delivery_goes_to_the_database_twice_before_the_commit(deliver: Deliver, trips: list[int]) -> None:
    deliver(event("ringing"))
    trips.clear()

    deliver(event("active"))

    assert Presence.objects.get().state == "talking"
    if connection.vendor == "postgresql":
        assert trips == [8, 2]


def test_what_a_queue_is_dialled_for_is_guessed_from_the_delivery_before(
    domain: Domain, deliver: Deliver, trips: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_ahead, "queue_numbers", {})
    Queue.objects.create(domain=domain, number="800", name="Sales")
    deliver(event("ringing"), event("ringing", call="q", leg="ql", user="800"))
    first, trips[:] = list(trips), []

    deliver(event("active"), event("active", call="q", leg="ql", user="800"))

    assert [each.extension for each in Person.objects.all()] == ["101"]
    assert Presence.objects.get().state == "talking"
    if connection.vendor == "postgresql":
        assert (len(first) > 3, trips) == (True, [8, 2])


def test_new_calls_of_two_companies_are_numbered_ahead_too(subscription: Subscription, trips: list[int]) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://127.0.0.1:1", client_id="id")
    both = [subscription, make_subscription(other, "calls", "another secret")]
    intake.commit([arrival(each, event("ringing")) for each in both])
    trips.clear()

    intake.commit([arrival(each, event("ringing", call="c2", leg="l2")) for each in both])

    assert Leg.objects.filter(from_call_id="c2").count() == 2
    if connection.vendor == "postgresql":
        assert trips == [14, 1, 1]  # the phones ring already, so no presence changes


def test_what_was_read_ahead_is_forgotten_where_the_transaction_fails(
    deliver: Deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError

    with monkeypatch.context() as patched:
        patched.setattr("wallboard.calls.leg_store.merge_facts", fail)
        deliver(event("ringing"))

    assert planned.foreseen.answers == {}
    assert (Delivery.objects.get().problem, Leg.objects.count()) == ("ValueError", 0)


def test_the_feeds_are_told_without_asking_for_names_again(domain: Domain, deliver: Deliver) -> None:
    Queue.objects.create(domain=domain, number="800", name="Sales")
    Person.objects.create(domain=domain, extension="101", name="Ana")
    changes = deliver(event("ringing"))[domain.pk]

    with CaptureQueriesContext(connection) as asked:
        known = documents.directory_of(domain.pk, changes.legs.values(), changes)

    assert (known.name("101"), known.name("800"), len(asked)) == ("Ana", "Sales", 0)


def test_who_stands_on_another_leg_of_the_call_is_asked_for(domain: Domain, deliver: Deliver) -> None:
    Person.objects.create(domain=domain, extension="102", name="Bo")
    deliver(event("ringing", leg="l2", user="102"))
    changes = deliver(event("ringing"))[domain.pk]

    known = documents.directory_of(domain.pk, [*changes.legs.values(), *changes.context.values()], changes)

    assert known.name("102") == "Bo"


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_behind_the_lock_is_no_older_than_the_lock() -> None:
    if connection.vendor != "postgresql":  # SQLite has one writer anyway, and nothing is asked ahead
        return
    domain = Domain.objects.create(slug="acme", name="Acme", base_url="http://127.0.0.1:1", client_id="id")
    found: list[set[str]] = []

    def read() -> None:
        questions = reading_ahead.questions([(domain.pk, 0, [messages.read(event("ringing"))])])  # type: ignore[list-item]
        with transaction.atomic(), planned.asked_ahead([], questions):
            found.append(leg_store.queue_names_of(domain.pk).keys() & {"800"})
        connection.close()

    with psycopg.connect(**connection.get_connection_params() | {"context": None}) as other:
        other.execute("SELECT 1 FROM accounts_domain WHERE id = %s FOR NO KEY UPDATE", [domain.pk])
        thread = threading.Thread(target=read)
        thread.start()
        assert wait_until(lambda: bool(waiting_for_locks()), 20)
        Queue.objects.create(domain=domain, number="800", name="Sales")
        assert found == []
    thread.join()

    assert found == [{"800"}]


def waiting_for_locks() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return int(cursor.fetchone()[0])
