"""Memory: of the web process per open browser beside the textbook way, and over many frames; and of the TV's page.

Server: 5,000 browsers join, get some traffic, then 100,000 frames more; what the process holds above an empty one,
shared among them, is compared with the textbook's, and must not grow. Page: the TV's own page in Chromium is given
100,000 updates through its own socket, and its heap must end within 5 MB of its start.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench import fanout, results
from bench.browsers import Browsers
from bench.installation import running_installation
from bench.machine import Watch, allow_many_sockets, resident_bytes, undisturbed
from bench.results import Line
from tests.harness.browser import program, running_browser

GOAL_KB, GROWTH_GOAL_MB, HEAP_GOAL_MB = 15.0, 5.0, 5.0
FRAMES = 100_000
WARM_UP, TEXTBOOK_EVENTS = 20, 6
PAGE = Path(__file__).with_name("tv_updates.js")


@dataclass(frozen=True)
class Held:
    """What a web process held, in bytes: for each browser after traffic, and how much more after many frames."""

    per_browser: float
    growth: float


def held(variant: fanout.Variant, count: int, frames: int) -> Held:
    """Let so many browsers join an empty server; then traffic; then so many frames more."""
    pid = variant.pids[0]
    first = Browsers(1, variant.url, variant.cookie)  # what the first browser makes the process load is not counted
    first.settle()
    empty = resident_bytes(pid)
    browsers = Browsers(count, variant.url, variant.cookie)
    try:
        browsers.settle()
        is_ours = bool(variant.cookie)
        sent = send(variant, (browsers, first), 0, WARM_UP if is_ours else TEXTBOOK_EVENTS)
        after_traffic = resident_bytes(pid)
        if is_ours:
            send(variant, (browsers, first), sent, sent + -(-frames // count))
        return Held((after_traffic - empty) / count, resident_bytes(pid) - after_traffic)
    finally:
        browsers.close()
        first.close()


def send(variant: fanout.Variant, readers: tuple[Browsers, ...], sent: int, until: int) -> int:
    """Send one event after the other, each once all browsers have the one before."""
    for number in range(sent + 1, until + 1):
        variant.send(number)
        for browsers in readers:
            if not browsers.read_until(number * browsers.count, 120):
                raise RuntimeError(f"only {browsers.received} of {number * browsers.count} deliveries arrived")
    return until


def server_lines(cookie: str, count: int, frames: int, *, anyway: bool) -> list[Line]:
    """Ours on Daphne, and the textbook way where its library is installed."""
    what, growth_of = f"memory per browser, {count:,} browsers", f"server's growth over {frames:,} frames"

    def take(name: str, cookie: str) -> tuple[Held | None, float]:
        def once() -> tuple[Held, float]:
            watch = Watch()
            with tempfile.TemporaryDirectory() as folder, fanout.started(name, cookie, Path(folder)) as variant:
                return held(variant, count, frames), watch.foreign()

        return undisturbed(name, once, anyway=anyway)

    ours, foreign = take("ours on daphne", cookie)
    if ours is None:
        return [results.disturbed(name, foreign) for name in (what, growth_of)]
    growth = results.bounded(growth_of, ours.growth / 1e6, "MB", at_most=GROWTH_GOAL_MB, foreign=foreign)
    own = results.bounded(what, ours.per_browser / 1e3, "kB", at_most=GOAL_KB, foreign=foreign)
    if find_spec("channels_redis") is None:
        print("The textbook way needs channels_redis: pip install -r bench/requirements.txt")
        return [own, growth]
    theirs, their_foreign = take("textbook on daphne", "")
    if theirs is None:
        return [own, results.disturbed(f"  beside the textbook, {count:,} browsers", their_foreign), growth]
    both = ours.per_browser / 1e3, theirs.per_browser / 1e3
    worst = max(foreign, their_foreign)
    return [own, results.compared("  beside the textbook", *both, "kB", foreign=worst), growth]


def page_lines(updates: int) -> list[Line]:
    """The heap of the TV's page before and after so many updates."""
    what = f"TV page's heap after {updates:,} updates"
    if not program():
        print("No Chromium is installed; the page is left out (Debian: apt-get install chromium).")
        return []
    with tv_page() as (page, heap_bytes):
        page.evaluate("updates => window.update(updates)", 1000)
        start = heap_bytes()
        page.evaluate("updates => window.update(updates)", updates)
        grown = (heap_bytes() - start) / 1e6
        shown = page.locator(".queue-card").count()
    print(f"  TV page: heap {start / 1e6:.1f} MB, {grown:+.2f} MB after {updates:,} updates; {shown} queue cards")
    if not shown:
        raise RuntimeError("the page showed nothing, so that its heap tells nothing")
    return [results.bounded(what, grown, "MB more", at_most=HEAP_GOAL_MB)]


@contextmanager
def tv_page() -> Iterator[tuple[Any, Any]]:
    """A TV's page of an installation with `window.update` in it, and a function that gives its heap in bytes."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-memory-") as folder,
        running_installation(Path(folder), with_pages=True) as site,
        running_browser() as browser,
    ):
        page = browser.new_context(viewport={"width": 1920, "height": 1080}, bypass_csp=True).new_page()
        page.set_default_timeout(600_000)
        page.add_init_script(PAGE.read_text(encoding="utf-8"))
        page.goto(f"http://127.0.0.1:{site.port}/screen/{site.screen_token}/")
        page.wait_for_function("window.isReady && window.isReady()", timeout=20_000)
        session = page.context.new_cdp_session(page)

        def heap_bytes() -> float:
            session.send("HeapProfiler.collectGarbage")
            return float(session.send("Runtime.getHeapUsage")["usedSize"])

        yield page, heap_bytes


def main() -> int:
    """Measure and report; the exit status."""
    options = results.options(__doc__, browsers=(5000, 200), updates=(FRAMES, 2000))
    allow_many_sockets()
    cookie = fanout.prepared()
    server = server_lines(cookie, options.browsers, options.updates, anyway=options.anyway)
    return results.tell(server + page_lines(options.updates))


if __name__ == "__main__":
    sys.exit(main())
