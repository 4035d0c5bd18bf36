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

from wallboard.live import connections, control, frames, pings
from wallboard.live.feeds import Feed
from wallboard.live.following import MERGE_SECONDS, Following, Rebuild
from wallboard.live.listening import MESSAGE, SUBSCRIBED, AnyListener, listener
from wallboard.live.loops import forever_async
from wallboard.live.mirror import Cut, Entry, number
from wallboard.live.pings import Pings
from wallboard.live.pump import Pump
from wallboard.live.sockets import Socket

log = logging.getLogger(__name__)
# Several looks within the twelve seconds for which a browser believes a proof.
CHECK_SECONDS = 3.0
PATIENCE_SECONDS = 0.5  # for news that may just be on their way
SWEEP_SECONDS = 0.5
STUCK_SECONDS = 20.0
# A page that is loaded again finds its feeds as they were.
LINGER_SECONDS = 10.0
BACK_OFF_SECONDS = (0.2, 4.0)
BYE_SECONDS = 5
TOO_SLOW = 4429

RightsChanged = Callable[[Socket], None]


class Hub:
    """Create it inside the event loop that it serves; it runs until `stop`.

    `rebuild(feed)` makes a feed equal to the database; `rights_changed(socket)` is called for each socket whose user or
    screen `control` named; `release` is the version of the pages, sent with each ping.
    """

    def __init__(self, url: str, rebuild: Rebuild, rights_changed: RightsChanged, release: str = "") -> None:
        self._url = url
        self._rebuild = rebuild
        self._rights_changed = rights_changed
        self._redis = connections.async_client(url)
        self._read_script = self._redis.register_script(connections.script("read"))
        self._followings: dict[str, dict[Feed, Following]] = {}  # by channel: the whole feed, and those behind filters
        self._listener: AnyListener | None = None
        self._back_off = BACK_OFF_SECONDS[0]
        self._was_unanswered = False
        self.pings = Pings(release)
        self.pings.proved("redis")  # a moment's credit: the first proof is on its way
        self.sockets: dict[Socket, None] = {}
        steps = {
            "hub listening": self._listen,
            "hub positions": self._check_positions,
            "hub pings": self._send_pings,
            "hub sweeping": self._sweep,
        }
        self._pump = Pump(MERGE_SECONDS)
        self._tasks = {asyncio.create_task(forever_async(*each)) for each in steps.items()} | {self._pump.task}

    async def stop(self) -> None:
        """End all work and connections; sockets are left to their server."""
        work = {task for following in self._all() for task in following.tasks} | self._tasks
        while pending := [task for task in work if not task.done()]:
            for task in pending:
                task.cancel()  # once is not enough: before Python 3.12 asyncio.wait_for may swallow it
            await asyncio.wait(pending, timeout=0.1)
        await self._redis.aclose()

    # --- browsers come and go ---

    def join(self, socket: Socket, feeds: Iterable[tuple[Feed, str]]) -> None:
        """Serve these feeds to a browser from now on; each with the id it holds already, or "" for none."""
        held = dict(feeds)
        socket.feeds = tuple(held)
        self.sockets[socket] = None
        # First the time and the proof: without them a page can date nothing of what follows.
        socket.take(self.pings.frame())
        for feed, entry_id in held.items():
            self._following(feed).add(socket, entry_id)

    def leave(self, socket: Socket) -> None:
        """Forget a browser; a feed that nobody looks at is unsubscribed a little later."""
        self.sockets.pop(socket, None)
        for feed in socket.feeds:
            following = self._known(feed)
            if following is not None:
                following.remove(socket)
                if following.is_idle:
                    asyncio.get_running_loop().call_later(LINGER_SECONDS, self._drop_if_idle, following)

    def _following(self, feed: Feed) -> Following:
        following = self._known(feed)
        if following is None:
            pump = None if feed.is_urgent else self._pump  # what is urgent waits for nobody
            channel, following = feed.channel(self._url), Following(feed, self._read, self._rebuild, pump)
            is_followed = channel in self._followings
            self._followings.setdefault(channel, {})[feed] = following
            if is_followed:
                following.distrust()  # only this copy has to be read; the channel is subscribed, or about to be
            else:
                self._send_command(lambda listening: listening.subscribe(channel))
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
                self._send_command(lambda listening: listening.unsubscribe(channel))

    def announce_shutdown(self) -> None:
        """Tell every browser that this process ends, and when to come back; each picks its moment around it."""
        frame = frames.bye(BYE_SECONDS)
        for socket in self.sockets:
            socket.take(frame)

    # --- what comes from Redis ---

    def _send_command(self, command: Callable[[AnyListener], Awaitable[None]]) -> None:
        """Tell Redis over the news connection; where it is down, its next start says all anew."""
        listening = self._listener
        if listening is None:
            return

        async def send() -> None:
            with contextlib.suppress(redis.RedisError, OSError):
                await command(listening)

        self._spawn(send())

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self) -> None:
        began = time.monotonic()
        try:
            await self._listen_once()
        except (redis.RedisError, OSError) as error:
            self._went_deaf(error)
        except Exception:
            self._went_deaf(RuntimeError())
            raise
        lasted = time.monotonic() - began
        # Only failures in a row make pauses longer: a connection that lasted was a good one.
        self._back_off = BACK_OFF_SECONDS[0] if lasted > 10 else min(self._back_off * 2, BACK_OFF_SECONDS[1])
        await asyncio.sleep(self._back_off * random.uniform(0.5, 1.5))  # noqa: S311 (jitter, not a secret)

    async def _listen_once(self) -> None:
        async with listener(self._url) as listening:
            self._listener = listening  # before subscribing: who joins meanwhile must find it
            try:
                await listening.subscribe(control.channel(self._url), *self._followings)
                async for kind, channel, text in listening.messages():
                    self._hear(kind, channel, text)
            finally:
                self._listener = None

    def _hear(self, kind: str, channel: str, text: str) -> None:
        if channel == control.channel(self._url):
            if kind == MESSAGE:
                self._hear_control(text)
            elif kind == SUBSCRIBED:
                self._hears_again()
            return
        followings = list(self._followings.get(channel, {}).values())
        if not followings:
            return
        if kind == SUBSCRIBED:
            for following in followings:
                following.distrust_and_mend()
        elif kind == MESSAGE:
            entry_id, previous, *pairs = json.loads(text)
            entry = Entry(entry_id, previous, dict(zip(pairs[::2], pairs[1::2], strict=True)))
            for following in followings:
                following.hear(entry)

    def _hear_control(self, text: str) -> None:
        message = json.loads(text)
        missed = {(domain_id, name) for domain_id, name in message.get("missed", ())}
        for following in [each for each in self._all() if (each.feed.domain_id, each.feed.name) in missed]:
            following.distrust_and_mend()
        # A copy, as sockets that end leave the dict meanwhile.
        for socket in list(self.sockets):
            if is_about(message, socket) and "order" in message:
                socket.take(frames.order(message["order"]))
            elif is_about(message, socket):
                self._rights_changed(socket)

    def _went_deaf(self, error: Exception) -> None:
        if self.pings.deaf_since is None:
            self.pings.deaf_since = time.time()
            log.error("No news from Redis (%s)", type(error).__name__)
            self._spawn(self._ping_everybody())

    def _hears_again(self) -> None:
        since, self.pings.deaf_since = self.pings.deaf_since, None
        if since is not None and self.sockets:
            log.warning("News from Redis again after %d s", time.time() - since)
            self._spawn(self._ping_everybody())

    async def _read(self, feed: Feed) -> Cut:
        built, values, entries = await self._read_script(keys=feed.keys)
        documents = dict(zip(values[::2], values[1::2], strict=True))
        return Cut(bool(built), documents, [(entry_id, json.loads(fields[1])) for entry_id, fields in entries])

    async def _check_positions(self) -> None:
        """Notice what no message would tell: an emptied Redis, a news connection that only looks alive."""
        await asyncio.sleep(CHECK_SECONDS)
        # Whoever hears no news proves nothing.
        if self._listener is None:
            return
        try:
            suspects = await self._differing(self._all())
            if suspects:
                await asyncio.sleep(PATIENCE_SECONDS)
            for following in await self._differing(suspects):
                following.distrust()
        except (redis.RedisError, OSError):
            self._was_unanswered = True
            return
        if self._was_unanswered:  # nobody else could tell Redis anything meanwhile, and some may have died since
            self._was_unanswered = False
            for following in self._all():
                following.distrust_and_mend()
        self.pings.proved("redis")  # what differed is in doubt from now on, all else is as Redis has it

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

    async def _send_pings(self) -> None:
        await asyncio.sleep(pings.PING_SECONDS)
        await self._ping_everybody()

    async def _ping_everybody(self) -> None:
        doubted = {each.feed: age for each in self._all() if (age := each.doubt_age_ms) is not None}
        await self.pings.send(self.sockets, doubted)

    async def _sweep(self) -> None:
        """Give slow browsers what they lack once they have taken what they owe; end those that take nothing."""
        await asyncio.sleep(SWEEP_SECONDS)
        for socket in [each for each in self.sockets if each.stuck_since is not None]:
            if socket.is_drained():
                socket.stuck_since = None
                self._catch_up(socket)
            elif time.monotonic() - (socket.stuck_since or 0) > STUCK_SECONDS:
                self.leave(socket)
                socket.close(TOO_SLOW)
                # The close frame waits behind all that this browser does not take.
                asyncio.get_running_loop().call_later(2, socket.abort)

    def _catch_up(self, socket: Socket) -> None:
        for feed in socket.feeds:
            following = self._known(feed)
            if following is not None and socket in following.waiting:
                following.add(socket, following.waiting[socket])


def is_about(message: dict[str, Any], socket: Socket) -> bool:
    """Whether a message of `control` names the user, TV, token or embed link of this socket."""
    # -1 is nobody: else a message about a TV would fit every socket without a user.
    owners = {"user": socket.user_id, "screen": socket.screen_id, "token": socket.token_id, "embed": socket.embed_id}
    return any((message.get(kind) or -1) == owner for kind, owner in owners.items())


def differs(following: Following, position: str, top: list[tuple[str, object]]) -> bool:
    """Whether Redis holds an entry that was never heard here, or (restored) less than was heard before it was asked."""
    return not top or number(top[0][0]) < number(position) or not following.mirror.knows(top[0][0])
