"""Deliveries are kept and applied together; nothing of one harms another."""

from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any
from uuid import uuid4

import pytest
from django.db import DataError, OperationalError, connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Domain, Person
from tests.calls.conftest import Deliver, arrival, make_subscription
from tests.calls.events import event, record, set_up
from wallboard.calls import detail_records, documents, leg_store
from wallboard.calls.models import Delivery, Leg, Presence, Record, Subscription
from wallboard.calls.webhooks import intake
from wallboard.queues.models import Queue

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
CALL = (
    event("progressing"),
    event(("progressing", "ringing")),
    event(("progressing", "ringing"), leg="l2", user="102"),
    event("active"),
    event(("active", "ended"), leg="l2", user="102"),
    event("ended"),
    record(),
)


def state() -> list[Any]:
    """Everything that deliveries decide, without times of receipt, versions and ids."""
    legs_known = Leg.objects.order_by("from_call_id", "to_call_id").values_list(
        "from_call_id", "to_call_id", "from_state", "to_state", "to_user", "is_answered", "has_record", "ranks", "queue"
    )
    people_known = Presence.objects.order_by("person__extension").values_list("person__extension", "state", "leg")
    return [*legs_known, *people_known, *Record.objects.values_list("from_call_id", "duration_seconds")]


def test_a_call_rings_is_answered_and_ends(domain: Domain, deliver: Deliver) -> None:
    deliver(event("ringing"))
    assert presence_of("101") == "ringing"

    deliver(event("active"))
    assert presence_of("101") == "talking"

    deliver(event("ended"))
    assert presence_of("101") == "idle"
    assert Delivery.objects.filter(applied_at=None).count() == 0


def presence_of(extension: str) -> str:
    return Presence.objects.get(person__extension=extension).state


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_order_repetition_and_grouping_gives_the_same_rows(data: st.DataObject, deliver: Deliver) -> None:
    _forget()
    deliver(*CALL)
    expected = state()
    _forget()

    repeated = [*CALL, *data.draw(st.lists(st.sampled_from(CALL), max_size=4))]
    for body in data.draw(st.permutations(repeated)):
        deliver(body)

    assert state() == expected


def _forget() -> None:
    for model in (Presence, Leg, Record, Delivery, Person):
        model.objects.all().delete()


def test_every_order_of_the_four_states_ends_the_call(deliver: Deliver) -> None:
    for number, order in enumerate(permutations(["progressing", "ringing", "active", "ended"])):
        for word in order:
            deliver(event(word, call=f"c{number}"))

    assert set(Leg.objects.values_list("to_state", flat=True)) == {"ended"}
    assert Leg.objects.filter(ended_at=None).count() == 0


def test_the_same_delivery_twice_is_no_news(domain: Domain, deliver: Deliver) -> None:
    deliver(event("ringing"), at=NOON)
    version = Leg.objects.get().version

    told = deliver(event("ringing"), at=NOON + timedelta(seconds=1))

    assert (told[domain.pk].legs, told[domain.pk].presences) == ({}, {})
    assert (Leg.objects.get().version, Delivery.objects.count()) == (version, 2)


def test_an_identity_is_kept_once(subscription: Subscription) -> None:
    one = arrival(subscription, event("ringing"))
    intake.commit([one])

    intake.commit([one, arrival(subscription, event("ended"))])

    assert Delivery.objects.count() == 2
    assert Leg.objects.get().to_state == "ended"


def test_a_poisonous_delivery_is_kept_with_its_problem_and_its_mates_are_applied(
    subscription: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_keep = leg_store.merge_facts

    def keep(domain: Domain, facts: dict[leg_store.Pair, Any]) -> leg_store.Changes:
        if ("poison", "l1") in facts:
            raise DataError("value out of range")
        return really_keep(domain, facts)

    monkeypatch.setattr(leg_store, "merge_facts", keep)
    bodies = [event("ringing", call=call) for call in ("good", "poison", "fine")]
    intake.commit([arrival(subscription, body) for body in bodies])

    assert list(Leg.objects.order_by("pk").values_list("from_call_id", flat=True)) == ["good", "fine"]
    assert list(Delivery.objects.order_by("pk").values_list("problem", flat=True)) == ["", "DataError", ""]


def test_the_longest_texts_and_odd_characters_are_kept(deliver: Deliver) -> None:
    deliver(event("ringing", caller="9" * 5000, number="\U0001f600" * 300, by_call_id="b" * 200))
    deliver(event("ringing", call=b"with \\u0000 nul".decode("unicode_escape")))

    assert Delivery.objects.filter(applied_at=None).count() == 0
    assert Leg.objects.count() == 2


def test_a_deadlock_is_tried_again(subscription: Subscription, monkeypatch: pytest.MonkeyPatch) -> None:
    really_apply, failures = intake.apply, [failure("40P01"), failure("40001")]

    def apply(arrivals: list[intake.Arrival]) -> Any:
        if failures:
            raise failures.pop()
        return really_apply(arrivals)

    monkeypatch.setattr(intake, "apply", apply)
    intake.commit([arrival(subscription, event("ringing"))])

    assert Delivery.objects.count() == 1


def test_a_database_that_is_away_is_the_callers_to_know(
    subscription: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    def apply(arrivals: list[intake.Arrival]) -> Any:
        raise failure("57P01")

    monkeypatch.setattr(intake, "apply", apply)
    with pytest.raises(OperationalError):
        intake.commit([arrival(subscription, event("ringing"))])

    assert Delivery.objects.count() == 0


def failure(sqlstate: str) -> OperationalError:
    class Cause(Exception):
        pass

    error, cause = OperationalError("no"), Cause()
    cause.sqlstate = sqlstate  # type: ignore[attr-defined]
    error.__cause__ = cause
    return error


def test_calls_of_another_company_are_kept_but_not_applied(domain: Domain, deliver: Deliver) -> None:
    domain.provider_domain = "Example.org"
    domain.save()

    deliver(event("ringing"), event("ringing", call="c2").replace(b"example.org", b"evil.example"))

    assert list(Leg.objects.values_list("from_call_id", flat=True)) == ["c1"]
    assert list(Delivery.objects.order_by("pk").values_list("problem", flat=True)) == ["", "other domain"]


def test_a_call_to_a_queue_is_a_queue_leg_and_makes_no_person(domain: Domain, deliver: Deliver) -> None:
    Queue.objects.create(domain=domain, number="900", name="Sales")

    deliver(event("ringing", user="900"))
    deliver(event("ringing", call="c2", user=None, number="900"))

    assert list(Leg.objects.values_list("queue", flat=True)) == ["900", "900"]
    assert Person.objects.count() == 0
    assert {value.queue for key, (_, value) in documents.calls(domain.pk).items() if key != "events"} == {"900"}
    assert documents.desk(domain.pk, "900") == {
        str(leg.pk): (leg.version, None) for leg in Leg.objects.filter(to_user="900")
    }


def test_a_machine_that_answers_is_nobodys_presence(domain: Domain, deliver: Deliver) -> None:
    deliver(event("active", is_human=False))

    assert Person.objects.count() == 0
    assert [value for _, value in documents.desk(domain.pk, "101").values()] == [None]


def test_set_up_messages_move_a_subscription_forward_only(subscription: Subscription, deliver: Deliver) -> None:
    deliver(set_up("ready"))
    deliver(set_up("preparing"), set_up("ready"))

    subscription.refresh_from_db()
    assert subscription.state == "ready"


def test_a_record_closes_what_the_events_missed(domain: Domain, deliver: Deliver) -> None:
    deliver(event("active"))

    told = deliver(record())

    leg = Leg.objects.get()
    assert (leg.to_state, leg.is_answered, leg.has_record, presence_of("101")) == ("ended", True, True, "idle")
    assert set(told[domain.pk].legs) == {leg.pk}
    assert Record.objects.get().duration_seconds == 55


def test_a_record_of_an_unknown_call_is_history_and_rings_nowhere(domain: Domain, deliver: Deliver) -> None:
    deliver(record(answered=False))

    leg = Leg.objects.get()
    assert (leg.to_state, leg.is_answered, leg.caller_e164) == ("ended", False, "+15552345678")
    assert [value for _, value in documents.desk(domain.pk, "101").values()] == [None]


def test_records_without_a_callers_id_are_not_read_for_each_other(domain: Domain, deliver: Deliver) -> None:
    deliver(record(call="", leg="l1"), record(call="", leg="l2"), record(leg="l3"))

    one, head = detail_records.of_pairs([("", "l2")]), detail_records.of_pairs([("c1", "another leg of it")])

    assert [row.to_call_id for row in Record.objects.filter(one)] == ["l2"]
    assert [row.to_call_id for row in Record.objects.filter(head)] == ["l3"]
    deliver(record(call="", leg="l2", answered=False))
    assert Record.objects.count() == 3


def test_records_of_one_call_become_one(deliver: Deliver) -> None:
    deliver(record(answered=False), record(), record(answered=False))

    assert Record.objects.get().answered_at == datetime(2026, 11, 20, 10, 0, 5, tzinfo=UTC)


def test_two_companies_with_the_same_call_ids_stay_apart(domain: Domain, deliver: Deliver) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://127.0.0.1:1", client_id="x")
    theirs = make_subscription(other, "calls", "the-others-secret-0123456789abcdefghijk")

    deliver(event("ringing"))
    deliver(event("ended"), to=theirs)

    assert Leg.objects.get(domain=domain).to_state == "ringing"
    assert Leg.objects.get(domain=other).to_state == "ended"
    assert set(documents.calls(other.pk)) == {"events"}


def test_a_delivery_of_a_subscription_that_is_gone_harms_no_other(
    subscription: Subscription, transactional_db: None, caplog: pytest.LogCaptureFixture
) -> None:
    gone = intake.Arrival(
        uuid4(), 999_999, subscription.domain_id, NOON, "{}", intake.parse(event("ringing", call="x"))
    )

    intake.commit([gone, arrival(subscription, event("ringing"))])

    assert list(Delivery.objects.values_list("subscription_id", flat=True)) == [subscription.pk]


def test_what_will_have_changed_is_told_before_the_commit(subscription: Subscription) -> None:
    foreseen: list[tuple[intake.ChangesByDomain, bool]] = []

    changes = intake.commit(
        [arrival(subscription, event("ringing"))],
        lambda coming: foreseen.append((coming, bool(connection.savepoint_ids))),
    )

    assert foreseen == [(changes, True)]
    assert foreseen[0][0] is changes
