"""Feeds in Redis: versions, remembered removals, the log, and what mending does. The Redis is a real one."""

import json
import threading
import time
from typing import Any

import pytest
import redis

from wallboard.live import connections, feeds, publish
from wallboard.live.feeds import Feed
from wallboard.live.mirror import Cut, Mirror

pytestmark = pytest.mark.usefixtures("redis_url")
CALLS = feeds.calls(1)


def cut(feed: Feed = CALLS) -> Cut:
    """The whole feed, read as the hub reads it."""
    script = connections.client().register_script(connections.script("read"))
    built, values, log = script(keys=feed.keys)
    documents = dict(zip(values[::2], values[1::2], strict=True))
    return Cut(bool(built), documents, [(entry_id, json.loads(fields[1])) for entry_id, fields in log])


def documents(feed: Feed = CALLS) -> dict[str, Any]:
    return {key: json.loads(text) for key, text in cut(feed).documents.items()}


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


def test_a_feed_counts_as_built_only_once_it_was_compared_with_the_database() -> None:
    CALLS.publish({"1": (1, "x")})
    before = cut().is_built
    publish.mend(CALLS, lambda: {"1": (1, "x")})

    assert (before, cut().is_built) == (False, True)


def test_an_empty_feed_can_be_built() -> None:
    publish.mend(CALLS, dict)

    assert cut().is_built
    assert cut().position.startswith("1-")


def test_mending_publishes_only_what_differs() -> None:
    publish.mend(CALLS, lambda: {"1": (1, "a"), "2": (1, "b"), "3": (1, "c")})

    differing = publish.mend(CALLS, lambda: {"1": (1, "a"), "2": (2, "B"), "4": (1, "d")})

    assert differing == 3
    assert documents() == {"1": "a", "2": "B", "4": "d"}
    assert sorted(cut().log[-1][1]) == ["2", "3", "4"]


def test_mending_what_is_equal_writes_nothing() -> None:
    held = {"1": (1, "a"), "2": (1, None)}
    publish.mend(CALLS, lambda: held)
    position = cut().position

    assert publish.mend(CALLS, lambda: held) == 0
    assert cut().position == position


def test_mending_follows_a_database_that_was_restored_to_an_older_state() -> None:
    publish.mend(CALLS, lambda: {"1": (9, "new"), "2": (1, "b")})

    publish.mend(CALLS, lambda: {"1": (3, "old")})

    assert documents() == {"1": "old"}
    CALLS.publish({"1": (4, "going on")})
    assert documents() == {"1": "going on"}


def test_mending_with_documents_of_unknown_age_takes_only_what_is_newer() -> None:
    publish.mend(CALLS, lambda: {"1": (9, "new"), "2": (1, "b")})

    publish.mend(CALLS, {"1": (3, "old"), "2": (2, "B")})

    assert documents() == {"1": "new", "2": "B"}


def test_mending_finds_a_value_that_changed_without_a_new_version() -> None:
    publish.mend(CALLS, lambda: {"1": (1, {"name": "before"})})

    assert publish.mend(CALLS, lambda: {"1": (1, {"name": "after"})}) == 1
    assert documents() == {"1": {"name": "after"}}


def test_mending_never_undoes_what_was_published_while_the_database_was_read() -> None:
    publish.mend(CALLS, lambda: {"1": (1, "a"), "2": (1, "b"), "3": (1, "c")})

    def read() -> dict[str, tuple[int, Any]]:
        seen = {"2": (1, "b"), "3": (2, "C")}  # the row of 1 is gone
        CALLS.publish({"1": (2, "A"), "3": (3, None), "4": (1, "d")})
        return seen

    publish.mend(CALLS, read)

    assert documents() == {"1": "A", "2": "b", "4": "d"}


def test_a_document_that_is_shown_again_at_the_version_of_its_removal_comes_back() -> None:
    publish.mend(CALLS, lambda: {"1": (1, "a")})
    publish.mend(CALLS, dict)

    publish.mend(CALLS, lambda: {"1": (1, "a")})

    assert documents() == {"1": "a"}


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


# The cases of the recovery table of centrifugal/centrifuge (broker_redis_test.go, `brokerRecoverTests`), by its names:
# how long the log may be, how many entries were published, after which one a browser asks, and what it must get.
RECOVERY = {
    "empty_stream": (10, 0, 0, 0, True),
    "from_position": (10, 10, 8, 2, True),
    "from_position_limited": (10, 10, 5, 5, True),
    "from_position_with_server_limit": (10, 10, 5, 5, True),
    "from_position_that_already_gone": (10, 20, 8, 0, False),
    "from_position_that_not_exist_yet": (10, 20, 108, 0, False),
    "same_position_no_pubs_expected": (10, 7, 7, 0, True),
    "empty_position_recover_expected": (10, 4, 0, 4, True),
    "from_position_in_expired_stream": (10, 10, 8, 0, False),
    "from_same_position_in_expired_stream": (10, 1, 1, 0, False),
}


@pytest.mark.parametrize("name", RECOVERY)
def test_recovery(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits never cut an answer short here, for values are whole; and an expired log is a lost one: it is refused even
    at the same position, because its nonce shows that it is another."""
    length, published, since, recovered, is_recovered = RECOVERY[name]
    monkeypatch.setattr(feeds, "LOG_LENGTH", length)
    publish.mend(CALLS, dict)
    ids = {0: cut().position}
    for number in range(1, published + 1):
        ids[number] = str(CALLS.publish({str(number): (1, {"n": number})}))
    if "expired" in name:
        connections.client().flushdb()
        publish.mend(CALLS, lambda: {str(number): (1, {"n": number}) for number in range(1, published + 1)})

    mirror = Mirror()
    mirror.adopt(cut())
    keys = mirror.changed_since(ids.get(since, f"{since}-1"))

    assert (keys is not None) == is_recovered
    assert len(keys or ()) == recovered


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
