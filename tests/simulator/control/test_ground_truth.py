"""GET /control/truth."""

import pytest
import requests

from tests.simulator.conftest import Provider

pytestmark = pytest.mark.flow


def test_the_truth_can_be_read_while_the_floor_lives(provider: Provider) -> None:
    url = f"{provider.url}/control/truth"
    before = requests.get(url, timeout=5).json()

    placed = provider.place_call("4001", ring_seconds=3)

    truth = requests.get(url, timeout=5).json()
    queue = next(each for each in truth["queues"] if each["queue"] == "4001")
    call = next(each for each in queue["calls"] if each["from_call_id"] == placed["from_call_id"])
    assert (call["outcome"], call["answered_by"]) == ("waiting", None)
    assert call["wait_seconds"] < 3
    assert truth["calls"] == before["calls"] + 1
    person = next(each for each in truth["people"] if each["extension"] == placed["to_user"])
    assert person["activity"] == "ringing"
