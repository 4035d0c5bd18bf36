"""Callers of other companies, and forwarded calls."""

import pytest

from tests.simulator.conftest import Provider, Receiver
from tests.simulator.dialect.runs import PlacedCall, calls, stream
from wallboard.simulator.floor.company import DOMAIN
from wallboard.simulator.floor.endpoints import OTHER_DOMAIN


def test_other_company_share() -> None:
    seen = calls(1800, other_company_share=0.4)

    others = [each["from"] for each in seen if each["from"]["domain"] == OTHER_DOMAIN]
    called = [each["to"] for each in seen if each["to"]["domain"] == OTHER_DOMAIN]
    assert 0.2 < len(others) / len(seen) < 0.6
    assert called
    company = stream().provider.company
    for each in (*others, *called):
        assert each["id"] == f"sip:{each['user']}@{OTHER_DOMAIN}"
        assert company.person(each["user"]) is None
    assert {each["domain"] for each in (call["from"] for call in calls(900))} == {None, DOMAIN}


def test_same_extension_share() -> None:
    call = PlacedCall("101", same_extension_share=1)

    caller = call.messages[0]["from"]
    assert caller["domain"] == OTHER_DOMAIN
    assert call.provider.company.person(caller["user"]) is not None
    assert {each["on_net"] for each in call.messages} == {True}


def test_forwarded_share() -> None:
    call = PlacedCall("101", forwarded_share=1)

    caller, target = call.messages[0]["from"], call.messages[0]["to"]
    assert (caller["user"], caller["domain"], caller["id"]) == ("101", DOMAIN, "+12125550188")
    assert (target["user"], target["domain"]) == (None, None)
    assert target["id"].startswith("+")
    assert [each["to"]["state"] for each in call.messages] == ["progressing", "ringing", "active", "ended"]
    assert {each["on_net"] for each in call.messages} == {False}


def test_the_floor_is_the_same_whatever_the_callers_look_like() -> None:
    usual, other = stream(), stream(other_company_share=0.5, event_loss_share=0.5, caller_id_form="sip")
    for run in (usual, other):
        list(run.run(900))

    def outcomes(queue: dict[str, object]) -> list[object]:
        return [queue["answered"], queue["abandoned"], queue["waiting"]]

    truths = [[outcomes(queue) for queue in run.ground_truth()["queues"]] for run in (usual, other)]
    assert truths[0] == truths[1]


@pytest.mark.flow
def test_a_namesake_of_another_company_is_no_user_of_ours(provider: Provider, receiver: Receiver) -> None:
    provider.dialect(same_extension_share=1)
    provider.subscribe(provider.company_token(), receiver.url, user=["102", "103", "104", "105", "106", "107"])
    receiver.wait_ready()

    for _ in range(10):
        provider.place_call("101")
    placed = provider.place_call("107")

    receiver.wait_ended(placed["from_call_id"])
    assert {call["to"]["user"] for call in receiver.messages()} == {"107"}
