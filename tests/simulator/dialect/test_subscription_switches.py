"""Subscriptions that begin, live and look otherwise."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.simulator.conftest import Provider, Receiver
from tests.simulator.dialect.runs import stream

NOWHERE = "http://127.0.0.1:9/"


@pytest.mark.flow
@pytest.mark.parametrize(("form", "states"), [("none", []), ("ready_lost", ["preparing"])])
def test_initialization_can_be_lost(provider: Provider, receiver: Receiver, form: str, states: list[str]) -> None:
    provider.dialect(initialization=form)
    provider.subscribe(provider.company_token(), receiver.url)
    time.sleep(1.5)

    placed = provider.place_call("101")

    receiver.wait_ended(placed["from_call_id"])
    assert receiver.states() == states


@pytest.mark.flow
def test_initialization_can_come_before_the_answer(provider: Provider, receiver: Receiver) -> None:
    provider.dialect(initialization="before_answer")

    provider.subscribe(provider.company_token(), receiver.url)

    assert receiver.states() == ["preparing"]
    receiver.wait_ready()


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ({}, [(0.3, "preparing"), (0.8, "ready")]),
        ({"initialization_delay_seconds": 90}, [(90.3, "preparing"), (90.8, "ready")]),
        ({"initialization": "ready_lost"}, [(0.3, "preparing")]),
        ({"initialization": "none"}, []),
    ],
)
def test_initialization_delay_seconds(switches: dict[str, Any], expected: list[tuple[float, str]]) -> None:
    items = [item for item in stream(**switches).run(100) if item.kind == "initialization"]

    assert [(round(item.seconds, 3), item.payload["state"]) for item in items] == expected


def first_call(**switches: object) -> float:
    return next(item.seconds for item in stream(**switches).run(200) if item.kind == "calls")


def test_events_before_ready() -> None:
    late, early = (
        first_call(initialization_delay_seconds=60, events_before_ready=is_early) for is_early in (False, True)
    )

    assert late > 60.8
    assert early < 5


@pytest.mark.flow
def test_events_before_ready_over_http(provider: Provider, receiver: Receiver) -> None:
    provider.dialect(initialization_delay_seconds=60, events_before_ready=True)
    provider.subscribe(provider.company_token(), receiver.url)

    placed = provider.place_call("101")

    assert len(receiver.wait_ended(placed["from_call_id"])) == 3
    assert receiver.states() == []


@pytest.mark.flow
def test_subscription_life_seconds(provider: Provider) -> None:
    provider.dialect(subscription_life_seconds=600)
    token = provider.company_token()
    created = provider.subscribe(token, NOWHERE).json()
    provider.control("clock", seconds=500)
    provider.subscribe(token, NOWHERE)

    provider.control("clock", seconds=500)
    assert provider.read(token, created["id"]).status_code == 200
    provider.control("clock", seconds=200)
    assert provider.read(token, created["id"]).status_code == 404


@pytest.mark.flow
@pytest.mark.parametrize(
    ("form", "status", "is_same", "old"),
    [("same_id", 200, True, 200), ("new_id", 200, False, 404), ("second", 201, False, 200)],
)
def test_renewal(provider: Provider, form: str, status: int, is_same: bool, old: int) -> None:
    provider.dialect(renewal=form)
    token = provider.company_token()
    first = provider.subscribe(token, NOWHERE).json()

    again = provider.subscribe(token, NOWHERE)

    assert again.status_code == status
    assert (again.json()["id"] == first["id"]) == is_same
    assert provider.read(token, first["id"]).status_code == old
    assert provider.read(token, again.json()["id"]).status_code == 200


@pytest.mark.flow
def test_a_second_subscription_gets_every_message_too(provider: Provider, receiver: Receiver) -> None:
    provider.dialect(renewal="second")
    token = provider.company_token()
    for _ in "12":
        provider.subscribe(token, receiver.url)
    receiver.wait(lambda: receiver.states().count("ready") == 2)
    time.sleep(0.2)

    placed = provider.place_call("101")

    receiver.wait(lambda: len(receiver.messages(placed["from_call_id"])) == 6)


@pytest.mark.flow
def test_ids_can_be_renumbered_on_command(provider: Provider, receiver: Receiver) -> None:
    token = provider.company_token()
    first = provider.subscribe(token, receiver.url).json()
    receiver.wait_ready()

    [number] = provider.control("subscriptions/renumber")["renumbered"]

    assert provider.read(token, first["id"]).status_code == 404
    assert provider.read(token, number).json()["post_uri"] == receiver.url
    placed = provider.place_call("101")
    assert len(receiver.wait_ended(placed["from_call_id"])) == 3


@pytest.mark.flow
@pytest.mark.parametrize(
    ("form", "types"), [("documented", (str, int)), ("string", (str, str)), ("integer", (int, int))]
)
def test_subscription_id_type(provider: Provider, form: str, types: tuple[type, type]) -> None:
    provider.dialect(subscription_id_type=form)
    token = provider.company_token()

    created = provider.subscribe(token, NOWHERE).json()

    read = provider.read(token, created["id"]).json()
    assert (type(created["id"]), type(read["id"])) == types


@pytest.mark.flow
@pytest.mark.parametrize(
    ("form", "types"), [("documented", (dict, list)), ("object", (dict, dict)), ("array", (list, list))]
)
def test_subscription_events(
    provider: Provider, make_receiver: Callable[..., Receiver], form: str, types: tuple[type, type]
) -> None:
    provider.dialect(subscription_events=form)
    token = provider.company_token()

    created = provider.subscribe(token, NOWHERE, user="101").json()

    read = provider.read(token, created["id"]).json()
    assert (type(created["events"]), type(read["events"])) == types
