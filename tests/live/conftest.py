"""A hub on a real Redis, and browsers that take frames through the plain ASGI send; real servers with their Redis."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from accounts.models import Domain
from tests.harness.redis import RedisServer, running_redis
from tests.live.serving import KINDS, Server, company, serving
from wallboard.live import feeds
from wallboard.live.feeds import Feed
from wallboard.live.hub import Hub
from wallboard.live.sockets import Socket

QUEUES, CALLS, DESK = feeds.queues(1), feeds.calls(1), feeds.desk(1, "101")


class Browser:
    """A browser's end: keeps what it is sent, and applies it as the page's own store does."""

    def __init__(self, *, user_id: int | None = None, screen_id: int | None = None) -> None:
        self.frames: list[dict[str, Any]] = []
        self.pings: list[dict[str, Any]] = []
        self.held: dict[str, str] = {}
        self.documents: dict[str, dict[str, Any]] = {}
        self.gaps = 0
        self.closed: list[int] = []
        self.may_take = asyncio.Event()
        self.may_take.set()
        self.socket = Socket(self._take, self.closed.append, user_id=user_id, screen_id=screen_id)

    async def _take(self, message: Mapping[str, Any]) -> None:
        await self.may_take.wait()
        frame = json.loads(message["text"])
        if "feed" not in frame:
            self.pings.append(frame)
            return
        self.frames.append(frame)
        documents = self.documents.setdefault(frame["feed"], {})
        if "snapshot" in frame:
            documents.clear()
            documents.update(frame["snapshot"])
        elif frame["prev"] != self.held.get(frame["feed"]):
            self.gaps += 1
        else:
            documents.update(frame["set"])
            for key in frame["del"]:
                documents.pop(key, None)
        self.held[frame["feed"]] = frame["id"]


class Truth:
    """Stands for the database: what each feed should hold, and how often it was asked."""

    def __init__(self) -> None:
        self.documents: dict[Feed, dict[str, tuple[int, Any]]] = {}
        self.asked: list[Feed] = []

    def of(self, feed: Feed) -> dict[str, tuple[int, Any]]:
        self.asked.append(feed)
        return dict(self.documents.get(feed, {}))


async def until(is_so: Callable[[], bool], seconds: float = 5) -> None:
    """Wait for the claim; fails where it stays false."""
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.005)


async def joined(hub: Hub, feed: Feed = QUEUES, held: str = "", **whose: Any) -> Browser:
    """A browser that has what the feed holds."""
    browser = Browser(**whose)
    hub.join(browser.socket, [(feed, held)])
    await until(lambda: feed.name in browser.documents or bool(browser.frames))
    return browser


async def published(feed: Feed, documents: dict[str, tuple[int, Any]]) -> str:
    """Publish from a thread, as a web process does; gives the id of the entry."""
    return str(await asyncio.to_thread(feed.publish, documents))


MakeHub = Callable[[], Awaitable[Hub]]


@pytest_asyncio.fixture
async def truth() -> Truth:
    return Truth()


@pytest_asyncio.fixture
async def make_hub(redis_url: str, truth: Truth) -> AsyncIterator[MakeHub]:
    """Start a hub as a server process would; all of them end with the test."""
    hubs: list[Hub] = []

    async def make() -> Hub:
        from wallboard.live import publish

        async def rebuild(feed: Feed) -> None:
            await asyncio.to_thread(publish.mend, feed, lambda: truth.of(feed))

        def changed(socket: Socket) -> None:
            socket.close(4409)

        hubs.append(Hub(redis_url, rebuild, changed, "r1"))
        return hubs[-1]

    yield make
    for hub in hubs:
        await hub.stop()


@pytest_asyncio.fixture
async def hub(make_hub: MakeHub) -> Hub:
    return await make_hub()


@pytest.fixture
def own_redis(tmp_path: Path, settings: Any) -> Iterator[RedisServer]:
    """A Redis that this test may kill."""
    with running_redis(tmp_path) as server:
        settings.REDIS_URL = server.url
        yield server


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, own_redis: RedisServer, tmp_path: Path) -> Iterator[Server]:
    with serving(request.param, own_redis, tmp_path) as running:
        yield running


@pytest.fixture
def daphne(own_redis: RedisServer, tmp_path: Path) -> Iterator[Server]:
    with serving("daphne", own_redis, tmp_path) as running:
        yield running


@pytest.fixture
def domain(transactional_db: None) -> Domain:
    return company()
