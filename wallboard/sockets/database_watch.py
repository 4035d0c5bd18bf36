"""Every second: does the database take deliveries, and whose rights does it say have changed?

A thread and a connection of its own: where the database hangs, so does this thread, and the last proof grows old.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.db import DatabaseError, InterfaceError, connection

from accounts.signin.rights import RightsChange, RightsReader
from wallboard.calls.models import Delivery
from wallboard.calls.webhooks.committer import use_own_connection
from wallboard.live.loops import forever_async

LOOK_SECONDS = 1.0


class DatabaseWatch:
    """One per event loop. After each look that the database answered `answered` is called there with what changed."""

    def __init__(self, answered: Callable[[Sequence[RightsChange]], None]) -> None:
        self._answered = answered
        self._reader = RightsReader()
        self._thread = ThreadPoolExecutor(1, "database-watch", initializer=use_own_connection)
        self._task = asyncio.create_task(forever_async("database watch", self._step))

    def stop(self) -> None:
        """Look no more."""
        self._task.cancel()
        # A connection belongs to the thread that opened it.
        self._thread.submit(connection.close)
        self._thread.shutdown(wait=False)

    async def _step(self) -> None:
        changes = await asyncio.get_running_loop().run_in_executor(self._thread, look, self._reader)
        if changes is not None:
            self._answered(changes)
        await asyncio.sleep(LOOK_SECONDS)


def look(reader: RightsReader) -> Sequence[RightsChange] | None:
    """The changes since the last look; None where a delivery could not be written now.

    An update that meets no row takes the locks that an insert would.
    """
    try:
        Delivery.objects.filter(pk=0).update(problem="")
        return reader.new_changes()
    except (DatabaseError, InterfaceError):
        # What broke stays broken; the next look opens a new one.
        connection.close()
        return None
