"""The control API: placed calls, the clock, what clients asked, and that it is off unless switched on."""

import time
from collections.abc import Callable

import pytest
import requests

from tests.harness.simulator import Simulator
from tests.simulator.conftest import Provider, Receiver

pytestmark = pytest.mark.flow


def test_a_placed_call_tells_when_its_ringing_was_handed_to_the_network(provider: Provider, receiver: Receiver) -> None:
    provider.subscribe(provider.company_token(), receiver.url)
    receiver.wait_ready()
    before = time.time() * 1000

    placed = provider.place_call("101")

    receiver.wait(lambda: bool(receiver.messages(placed["from_call_id"])))
    first = receiver.messages(placed["from_call_id"])[0]
    arrived = receiver.times[-1] * 1000
    assert before - 2 <= placed["posted_at_ms"] <= arrived + 2
    assert first["to"]["call_id"] == placed["to_call_id"]
    assert (first["to"]["user"], first["to"]["state"]) == ("101", "ringing")
    number = min(placed["deliveries"])  # on a slow machine the next event has been sent before the answer is written
    assert next(each for each in provider.deliveries() if each["number"] == number)["sent_at"] == placed["posted_at_ms"]


def test_a_placed_call_without_listeners_is_placed_all_the_same(provider: Provider) -> None:
    placed = provider.place_call("101")

    assert placed["from_call_id"]
    assert (placed["posted_at_ms"], placed["deliveries"]) == (None, [])


def test_a_call_can_be_placed_to_a_queue(provider: Provider, receiver: Receiver) -> None:
    provider.subscribe(provider.company_token(), receiver.url)
    receiver.wait_ready()

    placed = provider.place_call("4001", ring_seconds=0.3)

    messages = receiver.wait_ended(placed["from_call_id"])
    rung = next(call for call in messages if call["to"]["call_id"] == placed["to_call_id"])
    assert rung["to"]["user"] == placed["to_user"] != "4001"
    assert {call["to"]["user"] for call in messages} == {"4001", placed["to_user"]}


def test_a_call_can_ring_somebody_who_is_talking(provider: Provider, receiver: Receiver) -> None:
    provider.subscribe(provider.company_token(), receiver.url)
    receiver.wait_ready()
    provider.place_call("101", ring_seconds=0.1, talk_seconds=3)
    time.sleep(0.5)

    placed = provider.place_call("101", ring_seconds=0.2, answer=False)

    states = [call["to"]["state"] for call in receiver.wait_ended(placed["from_call_id"])]
    assert states == ["ringing", "ended"]


@pytest.mark.parametrize(
    ("number", "far_side", "states"),
    [
        ("4711", ("4711", None), ["progressing", "ended"]),
        ("+442079460012", ("+442079460012", None), ["progressing", "ringing", "active", "ended"]),
        ("102", ("sip:102@haldenmoor.example", "102"), ["ringing", "active", "ended"]),
    ],
)
def test_an_extension_can_dial(
    provider: Provider, receiver: Receiver, number: str, far_side: tuple[str, str | None], states: list[str]
) -> None:
    provider.subscribe(provider.company_token(), receiver.url)
    receiver.wait_ready()

    placed = provider.control("call", from_user="101", to_number=number, ring_seconds=0.2, talk_seconds=0.2)

    messages = receiver.wait_ended(placed["from_call_id"])
    assert placed["posted_at_ms"] is not None
    assert [call["to"]["state"] for call in messages] == states
    assert {call["from"]["user"] for call in messages} == {"101"}
    assert {(call["to"]["id"], call["to"]["user"]) for call in messages} == {far_side}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"from_user": "101"},
        {"from_user": "999", "to_number": "1"},
        {"to_number": "102"},
        {"to_user": "999"},
        {"to_user": 101},
        {"to_user": "101", "ring_seconds": -1},
        {"to_user": "101", "answer": 5},
    ],
)
def test_a_call_that_cannot_be_placed_is_refused(provider: Provider, fields: dict[str, object]) -> None:
    assert requests.post(f"{provider.url}/control/call", json=fields, timeout=5).status_code == 422


@pytest.mark.parametrize("seconds", [-1, "x", None])
def test_the_clock_only_goes_forward(provider: Provider, seconds: object) -> None:
    assert requests.post(f"{provider.url}/control/clock", json={"seconds": seconds}, timeout=5).status_code == 422


def test_a_moved_clock_shows_in_the_times_of_messages(provider: Provider, receiver: Receiver) -> None:
    now = provider.control("clock", seconds=3600)["now"]
    provider.subscribe(provider.company_token(), receiver.url)
    receiver.wait_ready()

    placed = provider.place_call("101")

    assert receiver.wait_ended(placed["from_call_id"])[0]["time_start"][:13] == now[:13].replace("T", " ")


def test_what_clients_asked_can_be_read_back_without_secrets(provider: Provider) -> None:
    token = provider.company_token()
    provider.stats(token)
    provider.stats("wrong.token")

    answer = requests.get(f"{provider.url}/control/requests", timeout=5)

    last = answer.json()["requests"][-3:]
    assert [(each["endpoint"], each["status"]) for each in last] == [("token", 200), ("stats", 200), ("stats", 401)]
    assert token not in answer.text
    assert provider.simulator.client_secret not in answer.text


def test_other_websites_cannot_use_the_control_api(provider: Provider) -> None:
    answer = requests.post(
        f"{provider.url}/control/clock", data={"seconds": "1"}, headers={"Origin": "http://elsewhere"}, timeout=5
    )

    assert answer.status_code == 422


def test_curl_without_a_content_type_works(provider: Provider) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}

    answer = requests.post(f"{provider.url}/control/clock", data='{"seconds": 1}', headers=kind, timeout=5)

    assert answer.status_code == 200


def test_the_forms_of_the_page_lead_back_to_it(provider: Provider) -> None:
    headers = {"Accept": "text/html", "Origin": provider.url}

    answer = requests.post(
        f"{provider.url}/control/faults",
        data={"at": "stats", "do": "status", "status": "", "times": "2", "seconds": ""},
        headers=headers,
        allow_redirects=False,
        timeout=5,
    )

    assert (answer.status_code, answer.headers["Location"]) == (303, "/control/")
    page = requests.get(f"{provider.url}/control/", timeout=5)
    assert "<td>stats</td>" in page.text


def test_the_control_api_is_off_unless_asked_for(make_simulator: Callable[..., Simulator]) -> None:
    from tests.harness.site import bare_environment

    without = make_simulator(scenario="quiet")
    without.child.stop()
    without.child.command = [part for part in without.child.command if part != "--control"]
    without.child.env = bare_environment()
    without.start()

    for path in ("call", "clock", "faults", "tokens", "", "deliveries"):
        url = f"{without.base_url}/control/{path}"
        assert requests.post(url, json={"seconds": 1}, timeout=5).status_code in (404, 405)
        assert requests.get(url, timeout=5).status_code == 404
