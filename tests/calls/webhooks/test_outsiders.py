"""Users of another company at the provider are strangers, even with an extension that one of ours has, too."""

import json
from typing import Any

import pytest

from accounts import people
from accounts.models import Domain, Person
from tests.calls.conftest import Deliver
from tests.calls.events import event, record
from tests.simulator.dialect.runs import PlacedCall
from wallboard.calls import documents, legs
from wallboard.calls.models import Leg, Presence, Record
from wallboard.queues.models import Queue
from wallboard.simulator.floor.company import DOMAIN


def foreign(state: str = "active", **more: Any) -> bytes:
    body = event(state, caller="114", caller_user="114", caller_name="Mallory", **more)
    return body.replace(b'"user": "114", "domain": null', b'"user": "114", "domain": "Elsewhere.test"')


@pytest.fixture
def ours(domain: Domain) -> Domain:
    Domain.objects.update(provider_domain="example.org")
    people.get_or_create(domain, "114")
    people.get_or_create(domain, "101", "Bea Roth")
    return domain


def test_our_colleague_of_the_same_extension_stays_free_and_nameless(ours: Domain, deliver: Deliver) -> None:
    deliver(foreign())

    leg = Leg.objects.get()
    assert (leg.from_user, leg.from_number, legs.direction(leg)) == ("", "114@Elsewhere.test", "in")
    assert Person.objects.get(extension="114").name == ""
    assert not Presence.objects.filter(person__extension="114").exists()


def test_so_does_whom_a_record_names(ours: Domain, deliver: Deliver) -> None:
    body = record().replace(b'"domain": null, "id": "+15552345678", "user": null', b'"domain": "x.test", "user": "114"')

    deliver(body)

    assert Leg.objects.get().from_user == ""


def test_our_own_people_are_ours_however_the_domain_is_written(ours: Domain, deliver: Deliver) -> None:
    deliver(foreign().replace(b"Elsewhere.test", b"EXAMPLE.org"))

    assert Presence.objects.get(person__extension="114").state == "talking"


def test_the_name_of_a_forwarded_stranger_does_not_become_that_of_our_person(ours: Domain, deliver: Deliver) -> None:
    deliver(event("active", caller="+15552345678", caller_user="114", user=None, number="+15550001111"))

    assert Person.objects.get(extension="114").name == ""


def test_a_colleagues_name_is_learned_once_and_never_overwritten(ours: Domain, deliver: Deliver) -> None:
    for name, call in (("Ana Lima", "c1"), ("Somebody Else", "c2")):
        deliver(event("active", call=call, leg=call, caller="114", caller_user="114", caller_name=name, on_net=True))

    assert Person.objects.get(extension="114").name == "Ana Lima"


@pytest.mark.parametrize(
    ("number", "queue"),
    [
        ("sip:0700@example.org", "0700"),
        ("0700@EXAMPLE.org", "0700"),
        ("<sip:0700@example.org:5060;transport=tls>", "0700"),
        ("sip:0700@elsewhere.test", ""),
    ],
)
def test_a_queue_is_known_by_its_address_too(ours: Domain, deliver: Deliver, number: str, queue: str) -> None:
    Queue.objects.create(domain=ours, number="0700", name="Sales")

    deliver(event("ringing", user=None, number=number))

    leg = Leg.objects.get()
    assert (leg.queue, leg.to_number) == (queue, queue or number)


@pytest.mark.parametrize(
    ("number", "user", "state"),
    [
        ("sip:101@example.org", "101", "ringing"),
        ("<sip:101@EXAMPLE.org:5060;transport=tls>", "101", "ringing"),
        # Nobody of ours has it: a machine or a queue that the figures do not name yet.
        ("sip:102@example.org", "", ""),
        ("sip:101@elsewhere.test", "", ""),
        # In bare digits it may be a number outside, as 110 and 112 are.
        ("101", "", ""),
    ],
)
def test_our_person_is_known_by_their_address_while_no_user_is_named(
    ours: Domain, deliver: Deliver, number: str, user: str, state: str
) -> None:
    deliver(event("ringing", user=None, number=number))

    assert Leg.objects.get().to_user == user
    assert [row.state for row in Presence.objects.filter(person__extension="101")] == [state] * bool(state)
    assert len(documents.desk(ours.pk, "101")) == bool(user)
    assert not Person.objects.filter(extension="102").exists()


def test_a_phone_whose_user_is_told_once_it_has_answered_pops_and_is_missed(ours: Domain, deliver: Deliver) -> None:
    Domain.objects.update(provider_domain=DOMAIN)
    call = PlacedCall("101", answer=False, called_user="once_answered")
    told: list[tuple[str, str]] = []

    for message in call.messages:
        deliver(json.dumps({"calls": message}).encode())
        [(_, pop)] = documents.desk(ours.pk, "101").values()
        told.append((pop.state, pop.outcome))

    assert told == [("ringing", ""), ("ended", "missed")]


@pytest.mark.parametrize(
    ("country", "sent", "kept"),
    [
        ("DE", "491701234567", "+491701234567"),
        ("US", "442079460018", "+442079460018"),
        ("US", "12125550188", "+12125550188"),
        ("US", "2125550188", "2125550188"),
        ("IT", "3471234567", "3471234567"),
        ("BR", "51987654321", "51987654321"),
        ("TR", "5321234567", "5321234567"),
        ("DE", "01701234567", "01701234567"),
        ("DE", "201", "201"),
        ("", "491701234567", "+491701234567"),
    ],
)
def test_a_stranger_is_known_without_the_plus_of_their_number(
    domain: Domain, deliver: Deliver, country: str, sent: str, kept: str
) -> None:
    Domain.objects.update(country=country)

    deliver(event("ringing", caller=sent), record().replace(b"+15552345678", sent.encode()))

    assert {Leg.objects.get().from_number, Record.objects.get().from_number} == {kept}


def test_so_is_whom_somebody_of_ours_calls_but_a_queue_keeps_its_whole_number(ours: Domain, deliver: Deliver) -> None:
    Queue.objects.create(domain=ours, number="12125550100", name="Sales")

    deliver(event("ringing", caller="101", caller_user="101", user=None, number="442079460018", on_net=False))
    deliver(event("ringing", call="c2", leg="l2", caller="442079460019", user=None, number="12125550100"))

    called, queued = Leg.objects.order_by("pk")
    assert (called.to_number, legs.direction(called)) == ("+442079460018", "out")
    assert (queued.queue, queued.to_number, queued.caller_e164) == ("12125550100", "12125550100", "+442079460019")


def test_the_address_of_somebody_of_ours_is_no_number(ours: Domain, deliver: Deliver) -> None:
    known = event("active", caller="<sip:114@EXAMPLE.org>", caller_user="114", number="sip:102@example.org", user="102")
    deliver(known, event("active", call="c2", leg="l2", user="102", number="sip:+4930123@example.org"))

    within, sent_on = Leg.objects.order_by("from_call_id")
    assert (within.from_number, within.to_number, sent_on.to_number) == ("114", "102", "sip:+4930123@example.org")


@pytest.mark.parametrize("caller", ["101", "+15552345678"])
def test_a_queue_that_one_of_ours_calls_or_sends_on_to_keeps_its_whole_number(
    ours: Domain, deliver: Deliver, caller: str
) -> None:
    Queue.objects.create(domain=ours, number="4930123456", name="Sales")
    dialled: dict[str, Any] = {"caller": caller, "caller_user": "101", "user": None, "number": "4930123456"}

    deliver(event("ended", on_net=None if caller == "101" else False, **dialled))
    deliver(record(call="c2", leg="l2").replace(b'"id": "101", "user": "101"', b'"id": "4930123456", "user": null'))

    assert {leg.queue for leg in Leg.objects.all()} == {"4930123456"}
