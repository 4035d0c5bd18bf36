"""A TV's page far away from its server: until something is painted, and until all queues stand, at 100 ms of delay.

Every connection goes through a relay that holds each byte back for half of the delay, either way, and for a whole one
before the first, as the handshake of TCP does. The page comes from a running installation with 40 queues; once with an
empty cache, as a TV that is hung up, and once with a filled one, as after a restart. Beside it the same without delay.

python -m bench.first_paint   exit status 1 where a goal is missed
"""

import asyncio
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

from bench import results
from bench.installation import Installation, is_up, manage, running_installation
from bench.machine import SERVER_CORE, Watch, pinned
from bench.opening import FILL
from bench.results import Line
from tests.harness.browser import running_browser
from wallboard.demo.processes import Child, free_port, procfile, wait_until

DELAY_SECONDS, PAINT_GOAL_MS = 0.1, 1000.0
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
STANDS = "() => document.querySelectorAll('.queue-card').length >= 40 && performance.now()"


READ = """
from django.utils import timezone
from accounts.models import Domain
from wallboard.queues.models import PollState, Queue
told = {"waiting": 2, "longest_wait": 40, "average_wait": 20, "agents": 9, "available": 4, "unavailable": 1}
told |= {"level": "normal", "reason": "", "since": 1, "missing_since": None, "opens_at": None}
figures = {queue.number: [1, told] for queue in Queue.objects.all()}
PollState.objects.create(domain=Domain.objects.get(), version=1, read_at=timezone.now(), figures=figures)
"""


class Relay:
    """Carries connections from one port of this machine to another, late."""

    def __init__(self, port: int, to_port: int, delay: float) -> None:
        self.port, self._to_port, self._delay = port, to_port, delay
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(5)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self.port)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", self._to_port)
        with suppress(asyncio.CancelledError):  # asyncio's streams make a noise of it
            await asyncio.sleep(self._delay)
            await asyncio.gather(self._hold(reader, there[1]), self._hold(there[0], writer))

    async def _hold(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Every piece half a delay later, and the end after the last of them."""
        loop = asyncio.get_running_loop()
        try:
            while taken := await reader.read(65_536):
                loop.call_later(self._delay / 2, writer.write, taken)
        except ConnectionError:
            pass
        loop.call_later(self._delay / 2, writer.close)

    async def _end(self) -> None:
        self._server.close()
        carrying = asyncio.all_tasks() - {asyncio.current_task()}
        for task in carrying:
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)

    def close(self) -> None:
        """Carry no more."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)


@contextmanager
def elsewhere(site: Installation, folder: Path) -> Iterator[int]:
    """The web process on another port, as its own is the address that its pages may come from."""
    site.web.stop()
    port = free_port()
    with pinned(SERVER_CORE):
        web = Child("web", procfile(port)["web"], folder / "elsewhere.log", site.env)
        web.start()
    try:
        if not wait_until(lambda: is_up(port), 60):
            raise RuntimeError(web.tail())
        yield port
    finally:
        web.stop()


@contextmanager
def relayed(site: Installation, port: int, delay: float) -> Iterator[str]:
    """The address of the TV's page behind so much delay."""
    relay = Relay(site.port, port, delay)
    try:
        yield f"http://127.0.0.1:{site.port}/screen/{site.screen_token}/"
    finally:
        relay.close()


def opened(browser: Any, address: str, rounds: int) -> dict[str, list[float]]:
    """Milliseconds from the address to the first paint and to the queues, with an empty and a filled cache."""
    found: dict[str, list[float]] = {"empty": [], "filled": [], "empty, queues": [], "filled, queues": []}
    for _ in range(rounds):
        context = browser.new_context(viewport={"width": 1920, "height": 1080})
        page = context.new_page()
        for cache in ("empty", "filled"):
            page.goto(address)
            stands = page.wait_for_function(STANDS, timeout=30_000).json_value()
            found[cache].append(float(page.evaluate(PAINTED)))
            found[f"{cache}, queues"].append(float(stands))
        context.close()
    return found


def lines(rounds: int) -> list[Line]:
    """What was found in so many openings, with delay and without."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-paint-") as folder,
        running_installation(Path(folder), with_pages=True) as site,
        running_browser() as browser,
    ):
        manage(site.env, "shell", "-v", "0", "-c", FILL.format(people=0, screens=0))
        manage(site.env, "shell", "-v", "0", "-c", READ)
        watch, found = Watch(), {}
        with elsewhere(site, Path(folder)) as port:
            for name, delay in (("near", 0.0), ("far", DELAY_SECONDS)):
                with relayed(site, port, delay) as address:
                    found[name] = opened(browser, address, rounds)
        foreign = watch.foreign()
    made = []
    for cache, far_ms in found["far"].items():
        measured, baseline = median(far_ms), median(found["near"][cache])
        what = f"first paint, {cache} cache" if "," not in cache else f"  all queues, {cache.partition(',')[0]} cache"
        made.append(results.bounded(f"{what}, 100 ms", measured, "ms", at_most=PAINT_GOAL_MS, foreign=foreign))
        made.append(results.compared("    beside no delay", measured, baseline, "ms", foreign=foreign))
    return made


if __name__ == "__main__":
    sys.exit(results.of_pages(__doc__, lines))
