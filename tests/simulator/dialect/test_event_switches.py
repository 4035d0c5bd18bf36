"""Call messages that come late, twice, out of order or not at all; and further attempts to deliver them."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.simulator.conftest import Provider, Receiver
from tests.simulator.dialect.runs import stream
from wallboard.simulator.stream import Item

ORDER = ("progressing", "ringing", "active", "ended")


def messages(seconds: float = 900, **dialect: Any) -> list[Item]:
    return [item for item in stream(**dialect).run(seconds) if item.kind == "calls"]


def key(item: Item) -> tuple[str, str, str, str]:
    call = item.payload["calls"]
    return call["from"]["call_id"], call["to"]["call_id"], call["from"]["state"], call["to"]["state"]


def test_event_lag_seconds() -> None:
    at_once, late = messages(), messages(event_lag_seconds=7)

    begun = {key(item): item.seconds for item in at_once}
    lags = [item.seconds - begun[key(item)] for item in late]
    assert [key(item) for item in late] == [key(item) for item in at_once][: len(late)]
    assert max(abs(lag - 7) for lag in lags) < 0.001


def test_event_loss_share() -> None:
    all_of_them, some = messages(), messages(event_loss_share=0.2)

    assert {key(item) for item in some} < {key(item) for item in all_of_them}
    assert 0.15 < 1 - len(some) / len(all_of_them) < 0.25
    assert messages(event_loss_share=1) == []


def test_event_duplicate_share() -> None:
    once, twice = messages(), messages(event_duplicate_share=0.3)

    counts = Counter(key(item) for item in twice)
    assert set(counts) == {key(item) for item in once}
    assert set(counts.values()) == {1, 2}
    assert 0.25 < sum(count == 2 for count in counts.values()) / len(once) < 0.35


def backward(items: list[Item]) -> int:
    """How many messages show a leg in an earlier state than a message before."""
    furthest: dict[tuple[str, str], int] = {}
    found = 0
    for item in items:
        source, target, _, state = key(item)
        found += ORDER.index(state) < furthest.get((source, target), 0)
        furthest[source, target] = max(ORDER.index(state), furthest.get((source, target), 0))
    return found


def test_event_reorder_share() -> None:
    ordered, mixed = messages(), messages(event_reorder_share=0.3)

    assert backward(ordered) == 0
    assert backward(mixed) > 20
    assert {key(item) for item in mixed} <= {key(item) for item in ordered}
    assert len(mixed) >= len(ordered) - 5  # some are still held back


def test_a_switch_may_change_in_the_middle_of_a_day() -> None:
    run = stream()
    before = [item for item in run.run(450) if item.kind == "calls"]
    run.dialect.call_time_zone, run.dialect.event_loss_share = "Asia/Tokyo", 0.5
    after = [item for item in run.run(450) if item.kind == "calls"]

    assert {item.payload["calls"]["time_start"][11:13] for item in before} == {"10"}
    assert {item.payload["calls"]["time_start"][11:13] for item in after} == {"19"}
    assert len(after) < len(messages()) - len(before)


@pytest.mark.flow
def test_lost_events_stand_in_the_log(provider: Provider, receiver: Receiver) -> None:
    provider.dialect(event_loss_share=1)
    provider.subscribe(provider.company_token(), receiver.url)
    receiver.wait_ready()

    placed = provider.place_call("101")

    receiver.wait(lambda: len(provider.deliveries(kind="calls", after=placed["deliveries"][0] - 1)) == 3)
    outcomes = {each["outcome"] for each in provider.deliveries(kind="calls", after=placed["deliveries"][0] - 1)}
    assert (placed["posted_at_ms"], outcomes) == (None, {"lost"})
    assert receiver.messages() == []


@pytest.mark.flow
@pytest.mark.parametrize("retries", [0, 2])
def test_delivery_retries(provider: Provider, make_receiver: Callable[..., Receiver], retries: int) -> None:
    refusing = make_receiver()
    provider.subscribe(provider.company_token(), refusing.url)
    refusing.wait_ready()
    refusing.status = 500
    provider.dialect(delivery_retries=retries)

    placed = provider.place_call("101")

    refusing.wait_ended(placed["from_call_id"])
    expected = 3 * (1 + retries)
    refusing.wait(lambda: len(refusing.messages(placed["from_call_id"])) == expected, 12)
    states = Counter(call["to"]["state"] for call in refusing.messages(placed["from_call_id"]))
    assert states == dict.fromkeys(("ringing", "active", "ended"), 1 + retries)
