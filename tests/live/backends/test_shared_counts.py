"""Counts that processes share: the sum of all is known to each of them within a moment, and Redis may be away."""

import time
from types import SimpleNamespace
from typing import Any

import pytest

from wallboard.demo.processes import wait_until
from wallboard.live import connections
from wallboard.live.backends import shared_counts
from wallboard.live.backends.shared_counts import SharedCounts


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_counts, "TELL_SECONDS", 0.01)
    monkeypatch.setattr(shared_counts, "PAUSE_SECONDS", 0.05)


def test_two_processes_count_together_until_the_window_ends(redis_url: str) -> None:
    here, there = (SharedCounts("tries", 60, 100) for _ in range(2))
    for _ in range(3):
        here.count("a")
    assert wait_until(lambda: not here._is_telling, 5, 0.01)

    there.count("a")
    assert wait_until(lambda: there.used("a") == 4, 5, 0.01)
    assert there.count("a").used == 5
    assert wait_until(lambda: not there._is_telling, 5, 0.01)
    assert here.used("a") == 3  # it learns the sum when it counts again
    assert here.count("a").used == 4
    assert wait_until(lambda: here.used("a") == 6, 5, 0.01)

    connections.client().pexpire(here._key("a"), 1)
    time.sleep(0.01)
    here.count("a")
    assert wait_until(lambda: here.used("a") == 1, 5, 0.01)


def test_what_redis_was_not_told_is_told_when_it_is_back(settings: Any, redis_url: str) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    counts = SharedCounts("later", 60, 100)
    assert [counts.count("a").used for _ in range(2)] == [1, 2]
    time.sleep(0.05)
    assert counts.used("a") == 2

    settings.REDIS_URL = redis_url
    assert wait_until(lambda: connections.client().get(counts._key("a")) == "2", 5, 0.01)
    assert counts.count("a").used == 3


def test_a_sum_that_redis_would_keep_for_ever_gets_an_end(redis_url: str) -> None:
    counts = SharedCounts("lasting", 60, 100)
    connections.client().set(counts._key("a"), 5)

    counts.count("a")

    assert wait_until(lambda: counts.used("a") == 6, 5, 0.01)
    assert wait_until(lambda: 0 < connections.client().ttl(counts._key("a")) <= 60, 5, 0.01)


def test_sums_that_ended_while_redis_was_away_hold_up_nothing(settings: Any, redis_url: str) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    counts = SharedCounts("ended", 1, 1)
    counts.count("a")
    counts._sums["a"].ends_at = 0.0
    counts.count("b")  # drops what has ended, to make room
    assert list(counts._sums) == ["b"]

    settings.REDIS_URL = redis_url
    counts._sums["b"].ends_at += 60
    assert wait_until(lambda: connections.client().get(counts._key("b")) == "1", 5, 0.01)


def test_without_a_name_a_process_counts_alone_and_keys_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(shared_counts, "time", SimpleNamespace(monotonic=lambda: now))
    counts = SharedCounts("", 60, 2)

    assert [counts.count(key).used for key in ("a", "b", "c", "d", "a")] == [1, 1, 1, 2, 2]
    assert counts.count("a").seconds_left == 61
    assert not counts._is_telling
    now += 60
    assert [counts.count(key).used for key in ("c", "d", "e")] == [1, 1, 1]
