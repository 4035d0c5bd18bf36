"""TCP links that a test can cut, freeze and close: between browsers and web, web and Redis, provider and web."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """An event loop in a thread of its own, where links and browsers live while a test waits."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="fault loop", daemon=True)
        self._thread.start()
        self.servers: list[asyncio.Server] = []

    def do(self, work: Coroutine[Any, Any, T], seconds: float = 30) -> T:
        """Run it there and wait for what it gives."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)

    def stop(self) -> None:
        """End whatever still runs there."""
        self.do(self._cancel_all())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(10)
        self.loop.close()

    async def _cancel_all(self) -> None:
        for server in self.servers:
            server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Link:
    """Carries connections from a port of its own to the targets in turn; one that refuses is passed over."""

    def __init__(self, loop_thread: LoopThread, targets: list[int], port: int) -> None:
        self._loop_thread, self._targets, self.port = loop_thread, targets, port
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._ends: set[asyncio.StreamWriter] = set()
        self._is_closed = False
        loop_thread.do(self._listen())

    def lead_to(self, targets: list[int]) -> None:
        """Carry connections to these ports from now on; those that stand are reset."""
        self._targets = targets
        self.cut()

    def cut(self) -> None:
        """Reset every connection that stands; new ones are carried."""
        self._loop_thread.do(self._abort())

    def close(self) -> None:
        """Reset every connection, also each new one, until `open`."""
        self._is_closed = True
        self.cut()

    def open(self) -> None:
        """Carry connections again, and all that was held back."""
        self._is_closed = False
        self._loop_thread.loop.call_soon_threadsafe(self._flowing.set)

    def freeze(self) -> None:
        """Carry nothing, in silence: connections stand and new ones are accepted, but no byte passes until `open`."""
        self._loop_thread.loop.call_soon_threadsafe(self._flowing.clear)

    async def _listen(self) -> None:
        self._loop_thread.servers.append(await asyncio.start_server(self._carry, "127.0.0.1", self.port))

    async def _abort(self) -> None:
        for end in list(self._ends):
            end.transport.abort()

    async def _carry(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        self._ends.add(to_near)
        try:
            await self._flowing.wait()
            far, to_far = await self._reach()
        except OSError:
            to_near.transport.abort()
            self._ends.discard(to_near)
            return
        self._ends.add(to_far)
        pumps = (self._pump(near, to_far), self._pump(far, to_near))
        try:
            await asyncio.gather(*pumps, return_exceptions=True)
        finally:
            for end in (to_near, to_far):
                end.transport.abort()
                self._ends.discard(end)

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._is_closed:
            raise OSError("The link is closed.")
        self._targets = [*self._targets[1:], self._targets[0]]
        for port in self._targets:
            try:
                return await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue
        raise OSError("Nobody listens at the other end.")

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while chunk := await source.read(65_536):
                await self._flowing.wait()
                sink.write(chunk)
                await sink.drain()
            if sink.can_write_eof():
                sink.write_eof()
        except OSError:  # one side was reset: so is the other
            for end in list(self._ends):
                if end is sink:
                    end.transport.abort()
            raise
