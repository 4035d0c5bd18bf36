"""Browsers without a window: they connect, apply frames and come back as static/js/live does, and keep count."""

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from concurrent.futures import Future
from itertools import count
from typing import Any
from urllib.parse import quote

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from tests.faults.links import LoopThread

SILENT_SECONDS = 11.0  # as PROOF_MS in live/socket.js
WAIT_SECONDS = (0.1, 0.6)
Documents = dict[str, dict[str, Any]]
_numbers = count()


class Browser:
    """One open page. `documents[feed][key]` is what it would show."""

    def __init__(
        self, loop_thread: LoopThread, port: int, query: str, cookie: str, origin: str, *, host: str = "127.0.0.1"
    ) -> None:
        self.host, self.port, self.query, self.cookie, self.origin = host, port, query, cookie, origin
        self.documents: Documents = {}
        self._shown: dict[str, list[dict[str, Any]]] = {}
        self.held: dict[str, str] = {}
        self.rings: Counter[str] = Counter()  # how often each leg began to ring, on a desk
        self.connections = self.snapshots = self.gaps = 0
        self.close_codes: list[int] = []
        self.tried_at: list[float] = []
        self.opened_at: list[float] = []
        self.bye_seconds = 0.0
        self.heard_at = self.proved_at = time.monotonic()
        self.deaf_since: int | None = None
        self.is_offline = False
        self._loop_thread = loop_thread
        self._chance = random.Random(f"{port} {next(_numbers)}")
        self._running: Future[None] = asyncio.run_coroutine_threadsafe(self._run(), loop_thread.loop)

    @property
    def is_silent(self) -> bool:
        """Whether the page would say that what it shows may be old."""
        return time.monotonic() - self.proved_at > SILENT_SECONDS or self.deaf_since is not None

    def stop(self) -> None:
        """Close the page."""
        self._running.cancel()

    def watch(self) -> None:
        """Remember what is shown from now on."""
        self._shown = {feed: [documents] for feed, documents in dict(self.documents).items()}

    def has_shown(self, feed: str, key: str, value: Any) -> bool:
        """Whether it has shown that since `watch`; None for a key that was not there."""
        return any(documents.get(key) == value for documents in (*self._shown.get(feed, ()), self.documents[feed]))

    async def _run(self) -> None:
        while True:
            self.tried_at.append(time.monotonic())
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                await self._follow()
            await asyncio.sleep(self._wait())
            while self.is_offline:
                await asyncio.sleep(0.05)

    def _wait(self) -> float:
        """How long to stay away: as the page does, around the time that a goodbye named."""
        told, self.bye_seconds = self.bye_seconds, 0.0
        return told * self._chance.uniform(0.5, 1.5) if told else self._chance.uniform(*WAIT_SECONDS)

    async def _follow(self) -> None:
        held = "".join(f"&last={quote(f'{feed}:{entry}')}" for feed, entry in self.held.items())
        address = f"ws://{self.host}:{self.port}/live/?{self.query}{held}"
        options: dict[str, Any] = {"compression": None, "max_size": None, "open_timeout": 15, "close_timeout": 0.2}
        headers = {"Cookie": self.cookie}
        async with connect(address, origin=Origin(self.origin), additional_headers=headers, **options) as socket:
            self.connections += 1
            self.opened_at.append(time.monotonic())
            try:
                while True:
                    async with asyncio.timeout(SILENT_SECONDS):
                        text = await socket.recv()
                    if not self._take(json.loads(text)):
                        return
            finally:
                if socket.close_code is not None:
                    self.close_codes.append(socket.close_code)

    def _take(self, frame: dict[str, Any]) -> bool:
        """Apply a frame; False where one is missing before it, so that the feed is asked for anew."""
        self.heard_at = time.monotonic()
        if "ping" in frame:
            self.deaf_since = frame.get("deaf_since")
            self.proved_at = time.monotonic() - frame["proof_age"] / 1000
        self.bye_seconds = frame.get("bye", self.bye_seconds)
        if "feed" not in frame:
            return True
        feed = frame["feed"]
        if "snapshot" in frame:
            self.snapshots += 1
            fresh = dict(frame["snapshot"])
        elif frame["prev"] != self.held.get(feed):
            self.gaps += 1
            self.held.pop(feed, None)
            return False
        else:
            fresh = self.documents[feed] | frame["set"]
            for key in frame["del"]:
                fresh.pop(key, None)
        if feed.startswith("desk:"):
            self._count_rings(self.documents.get(feed, {}), fresh)
        self.documents[feed], self.held[feed] = fresh, frame["id"]
        self._shown.setdefault(feed, []).append(fresh)
        return True

    def _count_rings(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        for key, document in after.items():
            if document["state"] == "ringing" and before.get(key, {}).get("state") != "ringing":
                self.rings[key] += 1
