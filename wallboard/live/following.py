"""One feed followed by one server process: its mirror, the browsers that look at it, and the pace of their frames."""

import asyncio
import logging
import time
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
# A bound for entries that come while Redis is slow to answer; past it the feed is read once more.
HEARD_LIMIT = 500
RETRY_SECONDS = 2.0

Read = Callable[[Feed], Awaitable[Cut]]
Rebuild = Callable[[Feed], Awaitable[None]]


class Following:
    """Browsers in `joined` hold the id `last_sent_id`; those in `waiting` come next, each with the id it holds itself.

    An id names a place in Redis' log, which is the same for everybody. Browsers get it with the digest of the filter:
    whoever comes back under another one holds other documents, which no difference would make right.

    `distrust` says that the mirror may have missed something: the whole feed is read again, and the difference is what
    the joined browsers get. So a lost message, a lost history and a rebuilt feed all heal the same way. Until then, and
    where the database has to be compared until that is done, `doubt_age_ms` tells how long that has been so.
    """

    def __init__(self, feed: Feed, read: Read, rebuild: Rebuild, pump: Pump | None = None) -> None:
        self.feed = feed
        self.mirror = Mirror(feed.filter)
        self._filter_digest = feed.filter_digest
        self.last_sent_id = ""
        self.is_loaded = False
        self.joined: dict[Socket, None] = {}
        self.departures = 0  # of those
        self.waiting: dict[Socket, str] = {}
        self._read, self._rebuild = read, rebuild
        self._changed: dict[str, None] = {}
        self._heard: list[Entry] = []
        self._is_doubted = False
        self._should_mend = False
        # In doubt from the beginning: nothing has been read yet.
        self._doubted_since: float | None = time.monotonic()
        self._mending: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._snapshot: tuple[str, str, Frame] | None = None
        self.sent_at = 0.0
        # An urgent feed has a pump of its own, in which it waits for no other feed.
        self._pump = pump or Pump(0.0 if feed.is_urgent else MERGE_SECONDS)
        self._own_pump = None if pump else self._pump.task

    @property
    def is_idle(self) -> bool:
        """Whether nobody looks at this feed here any more."""
        return not self.joined and not self.waiting

    @property
    def doubt_age_ms(self) -> int | None:
        """For how long the mirror may have lacked something; None where it is known to be whole."""
        return None if self._doubted_since is None else int(1000 * (time.monotonic() - self._doubted_since))

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
        # A read is under way: only when it is there can be told whether it holds this entry.
        if self._reading is not None or not self.is_loaded:
            self._heard.append(entry)
            if len(self._heard) > HEARD_LIMIT:
                self._heard.clear()
                self.distrust()
        elif self.mirror.follows(entry):
            self._mark_changed(self.mirror.apply(entry))
        elif not self.mirror.knows(entry.id):
            self.distrust()

    def distrust(self) -> None:
        """Read the whole feed again."""
        self._is_doubted = True
        # The age counts from the first doubt, however often more come.
        self._doubted_since = self._doubted_since or time.monotonic()
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
        # Again where a doubt came during the read: what was read may be older than it.
        while self._is_doubted:
            self._is_doubted = False
            if not await self._read_once():
                self._is_doubted = True
                await asyncio.sleep(RETRY_SECONDS)
        self._reading = None
        if self._mending is None:
            self._doubted_since = None

    async def _read_once(self) -> bool:
        """Read and adopt the feed, built first where it is not; False where that did not work."""
        try:
            cut = await self._read(self.feed)
            if not cut.is_built:
                # Building reads the database, so nothing is left to compare.
                self._should_mend = False
                await self._rebuild(self.feed)
                cut = await self._read(self.feed)
        except (redis.RedisError, OSError):
            return False  # the hub logs when Redis breaks and when it heals
        except Exception as error:
            # Whatever a room raises: other feeds go on, and this one is tried again.
            log.error("The feed %s cannot be built (%s: %s)", self.feed.name, type(error).__name__, error)
            return False
        if cut.is_built:
            self._adopt(cut)
            if self._should_mend and self._mending is None:
                self._mending = asyncio.create_task(self._mend_until_done())
        return cut.is_built

    async def _mend_until_done(self) -> None:
        """Compare the feed with the database, as often as that is called for; what differs comes back as entries."""
        has_failed = False
        while self._should_mend:
            self._should_mend = False
            try:
                await self._rebuild(self.feed)
            except Exception as error:
                # Once per trouble, not with each try.
                if not has_failed:
                    log.warning("The feed %s could not be mended (%s)", self.feed.name, type(error).__name__)
                self._should_mend = has_failed = True
                await asyncio.sleep(RETRY_SECONDS)
        self._mending = None
        if self._reading is None:
            self._doubted_since = None

    def _adopt(self, cut: Cut) -> None:
        changed = self.mirror.adopt(cut)
        if self.is_loaded:
            self._mark_changed(changed)
        else:
            self.is_loaded, self.last_sent_id = True, self.mirror.position
        heard, self._heard = self._heard, []
        for entry in heard:
            if self.mirror.follows(entry):
                self._mark_changed(self.mirror.apply(entry))
            elif not self.mirror.knows(entry.id):
                # What the read held already is known; all else means that something is missing in between.
                self._is_doubted = True
        for socket, held in list(self.waiting.items()):
            # This is as new as Redis itself: an id further ahead is of a lost history, and reading again would not
            # help.
            self.add(socket, held, may_read=False)

    # --- what goes to browsers ---

    def add(self, socket: Socket, held: str, *, may_read: bool = True) -> None:
        """Give a browser what it lacks since the id it holds ("" for nothing), and every frame from then on."""
        self.waiting[socket] = held
        if not self.is_loaded or socket.stuck_since is not None:
            return
        entry_id = self._known_id(held)
        # The browser has seen more: another process was quicker, or history was lost. One read tells.
        if may_read and self.mirror.is_behind(entry_id):
            self.distrust()
            return
        if socket.take(self._welcome(held, entry_id)):
            del self.waiting[socket]
            self.joined[socket] = None

    def remove(self, socket: Socket) -> None:
        """Forget a browser that is gone."""
        if socket in self.joined:
            self._part_with(socket)
        self.waiting.pop(socket, None)

    def _known_id(self, held: str) -> str:
        """The id in the log of what a browser holds; "" where it was given that behind another filter."""
        entry_id, _, digest = held.partition(".")
        return entry_id if digest == self._filter_digest else ""

    def _told_id(self, entry_id: str) -> str:
        """An id of the log as browsers get it."""
        return f"{entry_id}.{self._filter_digest}" if self._filter_digest else entry_id

    def _welcome(self, held: str, entry_id: str) -> Frame:
        now = self._told_id(self.last_sent_id)
        keys = self.mirror.changed_since(entry_id) if entry_id else None
        if keys is not None:
            return frames.change(self.feed.name, held, now, sorted(keys), self.mirror.documents)
        # All browsers that come between two entries, as after a restart, share one frame.
        if self._snapshot is None or self._snapshot[:2] != (self.last_sent_id, self.mirror.position):
            # Documents may be newer here than the id says: values are whole, so what comes twice does no harm.
            frame = frames.snapshot(self.feed.name, now, self.mirror.documents)
            self._snapshot = (self.last_sent_id, self.mirror.position, frame)
        return self._snapshot[2]

    def _mark_changed(self, keys: Iterable[str]) -> None:
        self._changed.update(dict.fromkeys(keys))
        is_silent = self.feed.filter is not None and not self._changed  # what is hidden is not even heard to happen
        if self.last_sent_id != self.mirror.position and not is_silent:
            self._pump.is_due(self)

    def next_frame(self) -> tuple[Frame, str]:
        """What changed since the last frame, and the id that browsers must hold to take it."""
        keys, self._changed = list(self._changed), {}
        previous, self.last_sent_id = self._told_id(self.last_sent_id), self.mirror.position
        now = self._told_id(self.last_sent_id)
        return frames.change(self.feed.name, previous, now, keys, self.mirror.documents), previous

    def refused(self, socket: Socket, held: str) -> None:
        """This browser still owes too much; it waits with the id that it holds."""
        self._part_with(socket)
        self.waiting[socket] = held

    def _part_with(self, socket: Socket) -> None:
        del self.joined[socket]
        self.departures += 1
