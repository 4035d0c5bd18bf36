"""State before plus news equals state after, whatever is lost, restored, slow or reconnecting on the way."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.live.conftest import Browser, until
from wallboard.live import feeds, following
from wallboard.live.following import Following
from wallboard.live.mirror import Cut, Entry, Mirror
from wallboard.live.servers import plain

KEYS = st.sampled_from("abcd")
CALLS = feeds.calls(1)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("publish"), st.dictionaries(KEYS, st.one_of(st.none(), st.integers(0, 9)), min_size=1)),
        st.tuples(st.just("lose"), st.dictionaries(KEYS, st.one_of(st.none(), st.integers(0, 9)), min_size=1)),
        st.tuples(st.just("double"), st.just({})),
        st.tuples(st.just("restore"), st.integers(0, 5)),
        st.tuples(st.just("wipe"), st.just({})),
        st.tuples(st.just("leave"), st.integers(0, 2)),
        st.tuples(st.just("join"), st.integers(0, 2)),
        st.tuples(st.just("join elsewhere"), st.integers(0, 2)),
        st.tuples(st.just("choke"), st.integers(0, 2)),
        st.tuples(st.just("wait"), st.just({})),
    ),
    max_size=25,
)


class Original:
    """Stands for Redis: the feed itself, with its log, and copies of it to go back to."""

    def __init__(self) -> None:
        self.nonce = 0
        self.kept: list[tuple[dict[str, str], list[tuple[str, list[str]]]]] = []
        self.documents: dict[str, str] = {}
        self.log: list[tuple[str, list[str]]] = []
        self.last: Entry | None = None
        self.publish({})

    def publish(self, changes: dict[str, Any]) -> Entry:
        self.nonce += 1
        previous = self.log[-1][0] if self.log else ""
        entry_id = f"{int(previous.partition('-')[0] or 0) + 1}-{self.nonce}"
        texts = {key: "" if value is None else str(value) for key, value in changes.items()}
        for key, text in texts.items():
            self.documents.pop(key, None)
            if text:
                self.documents[key] = text
        self.log.append((entry_id, list(texts)))
        self.kept.append((dict(self.documents), list(self.log)))
        self.last = Entry(entry_id, previous, texts)
        return self.last

    def restore(self, steps: int) -> None:
        documents, log = self.kept[-min(steps, len(self.kept) - 1) - 1]
        self.documents, self.log = dict(documents), list(log)

    def wipe(self) -> None:
        documents, self.documents, self.log = self.documents, {}, []
        self.publish({key: int(text) for key, text in documents.items()})

    async def read(self, _: Any) -> Cut:
        await asyncio.sleep(0)
        return Cut(True, dict(self.documents), list(self.log))

    async def rebuild(self, _: Any) -> None:
        raise AssertionError("it is always built")


@pytest.fixture(autouse=True, scope="module")
def _quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(following, "MERGE_SECONDS", 0.001)
        patch.setattr(plain, "BACKLOG_MESSAGES", 2)
        yield


class Stage:
    """The feed, two server processes that follow it, and three pages that move between them."""

    def __init__(self) -> None:
        self.original = Original()
        self.here, self.elsewhere = (Following(CALLS, self.original.read, self.original.rebuild) for _ in range(2))
        self.browsers = [Browser() for _ in range(3)]
        for each in (self.here, self.elsewhere):
            each.distrust()

    async def play(self, steps: list[tuple[str, Any]]) -> None:
        """Take the steps in turn, settle, and see that every page holds what the feed holds."""
        for name, value in steps:
            await getattr(self, name.replace(" ", "_"))(value)
        await self.settle()
        for browser in self.browsers:
            assert browser.gaps == 0
            held = browser.documents.get("calls", {})
            assert {key: str(value) for key, value in held.items()} == self.original.documents
        self.here.stop()
        self.elsewhere.stop()

    async def publish(self, value: dict[str, Any]) -> None:
        entry = self.original.publish(value)
        self.here.hear(entry)
        self.elsewhere.hear(entry)

    async def lose(self, value: dict[str, Any]) -> None:
        self.elsewhere.hear(self.original.publish(value))

    async def double(self, _: Any) -> None:
        if self.original.last is not None:
            self.here.hear(self.original.last)

    async def restore(self, steps: int) -> None:
        self.original.restore(steps)

    async def wipe(self, _: Any) -> None:
        self.original.wipe()

    async def leave(self, which: int) -> None:
        """The page's connection ends; the page stays, with what it holds."""
        before = self.browsers[which]
        for each in (self.here, self.elsewhere):
            each.remove(before.socket)
        after = self.browsers[which] = Browser()
        after.documents = {feed: dict(documents) for feed, documents in before.documents.items()}
        after.held = dict(before.held)
        before.may_take.set()

    async def join(self, which: int) -> None:
        await self.leave(which)
        self.add(which, self.here)

    async def join_elsewhere(self, which: int) -> None:
        await self.leave(which)
        self.add(which, self.elsewhere)

    def add(self, which: int, where: Following) -> None:
        where.add(self.browsers[which].socket, self.browsers[which].held.get("calls", ""))

    async def choke(self, which: int) -> None:
        self.browsers[which].may_take.clear()

    async def wait(self, _: Any) -> None:
        await asyncio.sleep(0.003)

    async def settle(self) -> None:
        """What the hub does every few seconds: see whether the mirrors are right, and let slow browsers catch up."""
        for which, browser in enumerate(self.browsers):
            browser.may_take.set()
            if not any(browser.socket in (*each.joined, *each.waiting) for each in (self.here, self.elsewhere)):
                self.add(which, self.here)
        await until(self.is_settled)

    def is_settled(self) -> bool:
        newest = self.original.log[-1][0]
        for each in (self.here, self.elsewhere):
            if each.is_loaded and each.mirror.position != newest:
                each.distrust()
            for socket, held in list(each.waiting.items()):
                if socket.stuck_since is not None and socket.is_drained():
                    socket.stuck_since = None
                    each.add(socket, held)
        return all(browser.held.get("calls") == newest for browser in self.browsers)


@settings(max_examples=300, deadline=None)
@given(STEPS)
def test_every_browser_ends_equal_to_the_feed(steps: list[tuple[str, Any]]) -> None:
    async def play() -> None:
        await Stage().play(steps)

    asyncio.run(play())


def entry(number: int, *keys: str) -> Entry:
    return Entry(f"{number}-1", f"{number - 1}-1", dict.fromkeys(keys, "1"))


def test_a_mirror_knows_what_changed_since_an_entry() -> None:
    mirror = Mirror()
    mirror.adopt(Cut(True, {"a": "1"}, [("1-1", ["a"])]))
    for each in (entry(2, "b"), entry(3, "c"), entry(4, "b")):
        mirror.apply(each)

    assert mirror.changed_since("2-1") == {"c", "b"}
    assert mirror.changed_since("4-1") == set()


@pytest.mark.parametrize("unknown", ["", "0-1", "2-9", "9-1", "nonsense", "-", "1", "²-1"])
def test_a_mirror_refuses_an_id_that_was_never_in_its_log(unknown: str) -> None:
    mirror = Mirror()
    mirror.adopt(Cut(True, {}, [("1-1", []), ("2-1", ["a"])]))

    assert mirror.changed_since(unknown) is None


def test_adopting_a_cut_tells_what_differs() -> None:
    mirror = Mirror()
    mirror.adopt(Cut(True, {"a": "1", "b": "1", "c": "1"}, [("1-1", [])]))

    assert mirror.adopt(Cut(True, {"a": "1", "b": "2", "d": "1"}, [("1-7", [])])) == {"b", "c", "d"}
