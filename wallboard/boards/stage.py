"""What the sockets of one server process share: the hub, the guard, and a few threads for the database."""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import close_old_connections

from wallboard.boards import seats, sources
from wallboard.boards.guard import Guard
from wallboard.boards.seats import Seat, Wish
from wallboard.live import leaving
from wallboard.live.feeds import Feed
from wallboard.live.hub import Hub

log = logging.getLogger(__name__)
DATABASE_THREADS = 4
T = TypeVar("T")

# Channels' own database_sync_to_async runs on one thread per process: one slow query would hold up every board.
database_threads = ThreadPoolExecutor(DATABASE_THREADS, thread_name_prefix="live-database")


async def in_database(work: Callable[..., T], *arguments: Any) -> T:
    """Run a function that uses the database on one of a few threads kept for that."""

    def run() -> T:
        close_old_connections()
        try:
            return work(*arguments)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(database_threads, run)


class Stage:
    """One per event loop."""

    def __init__(self) -> None:
        self.guard = Guard(self.decide)
        self.hub = Hub(settings.REDIS_URL, self._rebuild, self.guard.rights_changed, release())
        leaving.before_end(self.hub.say_goodbye)

    async def decide(self, cookies: Mapping[str, str], wish: Wish) -> Seat:
        """The seat that these cookies allow now. Raises seats.Refused, or whatever the database raises."""
        return await in_database(seats.seat_for, cookies, wish)

    async def stop(self) -> None:
        """End the work of hub and guard."""
        self.guard.stop()
        await self.hub.stop()

    async def _rebuild(self, feed: Feed) -> None:
        await in_database(sources.mend, feed)


_stages: "WeakKeyDictionary[asyncio.AbstractEventLoop, Stage]" = WeakKeyDictionary()


def stage_of_this_loop() -> Stage:
    """The stage of the running event loop, made when it is first needed."""
    loop = asyncio.get_running_loop()
    if loop not in _stages:
        _stages[loop] = Stage()
    return _stages[loop]


def socket_count() -> int:
    """How many browsers this process serves."""
    return sum(len(stage.hub.sockets) for stage in list(_stages.values()))


def release() -> str:
    """The version of the pages: a digest of the list of static files, which carry their content's hash in the name.

    It is that of this process, as its pages are: files collected later are served after its restart.
    """
    return digest_of(Path(settings.STATIC_ROOT) / "staticfiles.json")


@cache
def digest_of(manifest: Path) -> str:
    """Short text that changes with the file as it was when first read; "unhashed" where there is none."""
    try:
        return hashlib.sha256(manifest.read_bytes()).hexdigest()[:12]
    except OSError:
        return "unhashed"
