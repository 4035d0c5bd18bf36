"""The hub: one per server process. It follows the feeds that its browsers look at, over one connection to Redis."""

import asyncio
import contextlib
import json
import logging
import random
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import redis
import redis.asyncio

from wallboard.live import connections, control, frames
from wallboard.live.feeds import Feed
from wallboard.live.following import MERGE_SECONDS, Following, Rebuild
from wallboard.live.listening import Listener
from wallboard.live.mirror import Cut, Entry, number
from wallboard.live.pump import SOCKETS_PER_TURN, Pump
from wallboard.live.sockets import Socket

log = logging.getLogger(__name__)
PING_SECONDS = 10.0
CHECK_SECONDS = 4.0
SWEEP_SECONDS = 0.5
STUCK_SECONDS = 20.0
LINGER_SECONDS = 10.0
BACK_OFF_SECONDS = (0.2, 4.0)
BYE_SECONDS = 5
TOO_SLOW = 4429

RightsChanged = Callable[[Socket], None]


class Hub:
    """Create it inside the event loop that it serves; it runs until `stop`.

    `rebuild(feed)` makes a feed equal to the database; `rights_changed(socket)` is called for each socket whose user or
    screen `control` named; `release` is the version of the pages, told with each ping.
    """

    def __init__(self, url: str, rebuild: Rebuild, rights_changed: RightsChanged, release: str = "") -> None:
        self._url = url
        self._rebuild = rebuild
        self._rights_changed = rights_changed
        self._release = release
        self._redis = redis.asyncio.Redis(connection_pool=connections.async_pool(url))
        self._read_script = self._redis.register_script(connections.script("read"))
        self._followings: dict[str, dict[Feed, Following]] = {}  # by channel: the whole feed, and those behind sieves
        self._listener: Listener | None = None
        self._deaf_since: float | None = None
        self.sockets: dict[Socket, None] = {}
        work = (self._listen, self._check_positions, self._send_pings, self._sweep)
        self._pump = Pump(MERGE_SECONDS)
        self._tasks = {asyncio.create_task(each()) for each in work} | {self._pump.task}

    async def stop(self) -> None:
        """End all work and connections; sockets are left to their server."""
        work = {task for following in self._all() for task in following.tasks} | self._tasks
        while pending := [task for task in work if not task.done()]:
            for task in pending:
                task.cancel()  # once is not enough: before Python 3.12 asyncio.wait_for may swallow it
            await asyncio.wait(pending, timeout=0.1)
        await self._redis.aclose()
        await self._redis.connection_pool.aclose()

    # --- browsers come and go ---

    def join(self, socket: Socket, feeds: Iterable[tuple[Feed, str]]) -> None:
        """Serve these feeds to a browser from now on; each with the id it holds already, or "" for none."""
        held = dict(feeds)
        socket.feeds = tuple(held)
        self.sockets[socket] = None
        socket.take(self._ping())
        for feed, entry_id in held.items():
            self._following(feed).seat(socket, entry_id)

    def leave(self, socket: Socket) -> None:
        """Forget a browser; a feed that nobody looks at is unsubscribed a little later."""
        self.sockets.pop(socket, None)
        for feed in socket.feeds:
            following = self._known(feed)
            if following is not None:
                following.unseat(socket)
                if following.is_idle:
                    asyncio.get_running_loop().call_later(LINGER_SECONDS, self._drop_if_idle, following)

    def _following(self, feed: Feed) -> Following:
        following = self._known(feed)
        if following is None:
            pump = None if feed.is_urgent else self._pump  # what is urgent waits for nobody
            channel, following = feed.channel(self._url), Following(feed, self._read, self._rebuild, pump)
            self._followings.setdefault(channel, {})[feed] = following
            self._say(lambda listener: listener.subscribe(channel))  # said again it is confirmed again: all read anew
        return following

    def _known(self, feed: Feed) -> Following | None:
        return self._followings.get(feed.channel(self._url), {}).get(feed)

    def _all(self) -> list[Following]:
        return [following for on_channel in self._followings.values() for following in on_channel.values()]

    def _drop_if_idle(self, following: Following) -> None:
        if following.is_idle and self._known(following.feed) is following:
            channel = following.feed.channel(self._url)
            del self._followings[channel][following.feed]
            following.stop()
            if not self._followings[channel]:
                del self._followings[channel]
                self._say(lambda listener: listener.unsubscribe(channel))

    def say_goodbye(self) -> None:
        """Tell every browser that this process ends, and when to come back; each picks its moment around it."""
        frame = frames.bye(BYE_SECONDS)
        for socket in self.sockets:
            socket.take(frame)

    # --- what comes from Redis ---

    def _say(self, words: Callable[[Listener], Awaitable[None]]) -> None:
        """Tell Redis over the news connection; where it is down, its next start says all anew."""
        listener = self._listener
        if listener is None:
            return

        async def say() -> None:
            with contextlib.suppress(redis.RedisError, OSError):
                await words(listener)

        self._spawn(say())

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self) -> None:
        back_off = BACK_OFF_SECONDS[0]
        while True:
            began = time.monotonic()
            try:
                await self._listen_once()
            except (redis.RedisError, OSError) as error:
                self._went_deaf(error)
            except Exception:
                log.exception("The news connection failed in an unexpected way")
                self._went_deaf(RuntimeError())
            back_off = BACK_OFF_SECONDS[0] if time.monotonic() - began > 10 else min(back_off * 2, BACK_OFF_SECONDS[1])
            await asyncio.sleep(back_off * random.uniform(0.5, 1.5))  # noqa: S311 (jitter, not a secret)

    async def _listen_once(self) -> None:
        async with Listener(self._url) as listener:
            self._listener = listener  # before subscribing: who joins meanwhile must find it
            try:
                await listener.subscribe(control.channel(self._url), *self._followings)
                async for kind, channel, text in listener.words():
                    self._hear(kind, channel, text)
            finally:
                self._listener = None

    def _hear(self, kind: str, channel: str, text: str) -> None:
        if channel == control.channel(self._url):
            if kind == "message":
                self._hear_control(text)
            else:
                self._hears_again()
            return
        followings = list(self._followings.get(channel, {}).values())
        if not followings:
            return
        if kind == "subscribe":
            for following in followings:
                following.distrust_and_mend()
        else:
            entry_id, previous, *pairs = json.loads(text)
            entry = Entry(entry_id, previous, dict(zip(pairs[::2], pairs[1::2], strict=True)))
            for following in followings:
                following.hear(entry)

    def _hear_control(self, text: str) -> None:
        word = json.loads(text)
        for socket in list(self.sockets):
            if (word.get("user") or -1) == socket.user_id or (word.get("screen") or -1) == socket.screen_id:
                if "order" in word:
                    socket.take(frames.order(word["order"]))
                else:
                    self._rights_changed(socket)

    def _went_deaf(self, error: Exception) -> None:
        if self._deaf_since is None:
            self._deaf_since = time.time()
            log.error("No news from Redis (%s)", type(error).__name__)
            self._spawn(self._ping_everybody())

    def _hears_again(self) -> None:
        since, self._deaf_since = self._deaf_since, None
        if since is not None and self.sockets:
            log.warning("News from Redis again after %d s", time.time() - since)
            self._spawn(self._ping_everybody())

    async def _read(self, feed: Feed) -> Cut:
        built, values, entries = await self._read_script(keys=feed.keys)
        documents = dict(zip(values[::2], values[1::2], strict=True))
        return Cut(bool(built), documents, [(entry_id, json.loads(fields[1])) for entry_id, fields in entries])

    async def _check_positions(self) -> None:
        """Notice what no message would tell: an emptied Redis, a news connection that only looks alive."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            if self._listener is None:
                continue
            with contextlib.suppress(redis.RedisError, OSError):
                suspects = await self._differing(self._all())
                if suspects:
                    await asyncio.sleep(0.5)  # their news may just be on its way
                for following in await self._differing(suspects):
                    following.distrust()

    async def _differing(self, followings: list[Following]) -> list[Following]:
        followings = [each for each in followings if each.is_loaded]
        if not followings:
            return []
        positions = [each.mirror.position for each in followings]
        pipeline = self._redis.pipeline(transaction=False)
        for following in followings:
            _, _, log_key, _, built_key = following.feed.keys
            pipeline.exists(built_key)
            pipeline.xrevrange(log_key, count=1)
        answers = await pipeline.execute()
        rows = zip(followings, positions, answers[::2], answers[1::2], strict=True)
        return [each for each, position, built, top in rows if not built or differs(each, position, top)]

    # --- browsers that need looking after ---

    def _ping(self) -> frames.Frame:
        deaf_since_ms = None if self._deaf_since is None else int(self._deaf_since * 1000)
        return frames.ping(int(time.time() * 1000), self._release, deaf_since_ms)

    async def _send_pings(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            await self._ping_everybody()

    async def _ping_everybody(self) -> None:
        sockets = tuple(self.sockets)
        for begin in range(0, len(sockets), SOCKETS_PER_TURN):
            ping = self._ping()
            for socket in sockets[begin : begin + SOCKETS_PER_TURN]:
                if socket.stuck_since is None:
                    socket.take(ping)
            await asyncio.sleep(0)

    async def _sweep(self) -> None:
        """Give slow browsers what they lack once they have taken what they owe; end those that take nothing."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for socket in [each for each in self.sockets if each.stuck_since is not None]:
                if socket.is_drained():
                    socket.stuck_since = None
                    self._catch_up(socket)
                elif time.monotonic() - (socket.stuck_since or 0) > STUCK_SECONDS:
                    self.leave(socket)
                    socket.close(TOO_SLOW)
                    asyncio.get_running_loop().call_later(2, socket.abort)

    def _catch_up(self, socket: Socket) -> None:
        for feed in socket.feeds:
            following = self._known(feed)
            if following is not None and socket in following.waiting:
                following.seat(socket, following.waiting[socket])


def differs(following: Following, position: str, top: list[tuple[str, object]]) -> bool:
    """Whether Redis holds an entry that was never heard here, or (restored) less than was heard before it was asked."""
    return not top or number(top[0][0]) < number(position) or not following.mirror.knows(top[0][0])
