from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import Domain
from wallboard.queues import pacing
from wallboard.queues.models import PollState
from wallboard.telephony.errors import BadResponse, NotAuthorized, RateLimited, Unreachable

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def domain(poll_seconds: Any = None) -> Any:
    return Domain(poll_seconds=poll_seconds)


def tried(seconds_ago: Any, **values: Any) -> Any:
    return PollState(tried_at=NOW - timedelta(seconds=seconds_ago), **values)


@pytest.mark.parametrize(
    ("poll_seconds", "state", "expected"),
    [
        (None, None, True),
        (None, PollState(), True),
        (None, tried(5), True),
        (None, tried(4.2), True),
        (None, tried(3.5), False),
        (None, tried(0), False),
        (60, tried(58), False),
        (60, tried(59.5), True),
        (1, tried(1), False),
        (None, tried(-3600), True),
        (None, tried(30, not_before=NOW + timedelta(seconds=1)), False),
        (None, tried(30, not_before=NOW - timedelta(seconds=1)), True),
        (None, tried(-1200, not_before=NOW + timedelta(seconds=1225)), True),
        (None, tried(30, not_before=NOW + timedelta(seconds=3601)), True),
        (60, tried(3, not_before=NOW - timedelta(seconds=1)), True),
    ],
    ids=[
        "never",
        "fresh row",
        "in time",
        "early tick",
        "too early",
        "just now",
        "own interval waits",
        "own interval due",
        "never faster than beat",
        "clock was set back",
        "paused",
        "pause over",
        "paused, then the clock was set back",
        "longer than any pause",
        "pause over before the interval",
    ],
)
def test_is_due(poll_seconds: Any, state: Any, expected: Any) -> None:
    assert pacing.is_due(domain(poll_seconds), state, NOW) is expected


def test_pauses_grow_to_half_a_minute_with_jitter() -> None:
    pauses = [
        [pacing.pause_seconds(domain(), Unreachable("x"), failures) for _ in range(200)] for failures in range(1, 8)
    ]

    assert [max(each) for each in pauses] == pytest.approx([5, 10, 20, 30, 30, 30, 30], rel=0.05)
    assert all(len(set(each)) > 100 for each in pauses)
    assert all(min(each) >= least for each, least in zip(pauses, [2.5, 5, 10, 20, 27, 27, 27], strict=True))


@pytest.mark.parametrize("poll_seconds", [0.2, 1, 5, 60])
def test_ten_minutes_of_failure_cost_at_most_thirty_calls(poll_seconds: float, settings: Any) -> None:
    settings.POLL_SECONDS = poll_seconds
    for _ in range(50):
        spent, calls = 0.0, 0
        while spent < 600:
            calls += 1
            spent += pacing.pause_seconds(domain(), BadResponse("x"), calls)

        assert calls <= 30


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (RateLimited("x", 90.0), 90),
        (RateLimited("x", 0.0), 5),
        (RateLimited("x", 1e9), 3600),
    ],
)
def test_the_provider_is_given_the_time_it_asks_for(error: Any, seconds: Any) -> None:
    assert pacing.pause_seconds(domain(), error, 1) == seconds


def test_refused_tokens_are_tried_again_within_seconds_and_then_each_minute() -> None:
    pauses = [
        [pacing.pause_seconds(domain(60), NotAuthorized("x"), failures) for _ in range(200)] for failures in range(1, 8)
    ]

    assert [max(each) for each in pauses] == pytest.approx([2, 4, 8, 16, 32, 60, 60], rel=0.05)
    assert all(len(set(each)) > 100 for each in pauses)


def test_a_pause_of_the_token_endpoint_is_that_of_the_poll() -> None:
    error = Unreachable("x")
    error.wait_seconds = 7.5

    assert pacing.pause_seconds(domain(), error, 5) == 7.5


def test_an_unreadable_retry_after_backs_off_as_usual() -> None:
    assert 2.5 <= pacing.pause_seconds(domain(), RateLimited("x", None), 1) <= 5


@pytest.mark.parametrize(("interval", "seconds"), [(1, 7), (3, 11), (5, 12), (10, 22), (60, 122)])
def test_a_reading_is_live_for_two_intervals_and_no_longer_than_twelve_seconds_where_that_is_possible(
    settings: Any, interval: float, seconds: float
) -> None:
    settings.POLL_SECONDS = 1

    assert pacing.live_for(domain(interval)) == timedelta(seconds=seconds)
