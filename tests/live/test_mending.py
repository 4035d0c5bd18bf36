"""Mending compares a feed in Redis with the database and publishes what differs. The Redis is a real one."""

from typing import Any, ClassVar

import msgspec
import pytest

from tests.live.cuts import CALLS, cut, documents
from wallboard.live import publish

pytestmark = pytest.mark.usefixtures("redis_url")


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


class Counted(msgspec.Struct):
    """What several processes count for themselves, a moment apart."""

    is_first_kept: ClassVar[bool] = True
    n: int


def test_of_what_each_process_counts_by_itself_the_first_holds_for_its_version() -> None:
    publish.mend(CALLS, lambda: {"1": (7, Counted(276))})

    assert publish.mend(CALLS, lambda: {"1": (7, Counted(322))}) == 0
    assert documents() == {"1": {"n": 276}}

    assert publish.mend(CALLS, lambda: {"1": (8, Counted(322))}) == 1
    assert documents() == {"1": {"n": 322}}


def test_what_was_counted_comes_back_where_it_was_removed() -> None:
    CALLS.publish({"1": (7, None)})

    publish.mend(CALLS, lambda: {"1": (7, Counted(276))})

    assert documents() == {"1": {"n": 276}}
