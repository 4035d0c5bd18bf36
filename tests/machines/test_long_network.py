"""Feeds over three hosts with Redis and Sentinel, whose wires are spoiled, cut and healed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.harness import redis_groups
from tests.harness.redis_groups import Group, Place
from tests.live.conftest import Truth, joined, until
from tests.machines import network
from tests.machines.network import Network
from wallboard.live import feeds, publish
from wallboard.live.feeds import Feed
from wallboard.live.hub import Hub
from wallboard.live.sockets import Socket

pytestmark = pytest.mark.timeout(300)
HOSTS = ("store1", "store2", "store3")
QUEUES = feeds.queues(1)


@pytest.fixture
def wires() -> Iterator[Network]:
    with network.running(HOSTS) as running:
        yield running


@pytest.fixture
def group(wires: Network, tmp_path: Path, settings: Any) -> Iterator[Group]:
    places = [Place(address, 6379) for address in wires.addresses.values()]
    watching = [Place(address, 26379) for address in wires.addresses.values()]
    made = redis_groups.sentinels(tmp_path, places, watching, wires.at_address)
    with redis_groups.running(made):
        settings.REDIS_URL = settings.TASKS_REDIS_URL = made.url
        yield made


@pytest_asyncio.fixture
async def hub(group: Group) -> AsyncIterator[tuple[Hub, Truth]]:
    truth = Truth()

    async def rebuild(feed: Feed) -> None:
        await asyncio.to_thread(publish.mend, feed, lambda: truth.of(feed))

    def changed(socket: Socket) -> None:
        socket.close(4409)

    made = Hub(group.url, rebuild, changed, "r1")
    yield made, truth
    await made.stop()


@pytest.mark.promise("R20", "bad wires, and the host of the Redis primary cut off")
@pytest.mark.asyncio
async def test_news_go_on_over_bad_wires_and_with_the_primary_cut_off(
    wires: Network, group: Group, hub: tuple[Hub, Truth]
) -> None:
    server, truth = hub
    page = await joined(server, QUEUES)

    def tell(number: int) -> None:
        truth.documents[QUEUES] = {"a": (number, {"n": number})}
        publish.tell(QUEUES, truth.documents[QUEUES])

    def shows(number: int) -> bool:
        return page.documents["queues"] == {"a": {"n": number}}

    await asyncio.to_thread(tell, 1)
    await until(lambda: shows(1), 60)

    wires.spoil(loss=0.05, delay=0.1)
    for number in range(2, 4):
        await asyncio.to_thread(tell, number)
    await until(lambda: shows(3), 60)
    wires.heal()

    first = group.primaries()[0]
    wires.cut(next(name for name, address in wires.addresses.items() if address == first.host))
    await asyncio.to_thread(tell, 4)
    await until(lambda: shows(4), 60)
    wires.heal()
    await asyncio.to_thread(tell, 5)
    await until(lambda: shows(5), 60)
    await until(lambda: len(group.primaries()) == 1, 60)  # the one that was cut off has given up
