"""Deliveries to subscribers that are slow, dead or refuse, and what the log says of them."""

import json
import time
from collections.abc import Callable

import pytest

from tests.simulator.conftest import Provider, Receiver
from wallboard.demo.processes import free_port

pytestmark = pytest.mark.flow
MakeReceiver = Callable[..., Receiver]


def test_a_slow_or_dead_subscriber_delays_nobody_else(
    provider: Provider, receiver: Receiver, make_receiver: MakeReceiver
) -> None:
    token, slow = provider.company_token(), make_receiver(delay_seconds=3.0)
    provider.subscribe(token, receiver.url)
    provider.subscribe(token, f"http://127.0.0.1:{free_port()}/dead/")
    created = provider.subscribe(token, slow.url).json()
    receiver.wait_ready()
    slow.wait(lambda: len(provider.deliveries(subscription=created["id"])) == 2, 12)
    slow.wait(lambda: provider.deliveries(subscription=created["id"])[-1]["outcome"] == "acknowledged", 12)

    began = time.time()
    placed = provider.place_call("101", ring_seconds=0.1, talk_seconds=0.1)
    messages = receiver.wait_ended(placed["from_call_id"])

    assert len(messages) == 3
    assert max(receiver.times[-3:]) - began < 1.0
    assert len(slow.messages(placed["from_call_id"])) <= 1


def test_messages_of_one_caller_come_in_order_one_at_a_time(provider: Provider, make_receiver: MakeReceiver) -> None:
    slow = make_receiver(delay_seconds=0.4)
    provider.subscribe(provider.company_token(), slow.url)
    slow.wait_ready()
    time.sleep(0.5)

    placed = provider.place_call("101", ring_seconds=0.1, talk_seconds=0.1)
    messages = slow.wait_ended(placed["from_call_id"])

    assert [call["to"]["state"] for call in messages] == ["ringing", "active", "ended"]
    gaps = [after - before for before, after in zip(slow.times[-3:], slow.times[-2:], strict=False)]
    assert all(gap >= 0.35 for gap in gaps)


def test_what_still_waits_when_a_subscription_ends_is_not_sent(provider: Provider, make_receiver: MakeReceiver) -> None:
    token, slow = provider.company_token(), make_receiver()
    created = provider.subscribe(token, slow.url).json()
    slow.wait_ready()
    slow.delay_seconds = 1.0
    placed = provider.place_call("101", ring_seconds=0.1, talk_seconds=0.1)
    time.sleep(0.4)

    provider.delete(token, created["id"])

    time.sleep(1.5)
    assert len(slow.messages(placed["from_call_id"])) == 1
    outcomes = [each["outcome"] for each in provider.deliveries(subscription=created["id"], kind="calls")]
    assert outcomes == ["acknowledged", *["not sent: subscription ended"] * 2]


def test_a_refused_delivery_is_noted_and_not_repeated(provider: Provider, make_receiver: MakeReceiver) -> None:
    refusing = make_receiver(status=500)
    created = provider.subscribe(provider.company_token(), refusing.url).json()
    refusing.wait_ready()

    placed = provider.place_call("101")
    messages = refusing.wait_ended(placed["from_call_id"])
    time.sleep(0.2)

    assert len(messages) == 3
    deliveries = provider.deliveries(subscription=created["id"], kind="calls")
    assert [(each["status"], each["outcome"], each["acknowledged"]) for each in deliveries] == [
        (500, "refused", False)
    ] * 3


def test_the_log_holds_what_was_sent_and_what_was_answered(provider: Provider, receiver: Receiver) -> None:
    created = provider.subscribe(provider.company_token(), receiver.url).json()
    receiver.wait_ready()
    placed = provider.place_call("101")
    receiver.wait_ended(placed["from_call_id"])
    time.sleep(0.1)

    deliveries = provider.deliveries(subscription=created["id"])

    assert [json.loads(each["body"]) for each in deliveries] == receiver.bodies
    assert all(each["acknowledged"] and each["status"] == 204 for each in deliveries)
    assert all(each["due_at"] <= each["sent_at"] <= each["answered_at"] for each in deliveries)
    assert [each["number"] for each in deliveries] == sorted(each["number"] for each in deliveries)
    last = deliveries[-1]["number"]
    assert provider.deliveries(subscription=created["id"], after=last) == []
    assert len(provider.deliveries(subscription=created["id"], limit=2)) == 2


def test_a_dead_subscriber_is_noted_as_failed(provider: Provider) -> None:
    created = provider.subscribe(provider.company_token(), f"http://127.0.0.1:{free_port()}/x/").json()
    time.sleep(1.2)

    outcomes = [(each["outcome"], each["status"]) for each in provider.deliveries(subscription=created["id"])]

    assert outcomes == [("failed: ClientConnectorError", None)] * 2


def test_redirects_are_not_followed(provider: Provider, make_receiver: MakeReceiver) -> None:
    moved = make_receiver(status=307)
    created = provider.subscribe(provider.company_token(), moved.url).json()
    moved.wait_ready()

    assert {each["outcome"] for each in provider.deliveries(subscription=created["id"])} == {"refused"}
    assert len(moved.bodies) == 2
