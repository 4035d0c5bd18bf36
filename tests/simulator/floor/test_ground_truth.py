"""What really happened, beside the messages that say so."""

from typing import Any

from tests.simulator.dialect.runs import PlacedCall, stream
from wallboard.simulator.floor.ground_truth import GroundTruth, QueueCall


def test_an_answered_call_has_its_wait_and_who_answered() -> None:
    [queue] = PlacedCall().provider.ground_truth()["queues"]

    assert {name: queue[name] for name in ("offered", "answered", "abandoned", "waiting")} == {
        "offered": 1,
        "answered": 1,
        "abandoned": 0,
        "waiting": 0,
    }
    [call] = queue["calls"]
    assert (call["outcome"], call["wait_seconds"], call["answered_by"]) == ("answered", 5.0, "101")
    assert call["offered_at"] == "2026-01-05T10:00:01+00:00"


def test_an_abandoned_call_has_its_wait_and_nobody() -> None:
    [queue] = PlacedCall(answer=False).provider.ground_truth()["queues"]

    [call] = queue["calls"]
    assert (call["outcome"], call["wait_seconds"], call["answered_by"]) == ("abandoned", 5.0, None)
    assert (queue["offered"], queue["abandoned"]) == (1, 1)


def by_messages(items: list[Any]) -> dict[str, dict[str, str | None]]:
    """By queue and caller, who answered as the messages tell; None for nobody."""
    found: dict[str, dict[str, str | None]] = {}
    queue_of: dict[str, str] = {}
    for call in (item.payload["calls"] for item in items if item.kind == "calls"):
        caller, user = call["from"]["call_id"], call["to"]["user"]
        if user and user.startswith("40"):
            if call["to"]["state"] == "active":
                queue_of[caller] = user
                found.setdefault(user, {})[caller] = None
        elif caller in queue_of and call["to"]["state"] == "active" and call["by_call_id"] is None:
            found[queue_of[caller]].setdefault(caller, None)
            found[queue_of[caller]][caller] = found[queue_of[caller]][caller] or user
    return found


def test_the_truth_is_what_complete_messages_tell() -> None:
    run = stream()
    items = list(run.run(1800))

    by_caller = by_messages(items)
    for queue in run.ground_truth()["queues"]:
        truth = {call["from_call_id"]: call["answered_by"] for call in queue["calls"]}
        assert truth == by_caller.get(queue["queue"], {})
        assert queue["offered"] == len(truth)
        assert queue["answered"] == sum(answered is not None for answered in truth.values())


def test_people_stand_in_the_truth_with_what_they_do() -> None:
    people = stream().ground_truth()["people"]

    assert [each["extension"] for each in people][:2] == ["101", "102"]
    assert {each["activity"] for each in people} == {"idle"}


def test_counts_outlive_the_calls_that_are_kept() -> None:
    truth = GroundTruth(most_queue_calls=2)
    for number in range(5):
        call = QueueCall("4001", str(number), stream().starts_at, float(number))
        truth.leave_queue(call, number + 1.0, "101" if number % 2 else None)

    queue = truth.queue_as_json("4001", [], 10.0, 1.0)
    assert (queue["offered"], queue["answered"], queue["abandoned"], len(queue["calls"])) == (5, 2, 3, 2)
