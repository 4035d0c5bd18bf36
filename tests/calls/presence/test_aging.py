"""Silence proves nothing: talks stay talks until the company's limit, and only what is contradicted is doubted."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from accounts import people
from accounts.models import Domain
from tests.calls.conftest import START, Deliver, make_subscription
from tests.calls.events import event, record
from wallboard.calls import documents, floors, tasks
from wallboard.calls.log import search as call_log
from wallboard.calls.models import Leg, Presence
from wallboard.calls.presence import aging
from wallboard.calls.presence import documents as presence
from wallboard.live import feeds, publish

pytestmark = pytest.mark.usefixtures("redis_url")


@pytest.fixture(autouse=True)
def at_start(clock: Any) -> Any:
    return clock


def later(clock: Any, **span: float) -> None:
    clock.shift(timedelta(**span))
    tasks.sweep()


def person(domain: Domain, extension: str = "101") -> Any:
    return msgspec.to_builtins(presence.people(domain.pk)[extension][1])


def call(domain: Domain, of: str = "101") -> Any:
    key = str(Leg.objects.get(to_user=of, ended_at=None).pk)
    return msgspec.to_builtins(documents.calls(domain.pk)[key][1])


def test_a_talk_of_ninety_minutes_without_any_event_stays_a_talk(domain: Domain, deliver: Deliver, clock: Any) -> None:
    deliver(event("active"))
    heard = round(START.timestamp() * 1000)

    later(clock, minutes=90)

    shown = person(domain)
    assert (shown["state"], shown["heard"], shown["unconfirmed"]) == ("talking", heard, False)
    assert (call(domain)["state"], call(domain)["heard"], call(domain)["unconfirmed"]) == ("talking", heard, False)
    assert len(call_log.hanging(domain.pk)) == 1  # a supervisor who knows better can end it


def test_a_talk_ends_at_the_companys_limit(domain: Domain, deliver: Deliver, clock: Any) -> None:
    Domain.objects.update(longest_call_hours=6)
    deliver(event("active"))

    later(clock, hours=5, minutes=59)
    assert person(domain)["state"] == "talking"

    later(clock, minutes=1)
    assert (Leg.objects.get().to_state, person(domain)["state"]) == ("ended", "idle")
    assert set(documents.calls(domain.pk)) == {"events"}


def test_the_limit_is_four_hours_unless_the_company_says_otherwise(deliver: Deliver, clock: Any) -> None:
    deliver(event("active"))

    later(clock, hours=3, minutes=59)
    assert Leg.objects.get().ended_at is None

    later(clock, minutes=1)
    assert Leg.objects.get().ended_at is not None


def test_a_record_ends_a_talk_that_is_long_over(domain: Domain, deliver: Deliver, clock: Any) -> None:
    deliver(event("active"))
    later(clock, minutes=30)

    deliver(record())

    assert person(domain)["state"] == "idle"


def test_what_rings_for_three_minutes_without_news_is_unconfirmed_and_nobody_is_free(
    domain: Domain, deliver: Deliver, clock: Any
) -> None:
    deliver(event("ringing"))

    later(clock, minutes=2, seconds=59)
    assert not Leg.objects.get().is_unconfirmed

    later(clock, seconds=1)
    assert (call(domain)["unconfirmed"], person(domain)["state"], person(domain)["unconfirmed"]) == (
        True,
        "ringing",
        True,
    )


def test_news_confirms_a_call_again(domain: Domain, deliver: Deliver, clock: Any) -> None:
    deliver(event("ringing"))
    later(clock, minutes=11)

    deliver(event("active"))

    assert (Leg.objects.get().is_unconfirmed, person(domain)["state"]) == (False, "talking")
    assert (person(domain)["heard"], person(domain)["unconfirmed"]) == (call(domain)["heard"], False)


def test_an_old_call_neither_names_the_wrong_party_nor_hides_the_new_one(
    domain: Domain, deliver: Deliver, clock: Any
) -> None:
    people.get_or_create(domain, "102", "Cem Kaya")
    people.get_or_create(domain, "103", "Dua Diaz")
    for caller, leg in (("102", "old"), ("103", "new")):
        deliver(event("active", call=leg, leg=leg, caller=caller, caller_user=caller, on_net=True))
        later(clock, minutes=20)

    assert person(domain)["with"] == "Dua Diaz"
    old, new = Leg.objects.order_by("pk")
    assert (old.is_unconfirmed, new.is_unconfirmed) == (True, False)

    deliver(event("ended", call="new", leg="new", caller="103", caller_user="103", on_net=True))

    assert (person(domain)["state"], person(domain)["with"], person(domain)["unconfirmed"]) == ("talking", "", True)


def test_of_two_talks_the_last_one_answered_is_named(domain: Domain, deliver: Deliver, clock: Any) -> None:
    for caller, leg in (("102", "old"), ("103", "new")):
        people.get_or_create(domain, caller, f"Agent {caller}")
        deliver(event("active", call=leg, leg=leg, caller=caller, caller_user=caller, on_net=True))
        clock.shift(timedelta(minutes=1))

    assert person(domain)["with"] == "Agent 103"


def test_many_calls_are_aged_in_small_pieces_and_never_twice(
    domain: Domain, deliver: Deliver, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aging, "PIECE", 10)
    deliver(*[event("ringing", call=f"c{n}", leg=f"l{n}", user=str(200 + n)) for n in range(35)])
    clock.shift(timedelta(minutes=4))

    pieces = list(aging.refresh([domain.pk]))

    assert [len(each[domain.pk].legs) for each in pieces] == [10, 10, 10, 5]
    assert Presence.objects.filter(is_unconfirmed=True).count() == 35
    assert list(aging.refresh([domain.pk])) == []


def test_a_leg_that_is_heard_of_meanwhile_is_left_alone(
    domain: Domain, deliver: Deliver, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(event("ringing"))
    clock.shift(timedelta(minutes=4))
    before = floors.live([domain.pk])
    deliver(event("active"))

    monkeypatch.setattr(floors, "live", lambda domain_ids: before)
    list(aging.refresh([domain.pk]))

    assert (Leg.objects.get().is_unconfirmed, person(domain)["state"]) == (False, "talking")


def test_a_look_at_thousands_of_calls_takes_no_lock_where_nothing_is_due(domain: Domain, deliver: Deliver) -> None:
    deliver(event("active"))

    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert list(aging.refresh([domain.pk])) == []

    assert not [each for each in queries if each["sql"].startswith(("BEGIN", "INSERT", "UPDATE", "SAVEPOINT"))]


def others(domain: Domain, deliver: Deliver, count: int = 5) -> list[Domain]:
    """Companies with the same call."""
    made = []
    for number in range(count):
        company = Domain.objects.create(slug=f"c{number}", name="C", base_url=domain.base_url, client_id="id")
        deliver(event("ringing"), to=make_subscription(company, "calls", f"secret-{number}" * 5))
        made.append(company)
    return made


def test_calls_of_many_companies_take_as_many_statements_as_one_while_nothing_is_due(
    domain: Domain, deliver: Deliver
) -> None:
    deliver(event("ringing"))
    with CaptureQueriesContext(connection) as one:
        list(aging.refresh([domain.pk]))
    made = [domain.pk, *(company.pk for company in others(domain, deliver))]
    with CaptureQueriesContext(connection) as many:
        list(aging.refresh(made))

    assert len(one) == len(many)


def test_each_company_is_aged_and_one_that_fails_keeps_none_from_it(
    domain: Domain, deliver: Deliver, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(event("ringing"))
    first, *rest = others(domain, deliver)
    really = aging._verdicts

    def verdicts(company: Domain, *arguments: Any) -> Any:
        if company == first:
            raise ValueError("a row that nobody understands")
        return really(company, *arguments)

    monkeypatch.setattr(aging, "_verdicts", verdicts)
    later(clock, minutes=4)

    doubted = Leg.objects.filter(is_unconfirmed=True).values_list("domain_id", flat=True)
    assert set(doubted) == {domain.pk, *(company.pk for company in rest)}


def test_what_a_lost_commit_may_have_kept_is_compared(
    domain: Domain, deliver: Deliver, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(event("ringing"))
    monkeypatch.setattr(aging, "_carry_out", Mock(side_effect=OperationalError))
    monkeypatch.setattr(publish.missed, "add", missed := Mock())

    with pytest.raises(OperationalError):
        later(clock, minutes=4)

    missed.assert_called_once_with(feeds.of_calls(domain.pk))


def test_a_desk_hears_that_the_end_of_a_call_was_lost(domain: Domain, deliver: Deliver, clock: Any) -> None:
    deliver(event("active"))
    heard = round(START.timestamp() * 1000)

    later(clock, hours=4, minutes=1)

    [(_, told)] = documents.desk(domain.pk, "101").values()
    assert (msgspec.to_builtins(told)["state"], msgspec.to_builtins(told)["as_of"]) == ("ended", heard)


def test_a_desk_does_not_ring_for_what_nobody_confirms(domain: Domain, deliver: Deliver, clock: Any) -> None:
    deliver(event("ringing"))
    heard = round(START.timestamp() * 1000)
    [(_, told)] = documents.desk(domain.pk, "101").values()
    assert msgspec.to_builtins(told)["as_of"] is None

    later(clock, minutes=4)

    [(_, told)] = documents.desk(domain.pk, "101").values()
    assert (msgspec.to_builtins(told)["state"], msgspec.to_builtins(told)["as_of"]) == ("ringing", heard)
