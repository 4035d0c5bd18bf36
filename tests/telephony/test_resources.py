import json
from datetime import UTC, datetime
from typing import Any

import pytest

from wallboard.telephony import resources
from wallboard.telephony.decoding import Unreadable, instant, text
from wallboard.telephony.resources import QueueStats, SubscribedEvent, SubscriptionAnswer

WHOLE = {
    "queue": "8001", "calls_waiting": 3, "max_wait": 45, "avg_wait": 20,
    "num_agents": 5, "available_agents": 2, "unavailable_agents": 1,
}  # fmt: skip


def stats(*rows: Any) -> Any:
    return resources.queue_stats(json.dumps(rows).encode())


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (WHOLE, QueueStats("8001", 3, 45, 20, 5, 2, 1)),
        ({**WHOLE, "queue": 8001}, QueueStats("8001", 3, 45, 20, 5, 2, 1)),
        ({name: str(value) for name, value in WHOLE.items()}, QueueStats("8001", 3, 45, 20, 5, 2, 1)),
        ({**WHOLE, "avg_wait": 20.5, "calls_waiting": 3.0}, QueueStats("8001", 3, 45, 20.5, 5, 2, 1)),
        ({**WHOLE, "colour": {"deep": []}, "max_wait": None}, QueueStats("8001", 3, None, 20, 5, 2, 1)),
        ({"queue": "8001", "calls_waiting": 0}, QueueStats("8001", 0)),
        ({**WHOLE, "max_wait": -1, "avg_wait": "-1", "num_agents": -1}, QueueStats("8001", 3, None, None, None, 2, 1)),
        ({"queue": " 80\x0001 ", "calls_waiting": 0}, QueueStats("8001", 0)),
    ],
    ids=["whole", "number as id", "all text", "fractions", "null and unknown", "least", "below zero", "NUL"],
)
def test_a_row_is_read(row: Any, expected: Any) -> None:
    assert stats(row) == [expected]


@pytest.mark.parametrize(
    "changed",
    [
        {"calls_waiting": None}, {"calls_waiting": -1}, {"calls_waiting": 2.5}, {"calls_waiting": True},
        {"calls_waiting": "many"}, {"calls_waiting": 10**30}, {"queue": None}, {"queue": ""}, {"queue": ["8001"]},
    ],
    ids=str,
)  # fmt: skip
def test_a_row_of_nonsense_is_skipped_and_counted(changed: Any) -> None:
    found = stats({**WHOLE, "queue": "8002"}, {**WHOLE, **changed}, {**WHOLE, "queue": "8003"})

    assert [each.number for each in found] == ["8002", "8003"]
    assert found.skipped == 1


@pytest.mark.parametrize("odd", ["", "n/a", "00:45", "nan", "Infinity", {}, 1e30], ids=str)
def test_a_figure_of_nonsense_counts_as_not_told(odd: Any) -> None:
    found = stats({**WHOLE, "max_wait": odd, "num_agents": "5"}, {**WHOLE, "queue": "8002", "available_agents": odd})

    assert (found, found.skipped) == (
        [QueueStats("8001", 3, None, 20, 5, 2, 1), QueueStats("8002", 3, 45, 20, 5, None, 1)],
        0,
    )


def test_a_byte_order_mark_does_no_harm() -> None:
    assert resources.queue_stats(b"\xef\xbb\xbf" + json.dumps([WHOLE]).encode()) == stats(WHOLE)


def test_rows_that_are_no_objects_are_skipped() -> None:
    found = stats(WHOLE, 3, None, [], "x")

    assert (len(found), found.skipped) == (1, 4)


def test_a_queue_that_comes_twice_counts_once() -> None:
    found = stats(WHOLE, {**WHOLE, "calls_waiting": 9})

    assert ([each.waiting for each in found], found.skipped) == ([9], 1)


def test_no_queues_is_an_answer_but_nothing_but_nonsense_is_not() -> None:
    assert (stats(), stats().skipped) == ([], 0)
    with pytest.raises(Unreadable):
        stats({"queue": "8001"})


EXPIRES = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"id": "a1", "events": {"type": "calls"}}, SubscriptionAnswer("a1", events=(SubscribedEvent("calls"),))),
        (
            {"id": 7, "events": [{"type": "calls", "user": 101}, {"type": "cdrs", "user": "102"}]},
            SubscriptionAnswer("7", events=(SubscribedEvent("calls", "101"), SubscribedEvent("cdrs", "102"))),
        ),
        (
            {"id": 7, "events": {"type": "calls", "user": ["101", 102]}},
            SubscriptionAnswer("7", events=(SubscribedEvent("calls", "101"), SubscribedEvent("calls", "102"))),
        ),
        ({"id": 7, "events": []}, SubscriptionAnswer("7")),
        ({"id": 7, "events": "calls"}, SubscriptionAnswer("7", events=(SubscribedEvent("calls"),))),
        (
            {"id": 7, "events": ["calls", {"type": None, "user": {}}, 3.5, None, []], "expires": 1777010112345},
            SubscriptionAnswer("7", events=(SubscribedEvent("calls"), SubscribedEvent("3.5"))),
        ),
        (
            {"id": 7, "events": {"type": ["calls"], "user": [{}]}, "post_uri": {}, "expires": []},
            SubscriptionAnswer("7"),
        ),
        ({"id": 7, "events": None, "post_uri": None, "expires": None}, SubscriptionAnswer("7")),
        (
            {"id": 7, "post_uri": "https://us/x", "expires": "2026-03-01T12:00:00.000"},
            SubscriptionAnswer("7", "https://us/x", EXPIRES),
        ),
    ],
)
def test_a_subscription_is_read_in_every_form(raw: Any, expected: Any) -> None:
    assert resources.subscription(json.dumps(raw).encode()) == expected


@pytest.mark.parametrize("raw", [{}, {"id": None}, {"id": ""}, {"id": {}}, []])
def test_what_is_no_subscription_is_nonsense(raw: Any) -> None:
    with pytest.raises(Unreadable):
        resources.subscription(json.dumps(raw).encode())


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("2026-03-01T12:00:00Z", EXPIRES),
        ("2026-03-01T12:00:00.123456", EXPIRES.replace(microsecond=123456)),
        ("2026-03-01T13:00:00+01:00", EXPIRES),
        ("2026-03-01 12:00:00", EXPIRES),
        ("Sun, 01 Mar 2026 12:00:00 +0000", EXPIRES),
        ("Sun, 01 Mar 2026 14:00:00 +0200", EXPIRES),
        ("0001-01-01T00:00:00+14:00", None),
        ("yesterday, at noon", None),
        ("", None),
        (None, None),
        ("1" * 5000, None),
    ],
)
def test_times_are_read_in_every_form(raw: Any, expected: Any) -> None:
    assert instant(raw) == expected


def test_the_same_request_gives_the_same_bytes() -> None:
    def request(*users: Any) -> Any:
        return resources.subscription_request("https://us/hooks/x/", 604_800, calls=True, users=users)

    assert request("102", "101", "101") == request("101", "102")
    assert json.loads(request("101", "102")) == {
        "post_uri": "https://us/hooks/x/", "expires_in": 604_800, "calls": True, "user": ["101", "102"],
    }  # fmt: skip
    assert json.loads(request("101"))["user"] == "101"
    assert "user" not in json.loads(request())


@pytest.mark.parametrize("seconds", [0, -1, 604_801])
def test_a_subscription_cannot_live_longer_than_the_api_allows(seconds: Any) -> None:
    with pytest.raises(ValueError, match="604800"):
        resources.subscription_request("https://us/hooks/x/", seconds, calls=True)


def test_text_is_clean_and_bounded() -> None:
    assert (text(None), text(5), text(" a\0b "), text("x" * 300)) == ("", "5", "ab", "x" * 200)
