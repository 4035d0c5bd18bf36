"""Feeds in Redis: versions, remembered removals, the log, and publishers without Redis. The Redis is a real one."""

import json
import threading
import time
from typing import Any

import msgspec
import pytest
import redis

from tests.live.cuts import CALLS, cut, documents
from wallboard.live import connections, feeds, publish

pytestmark = pytest.mark.usefixtures("redis_url")


def test_a_newer_version_replaces_the_one_before() -> None:
    CALLS.publish({"1": (1, "ringing")})

    entry = CALLS.publish({"1": (2, "talking")})

    assert documents() == {"1": "talking"}
    assert cut().position == entry


@pytest.mark.parametrize("version", [1, 2])
def test_what_is_not_newer_is_dropped_and_leaves_no_entry(version: int) -> None:
    CALLS.publish({"1": (2, "talking")})

    entry = CALLS.publish({"1": (version, "ringing")})

    assert entry is None
    assert documents() == {"1": "talking"}
    assert len(cut().log) == 1


def test_a_newer_version_with_the_same_value_is_kept_but_not_told() -> None:
    CALLS.publish({"1": (1, "ringing")})

    assert CALLS.publish({"1": (5, "ringing")}) is None
    assert CALLS.publish({"1": (4, "older")}) is None
    assert documents() == {"1": "ringing"}


def test_of_many_documents_only_the_changed_ones_are_told() -> None:
    CALLS.publish({"1": (1, "a"), "2": (7, "b")})

    CALLS.publish({"1": (2, "c"), "2": (7, "b"), "3": (1, "d")})

    assert cut().log[-1][1] == ["1", "3"]


def test_older_news_cannot_bring_a_removed_document_back() -> None:
    CALLS.publish({"1": (3, "talking")})
    CALLS.publish({"1": (4, None)})

    assert CALLS.publish({"1": (3, "talking")}) is None
    assert documents() == {}


def test_a_removal_that_comes_before_the_document_is_remembered() -> None:
    CALLS.publish({"1": (4, None)})

    CALLS.publish({"1": (3, "talking")})

    assert documents() == {}


def test_a_newer_version_brings_a_removed_document_back() -> None:
    CALLS.publish({"1": (4, None)})

    CALLS.publish({"1": (5, "again")})

    assert documents() == {"1": "again"}


def test_removals_are_forgotten_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    CALLS.publish({"1": (4, None)})
    monkeypatch.setattr(feeds, "REMEMBER_REMOVALS_SECONDS", -1)

    CALLS.publish({"2": (1, "x")})

    assert CALLS.versions().versions == {"2": 1}


def test_the_log_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "LOG_LENGTH", 10)

    for version in range(1, 40):
        CALLS.publish({"1": (version, version)})

    assert len(cut().log) == 10


def test_numbers_grow_by_one_and_each_entry_names_the_one_before(redis_url: str) -> None:
    client: Any = connections.client()
    with client.pubsub() as news:
        news.subscribe(CALLS.channel(redis_url))
        news.get_message(timeout=2)
        for version in (1, 2, 3):
            CALLS.publish({"1": (version, version)})
        heard = [json.loads(news.get_message(timeout=2)["data"]) for _ in range(3)]

    assert [entry[0].partition("-")[0] for entry in heard] == ["1", "2", "3"]
    assert [entry[1] for entry in heard] == ["", heard[0][0], heard[1][0]]
    assert heard[2][2:] == ["1", "3"]


def test_feeds_of_different_companies_and_names_are_apart() -> None:
    feeds.calls(1).publish({"1": (1, "one")})
    feeds.calls(2).publish({"1": (1, "two")})
    feeds.wall(1).publish({"1": (1, "masked")})

    assert documents(feeds.calls(1)) == {"1": "one"}
    assert documents(feeds.calls(2)) == {"1": "two"}
    assert documents(feeds.wall(1)) == {"1": "masked"}


def test_an_extension_cannot_reach_into_another_feed() -> None:
    feeds.desk(1, "1}:values{").publish({"1": (1, "mine")})

    assert feeds.desk(1, "1").versions().versions == {}


def test_many_documents_fit_one_publish() -> None:
    many = {str(number): (1, {"waiting": number}) for number in range(9000)}

    CALLS.publish(many)

    assert len(documents()) == 9000


def test_values_that_json_does_not_know_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        CALLS.publish({"1": (1, float("nan"))})


class Part(msgspec.Struct, frozen=True):
    name: str


class Whole(msgspec.Struct, frozen=True, rename={"source": "from"}):
    source: Part
    count: int | None
    names: list[str]


class Measured(msgspec.Struct, frozen=True):
    parts: list[Whole]
    seconds: float | None


def test_a_document_without_fractions_is_written_in_one_go_and_all_others_are_looked_at() -> None:
    whole = Whole(Part("Zoë"), None, ["a"])

    assert feeds.encoded(whole) == '{"from":{"name":"Zoë"},"count":null,"names":["a"]}'
    assert (feeds.is_without_fractions(Whole), feeds.is_without_fractions(Measured)) == (True, False)
    with pytest.raises(ValueError, match="JSON"):
        feeds.encoded(Measured([whole], float("nan")))


def test_a_cut_holds_exactly_what_its_log_says_while_others_publish() -> None:
    """Each writer counts one document up: at any cut, each value equals the number of entries that name its key."""
    stop = threading.Event()

    def write(key: str) -> None:
        version = 0
        while not stop.is_set() and version < 200:
            version += 1
            CALLS.publish({key: (version, version)})

    writers = [threading.Thread(target=write, args=(key,)) for key in "abcd"]
    for writer in writers:
        writer.start()
    cuts = [cut() for _ in range(60)]
    stop.set()
    for writer in writers:
        writer.join()

    assert any(len(each.log) > 20 for each in cuts)
    for each in cuts:
        counted = {key: sum(key in keys for _, keys in each.log) for key in each.documents}
        assert {key: int(text) for key, text in each.documents.items()} == counted


def test_telling_never_raises_and_recovers_by_itself(
    settings: Any, redis_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "breaker", publish.Breaker())
    monkeypatch.setattr(publish, "PAUSE_SECONDS", 0.05)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    missed = [publish.tell(CALLS, {"1": (1, "x")}) for _ in range(3)]
    settings.REDIS_URL = redis_url
    time.sleep(0.06)

    told = publish.tell(CALLS, {"1": (1, "x")})

    assert (missed, told) == ([False] * 3, True)
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]


def test_a_redis_that_hangs_costs_a_caller_about_one_second_and_the_next_ones_nothing(
    redis_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "breaker", publish.Breaker())
    CALLS.publish({"1": (1, "x")})
    redis_server.child.kill(19)  # SIGSTOP
    try:
        began = time.monotonic()
        first = publish.tell(CALLS, {"1": (2, "y")})
        middle = time.monotonic()
        others = [publish.tell(CALLS, {"1": (3, "z")}) for _ in range(20)]
        end = time.monotonic()
    finally:
        redis_server.child.kill(18)  # SIGCONT

    assert (first, any(others)) == (False, False)
    assert middle - began < 2.5
    assert end - middle < 0.1


def test_publishing_raises_what_redis_raises(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    with pytest.raises(redis.ConnectionError):
        CALLS.publish({"1": (1, "x")})
