"""One feed followed by one server process: its mirror, the browsers that look at it, and the pace of their frames."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

import redis

from wallboard.live import frames
from wallboard.live.feeds import Feed
from wallboard.live.frames import Frame
from wallboard.live.mirror import Cut, Entry, Mirror
from wallboard.live.pump import Pump
from wallboard.live.sockets import Socket

log = logging.getLogger(__name__)
MERGE_SECONDS = 0.1
HEARD_LIMIT = 500
RETRY_SECONDS = 2.0

Read = Callable[[Feed], Awaitable[Cut]]
Rebuild = Callable[[Feed], Awaitable[None]]


class Following:
    """Browsers in `seated` hold the id `told`; those in `waiting` come next, each with the id it holds itself.

    `distrust` says that the mirror may have missed something: the whole feed is read again, and the difference is what
    the seated browsers get. So a lost message, a lost history and a rebuilt feed all heal the same way.
    """

    def __init__(self, feed: Feed, read: Read, rebuild: Rebuild, pump: Pump | None = None) -> None:
        self.feed = feed
        self.mirror = Mirror(feed.sieve)
        self.told = ""
        self.is_loaded = False
        self.seated: dict[Socket, None] = {}
        self.waiting: dict[Socket, str] = {}
        self._read, self._rebuild = read, rebuild
        self._changed: dict[str, None] = {}
        self._heard: list[Entry] = []
        self._is_doubted = False
        self._should_mend = False
        self._mending: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._snapshot: tuple[str, str, Frame] | None = None
        self.sent_at = 0.0
        self._pump = pump or Pump(0.0 if feed.is_urgent else MERGE_SECONDS)
        self._own_pump = None if pump else self._pump.task

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks at this feed here any more."""
        return not self.seated and not self.waiting

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """The work of this following that is under way."""
        return [task for task in (self._own_pump, self._reading, self._mending) if task is not None]

    def stop(self) -> None:
        """End the work of this following."""
        self._pump.forget(self)
        for task in self.tasks:
            task.cancel()

    # --- what comes from Redis ---

    def hear(self, entry: Entry) -> None:
        """Take an entry from the news connection: the next one, one that is known already, or proof of a gap."""
        if self._reading is not None or not self.is_loaded:
            self._heard.append(entry)
            if len(self._heard) > HEARD_LIMIT:
                self._heard.clear()
                self._is_doubted = True
        elif self.mirror.follows(entry):
            self._note(self.mirror.apply(entry))
        elif not self.mirror.knows(entry.id):
            self.distrust()

    def distrust(self) -> None:
        """Read the whole feed again."""
        self._is_doubted = True
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_until_trusted())

    def distrust_and_mend(self) -> None:
        """Start anew on a new news connection: read the whole feed, then compare it with the database.

        What an earlier connection brought may be of a history that was lost since, and news may never have arrived.
        """
        self._heard.clear()
        self._should_mend = True
        self.distrust()

    async def _read_until_trusted(self) -> None:
        while self._is_doubted:
            self._is_doubted = False
            if not await self._read_once():
                self._is_doubted = True
                await asyncio.sleep(RETRY_SECONDS)
        self._reading = None

    async def _read_once(self) -> bool:
        """Read and adopt the feed, built first where it is not; False where that did not work."""
        try:
            cut = await self._read(self.feed)
            if not cut.is_built:
                self._should_mend = False
                await self._rebuild(self.feed)
                cut = await self._read(self.feed)
        except (redis.RedisError, OSError):
            return False  # the hub logs when Redis breaks and when it heals
        except Exception as error:
            log.error("The feed %s cannot be built (%s: %s)", self.feed.name, type(error).__name__, error)
            return False
        if cut.is_built:
            self._adopt(cut)
            if self._should_mend:
                self._should_mend = False
                self._mending = asyncio.create_task(self._mend())
        return cut.is_built

    async def _mend(self) -> None:
        try:
            await self._rebuild(self.feed)
        except Exception as error:  # the periodic mending tries again
            log.warning("The feed %s could not be mended (%s)", self.feed.name, type(error).__name__)

    def _adopt(self, cut: Cut) -> None:
        changed = self.mirror.adopt(cut)
        if self.is_loaded:
            self._note(changed)
        else:
            self.is_loaded, self.told = True, self.mirror.position
        heard, self._heard = self._heard, []
        for entry in heard:
            if self.mirror.follows(entry):
                self._note(self.mirror.apply(entry))
            elif not self.mirror.knows(entry.id):
                self._is_doubted = True
        for socket, held in list(self.waiting.items()):
            self.seat(socket, held, may_read=False)

    # --- what goes to browsers ---

    def seat(self, socket: Socket, held: str, *, may_read: bool = True) -> None:
        """Give a browser what it lacks since the id it holds ("" for nothing), and every frame from then on."""
        self.waiting[socket] = held
        if not self.is_loaded or socket.stuck_since is not None:
            return
        if may_read and self.mirror.is_behind(held):
            self.distrust()
            return
        if socket.take(self._welcome(held)):
            del self.waiting[socket]
            self.seated[socket] = None

    def unseat(self, socket: Socket) -> None:
        """Forget a browser that is gone."""
        self.seated.pop(socket, None)
        self.waiting.pop(socket, None)

    def _welcome(self, held: str) -> Frame:
        keys = self.mirror.changed_since(held) if held else None
        if keys is not None:
            return frames.change(self.feed.name, held, self.told, sorted(keys), self.mirror.documents)
        if self._snapshot is None or self._snapshot[:2] != (self.told, self.mirror.position):
            frame = frames.snapshot(self.feed.name, self.told, self.mirror.documents)
            self._snapshot = (self.told, self.mirror.position, frame)
        return self._snapshot[2]

    def _note(self, keys: Iterable[str]) -> None:
        self._changed.update(dict.fromkeys(keys))
        is_silent = self.feed.sieve is not None and not self._changed  # what is hidden is not even heard to happen
        if self.told != self.mirror.position and not is_silent:
            self._pump.is_due(self)

    def next_frame(self) -> tuple[Frame, str]:
        """What changed since the last frame, and the id that browsers must hold to take it."""
        keys, self._changed = list(self._changed), {}
        previous, self.told = self.told, self.mirror.position
        return frames.change(self.feed.name, previous, self.told, keys, self.mirror.documents), previous

    def refused(self, socket: Socket, held: str) -> None:
        """This browser still owes too much; it waits with the id that it holds."""
        del self.seated[socket]
        self.waiting[socket] = held
