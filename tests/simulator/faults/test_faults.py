"""What can be made to go wrong, one test per kind, at the endpoints and with the deliveries."""

import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from tests.simulator.conftest import STATS, Provider, Receiver

pytestmark = pytest.mark.flow


def test_an_endpoint_can_be_slow_for_a_number_of_requests(provider: Provider) -> None:
    token = provider.company_token()
    provider.control("faults", at="stats", do="delay", seconds=0.5, times=1)

    first, second = provider.stats(token), provider.stats(token)

    assert first.status_code == second.status_code == 200
    assert first.elapsed.total_seconds() >= 0.5 > second.elapsed.total_seconds()


@pytest.mark.parametrize("status", [201, 204, 301, 401, 429, 500, 503])
def test_an_endpoint_can_answer_any_status(provider: Provider, status: int) -> None:
    token = provider.company_token()
    provider.control("faults", at="stats", do="status", status=status, times=2, headers={"Retry-After": "7"})

    answers = [provider.call("GET", "/api/call_queues/stats/live/", token, STATS, allow_redirects=False) for _ in "123"]

    assert [answer.status_code for answer in answers] == [status, status, 200]
    assert answers[0].headers["Retry-After"] == "7"


def test_an_endpoint_can_answer_any_body(provider: Provider) -> None:
    provider.control("faults", at="token", do="status", status=200, body="<html>Maintenance</html>", times=1)

    assert provider.company().text == "<html>Maintenance</html>"


def test_a_fault_can_last_for_a_time(provider: Provider) -> None:
    token = provider.company_token()
    provider.control("faults", at="stats", do="status", for_seconds=0.6)

    assert provider.stats(token).status_code == 503
    assert provider.stats(token).status_code == 503
    time.sleep(0.7)
    assert provider.stats(token).status_code == 200


def test_a_fault_lasts_until_cleared_and_others_stay(provider: Provider) -> None:
    token = provider.company_token()
    first = provider.control("faults", at="stats", do="status")["number"]
    provider.control("faults", at="token", do="status")
    assert provider.stats(token).status_code == provider.company().status_code == 503

    provider.control("faults/clear", number=first)

    assert provider.stats(token).status_code == 200
    assert provider.company().status_code == 503
    shown = requests.get(f"{provider.url}/control/faults", timeout=5).json()["faults"]
    assert [(fault["at"], fault["used"]) for fault in shown] == [("token", 2)]


def test_a_body_can_be_malformed(provider: Provider) -> None:
    provider.control("faults", at="stats", do="malformed", times=1)

    answer = provider.stats(provider.company_token())

    assert answer.status_code == 200
    with pytest.raises(requests.JSONDecodeError):
        answer.json()


def test_a_body_can_be_cut_off(provider: Provider) -> None:
    provider.control("faults", at="stats", do="cut", times=1)

    with pytest.raises((requests.exceptions.ChunkedEncodingError, requests.exceptions.ConnectionError)):
        provider.stats(provider.company_token())


def test_a_body_can_drip(provider: Provider) -> None:
    provider.control("faults", at="token", do="drip", seconds=0.005, times=1)
    began = time.monotonic()

    answer = provider.company()

    assert answer.json()["token_type"] == "Bearer"
    assert time.monotonic() - began > 0.005 * len(answer.content)


def test_a_connection_can_be_dropped_without_an_answer(provider: Provider) -> None:
    token = provider.company_token()
    provider.control("faults", at="stats", do="drop", times=1)
    parts = urlsplit(provider.url)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=5) as connection:
        connection.sendall(b"GET /api/call_queues/stats/live/ HTTP/1.1\r\nHost: x\r\n\r\n")
        try:
            received = connection.recv(1000)
        except ConnectionResetError:
            received = b""

    assert received == b""
    assert provider.stats(token).status_code == 200


def test_the_token_of_a_request_can_expire_and_a_new_one_works(provider: Provider) -> None:
    token = provider.company_token()
    provider.control("faults", at="stats", do="expired_token", times=1)

    assert [provider.stats(token).status_code for _ in "12"] == [401, 401]
    assert provider.stats(provider.company_token()).status_code == 200


def test_the_sign_in_of_a_request_can_be_revoked(provider: Provider) -> None:
    tokens = provider.exchange(provider.code()).json()
    provider.control("faults", at="subscriptions", do="revoked_token", times=1)

    assert provider.read(tokens["access_token"], 1).status_code == 401
    assert provider.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(("do", "refreshes"), [("expire", True), ("revoke", False)])
def test_all_tokens_can_end_at_once(provider: Provider, do: str, refreshes: bool) -> None:
    company, user = provider.company_token(), provider.exchange(provider.code()).json()

    provider.control("tokens", do=do)

    assert provider.stats(company).status_code == 401
    assert provider.read(user["access_token"], 1).status_code == 401
    assert (provider.refresh(user["refresh_token"]).status_code == 200) is refreshes
    assert provider.stats(provider.company_token()).status_code == 200


def test_subscriptions_can_be_lost(provider: Provider) -> None:
    token = provider.company_token()
    ids = [provider.subscribe(token, f"http://127.0.0.1:9/{number}/").json()["id"] for number in range(3)]

    assert provider.control("subscriptions/delete", id=ids[0])["deleted"] == [int(ids[0])]
    assert [provider.read(token, each).status_code for each in ids] == [404, 200, 200]
    provider.control("faults", at="subscriptions.read", do="delete_subscription", times=1)
    assert [provider.read(token, each).status_code for each in ids[1:]] == [404, 200]
    provider.control("subscriptions/delete")
    assert provider.read(token, ids[2]).status_code == 404


@pytest.mark.parametrize("at", ["authorize", "subscriptions.create", "subscriptions.delete", "api"])
def test_each_place_can_be_chosen(provider: Provider, at: str) -> None:
    token = provider.company_token()
    subscription = provider.subscribe(token, "http://127.0.0.1:9/").json()["id"]
    asks: dict[str, Callable[[], requests.Response]] = {
        "authorize": lambda: requests.get(f"{provider.url}/api/oauth/authorize/", timeout=5),
        "subscriptions.create": lambda: provider.subscribe(token, "http://127.0.0.1:9/"),
        "subscriptions.delete": lambda: provider.delete(token, subscription),
    }
    provider.control("faults", at=at, do="status", status=599)

    hit = {name for name, ask in asks.items() if ask().status_code == 599}

    assert hit == (set(asks) if at == "api" else {at})


@pytest.mark.parametrize(
    "fields",
    [
        {"at": "nowhere", "do": "delay"},
        {"at": "stats", "do": "lost"},
        {"at": "deliveries", "do": "status"},
        {"at": "stats", "do": "status", "status": 99},
        {"at": "stats", "do": "delay", "seconds": -1},
        {"at": "stats", "do": "delay", "times": "many"},
        {"at": "stats", "do": "status", "body": 5},
        {"at": "stats", "do": "status", "headers": "x"},
        {},
    ],
)
def test_a_fault_that_makes_no_sense_is_refused(provider: Provider, fields: dict[str, Any]) -> None:
    answer = requests.post(f"{provider.url}/control/faults", json=fields, timeout=5)

    assert answer.status_code == 422
    assert answer.json()["error_description"]


@pytest.fixture
def listening(provider: Provider, receiver: Receiver) -> Receiver:
    provider.subscribe(provider.company_token(), receiver.url)
    receiver.wait_ready()
    return receiver


def seen(provider: Provider, listening: Receiver, expected: int) -> list[str]:
    placed = provider.place_call("101", ring_seconds=0.2, talk_seconds=0.2)
    listening.wait(lambda: len(listening.messages(placed["from_call_id"])) >= expected)
    time.sleep(0.3)
    return [call["to"]["state"] for call in listening.messages(placed["from_call_id"])]


def test_a_delivery_can_come_twice(provider: Provider, listening: Receiver) -> None:
    provider.control("faults", at="deliveries", do="duplicate", times=1)

    assert seen(provider, listening, 4) == ["ringing", "ringing", "active", "ended"]
    assert [each["fault"] for each in provider.deliveries(kind="calls")[-4:]] == ["duplicate", "duplicate", "", ""]


def test_a_delivery_can_come_late(provider: Provider, listening: Receiver) -> None:
    provider.control("faults", at="deliveries", do="late", seconds=0.8, times=1)

    assert seen(provider, listening, 3) == ["active", "ended", "ringing"]


def test_deliveries_can_come_out_of_order(provider: Provider, listening: Receiver) -> None:
    provider.control("faults", at="deliveries", do="reorder", seconds=3, times=1)

    assert seen(provider, listening, 3) == ["active", "ringing", "ended"]


def test_a_delivery_that_is_held_back_goes_out_alone_when_nothing_follows(
    provider: Provider, listening: Receiver
) -> None:
    provider.control("faults", at="deliveries", do="reorder", seconds=0.5)

    assert sorted(seen(provider, listening, 3)) == ["active", "ended", "ringing"]


def test_a_delivery_can_be_lost(provider: Provider, listening: Receiver) -> None:
    provider.control("faults", at="deliveries", do="lost", times=1)

    assert seen(provider, listening, 2) == ["active", "ended"]
    lost = provider.deliveries(kind="calls")[-3]
    assert (lost["outcome"], lost["sent_at"], lost["acknowledged"]) == ("lost", None, False)


def test_a_delivery_can_have_wrong_types(provider: Provider, listening: Receiver) -> None:
    provider.control("faults", at="deliveries", do="wrong_types", times=1, kind="calls")
    provider.place_call("101", ring_seconds=0.2, talk_seconds=0.2)
    listening.wait(lambda: len(listening.messages()) >= 3)

    wrong, right = listening.messages()[0], listening.messages()[1]

    assert set(wrong) == set(right)
    assert isinstance(wrong["on_net"], str)
    assert isinstance(wrong["to"]["state"], list)
    assert all(type(wrong["to"][name]) is not type(right["to"][name]) for name in right["to"])


def test_a_delivery_fault_can_hit_one_subscription_and_one_kind(
    provider: Provider, listening: Receiver, make_receiver: Callable[..., Receiver]
) -> None:
    other = make_receiver()
    created = provider.subscribe(provider.company_token(), other.url, cdrs=True).json()
    other.wait_ready()
    provider.control("faults", at="deliveries", do="lost", subscription=int(created["id"]), kind="calls")

    assert seen(provider, listening, 3) == ["ringing", "active", "ended"]
    other.wait(lambda: bool(other.records()))
    assert other.messages() == []
