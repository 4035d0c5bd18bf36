"""What the sockets of one server process share: the hub, their rights and quota, a few threads for the database."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import close_old_connections

from accounts.signin.rights import RightsChange
from wallboard.live import graceful_shutdown
from wallboard.live.feeds import Feed
from wallboard.live.hub import Hub
from wallboard.live.release import release
from wallboard.sockets import snapshots, socket_access
from wallboard.sockets.database_watch import DatabaseWatch
from wallboard.sockets.deciding import Deciding
from wallboard.sockets.quota import Quota
from wallboard.sockets.reauthorization import Reauthorization
from wallboard.sockets.socket_access import AccessRequest, SocketAccess, SocketRequest

log = logging.getLogger(__name__)
DATABASE_THREADS = 4
T = TypeVar("T")

# Channels' own database_sync_to_async runs on one thread per process: one slow query would hold up every board.
_database_threads = ThreadPoolExecutor(DATABASE_THREADS, thread_name_prefix="live-database")


async def run_in_database_thread(work: Callable[..., T], *arguments: Any) -> T:
    """Run a function that uses the database on one of a few threads kept for that."""

    def run() -> T:
        # No request ends in these threads, after which Django would close what is broken.
        close_old_connections()
        try:
            return work(*arguments)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_database_threads, run)


class HubRuntime:
    """The hub and the reauthorization of one event loop."""

    def __init__(self) -> None:
        self._deciding = Deciding(partial(run_in_database_thread, socket_access.decide))
        self.reauthorization = Reauthorization(self.grant_access)
        self.hub = Hub(settings.REDIS_URL, self._rebuild, self.reauthorization.rights_changed, release())
        self.quota = Quota()
        # A moment's credit: the first look at the database is on its way.
        self._database_answered(())
        self._database_watch = DatabaseWatch(self._database_answered)
        graceful_shutdown.before_end(self.hub.announce_shutdown)

    async def grant_access(self, cookies: Mapping[str, str], request: AccessRequest) -> SocketAccess:
        """The access that the request is allowed now. Raises socket_access.Refused, or whatever the database raises."""
        if isinstance(request, SocketRequest):
            return await self._deciding.access(cookies, request)
        return await run_in_database_thread(request.access, cookies)

    async def stop(self) -> None:
        """End the work of the hub and of the reauthorization."""
        self._database_watch.stop()
        self._deciding.stop()
        self.reauthorization.stop()
        await self.hub.stop()

    def _database_answered(self, changes: Sequence[RightsChange]) -> None:
        self.hub.pings.proved("database")
        self.reauthorization.recheck(changes)

    async def _rebuild(self, feed: Feed) -> None:
        await run_in_database_thread(snapshots.mend, feed)


_runtimes: "WeakKeyDictionary[asyncio.AbstractEventLoop, HubRuntime]" = WeakKeyDictionary()


def current_runtime() -> HubRuntime:
    """The runtime of the running event loop, made when it is first needed."""
    loop = asyncio.get_running_loop()
    if loop not in _runtimes:
        _runtimes[loop] = HubRuntime()
    return _runtimes[loop]


def socket_count() -> int:
    """How many browsers this process serves."""
    return sum(len(runtime.hub.sockets) for runtime in list(_runtimes.values()))
