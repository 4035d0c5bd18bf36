"""Messages that no ordinary call leads to, sent on request."""

import pytest
import requests

from tests.simulator.conftest import Provider, Receiver

pytestmark = pytest.mark.flow


@pytest.fixture
def listening(provider: Provider, receiver: Receiver) -> Receiver:
    provider.subscribe(provider.company_token(), receiver.url, cdrs=True)
    receiver.wait_ready()
    return receiver


@pytest.mark.parametrize("size", [100, 2000])
def test_one_message_can_hold_many_records(provider: Provider, listening: Receiver, size: int) -> None:
    sent = provider.control("message", kind="records", size=size)

    listening.wait(lambda: bool(listening.records()))
    assert len(sent["deliveries"]) == 1
    assert len(listening.bodies[-1]) == size
    assert len({record["from"]["call_id"] for record in listening.records()}) == size
    assert listening.records()[0]["duration"] == 30


@pytest.mark.parametrize(
    ("kind", "size", "side", "name", "value"),
    [
        ("lone_surrogate", 2, "from", "name", "\ud83d\ud83d"),
        ("unknown_states", 1, "to", "state", "parked"),
    ],
)
def test_a_call_can_be_odd(
    provider: Provider, listening: Receiver, kind: str, size: int, side: str, name: str, value: str
) -> None:
    provider.control("message", kind=kind, size=size)

    # The floor's own calls come as well.
    listening.wait(lambda: value in [each[side][name] for each in listening.messages()])


def test_call_ids_can_be_very_long(provider: Provider, listening: Receiver) -> None:
    provider.control("message", kind="long_call_ids", size=5000)

    listening.wait(lambda: bool(listening.messages()))
    ids = {listening.messages()[-1][side]["call_id"] for side in ("from", "to")}
    assert [len(each) for each in ids] == [5000, 5000]


@pytest.mark.parametrize("fields", [{}, {"kind": "unknown"}, {"kind": "records", "size": 0}, {"kind": ["records"]}])
def test_an_unknown_oddity_is_refused(provider: Provider, fields: dict[str, object]) -> None:
    assert requests.post(f"{provider.url}/control/message", json=fields, timeout=5).status_code == 422
