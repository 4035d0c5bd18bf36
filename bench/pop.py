"""From the provider's POST to the caller's name on an agent's page, in Chromium; beside a page that only echoes.

Ours: kept in the database, told to the desk, claimed, looked up with its history, drawn. The echo: the same server and
browser, a POST handed to a socket and written into the page, nothing kept. Both in turns, one call at a time.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import requests

from bench import results
from bench.installation import Installation, running_installation
from bench.machine import SERVER_CORE, Watch, pinned, undisturbed
from bench.results import Line
from tests.harness.browser import program, running_browser
from wallboard.demo.processes import Child, free_port, wait_until

GOAL_MS = 500.0
EXTENSION, CALLER = "101", "+4930901820"
WATCHING = """
globalThis.seen = {};
new MutationObserver(() => {
  const text = document.querySelector(".desk-name")?.textContent;
  if (text) globalThis.seen[text] ??= performance.timeOrigin + performance.now();
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


def event(number: int, name: str, state: str) -> bytes:
    """A call event as the provider posts it."""
    source = {"id": CALLER, "call_id": f"pop-{number}", "user": None, "domain": None, "state": state, "name": name}
    target = {"id": EXTENSION, "call_id": f"pop-{number}-leg", "user": EXTENSION, "domain": "d", "state": state}
    told = {"on_net": False, "from": source, "to": target, "time_start": None, "time_answer": None, "by_call_id": None}
    return json.dumps({"calls": told}).encode()


def shown_after(page: Any, url: str, body: bytes, name: str) -> float:
    """Post it, and give the milliseconds until the name stands on the page, by the one clock of this machine."""
    began = time.time() * 1000
    requests.post(url, data=body, timeout=10).raise_for_status()
    if not wait_until(lambda: page.evaluate("name => name in seen", name), 20, 0.005):
        raise RuntimeError(f"{name} never appeared")
    return float(page.evaluate("name => seen[name]", name)) - began


def pop(page: Any, hook: str, number: int) -> float:
    """One call at our desk, which is put away afterwards."""
    name = f"Caller {number}"
    took = shown_after(page, hook, event(number, name, "ringing"), name)
    requests.post(hook, data=event(number, name, "ended"), timeout=10).raise_for_status()
    page.locator('.desk-card[data-state="missed"] [data-act="close"]').click()
    page.locator(".desk-card").wait_for(state="detached")
    return took


@contextmanager
def running_echo(folder: Path) -> Iterator[str]:
    """The echo on the server's core; its address."""
    port = free_port()
    command = [sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(port), "bench.echo:application"]
    with pinned(SERVER_CORE):
        echo = Child("echo", command, folder / "echo.log", None)
        echo.start()
    try:
        url = f"http://127.0.0.1:{port}/"
        assert wait_until(lambda: is_up(url), 20), echo.tail()
        yield url
    finally:
        echo.stop()


def is_up(url: str) -> bool:
    """Whether something answers there."""
    try:
        return requests.get(url, timeout=2).ok
    except requests.RequestException:
        return False


def taken(desk: Any, plain: Any, hook: str, echo: str, numbers: range) -> tuple[tuple[list[float], list[float]], float]:
    """So many calls in turns with as many echoes, and the foreign load meanwhile."""
    watch, ours, theirs = Watch(), [], []
    for number in numbers:
        ours.append(pop(desk, hook, number))
        theirs.append(shown_after(plain, echo, f"Echo {number}".encode(), f"Echo {number}"))
    return (ours, theirs), watch.foreign()


def lines(found: tuple[list[float], list[float]] | None, foreign: float) -> list[Line]:
    """The figures, judged."""
    if found is None:
        return [results.disturbed("pop after the POST", foreign)]
    ours, theirs = found
    slowest, echo_slowest = (quantiles(each, n=100)[98] for each in found)
    print(f"  {len(ours)} calls: pop median {median(ours):.0f} ms, p99 {slowest:.0f} ms")
    return [
        results.bounded("pop after the POST, median", median(ours), "ms", at_most=GOAL_MS, foreign=foreign),
        results.bounded("pop after the POST, p99", slowest, "ms", at_most=GOAL_MS, foreign=foreign),
        results.compared("  pop to plain echo, median", median(ours), median(theirs), "ms", foreign=foreign),
        results.compared("  pop to plain echo, p99", slowest, echo_slowest, "ms", foreign=foreign),
        results.compared("  pop to the goal, median", median(ours), GOAL_MS, "ms", at_most=1, foreign=foreign),
    ]


def measured(site: Installation, echo: str, options: Any) -> list[Line]:
    """One desk and one plain page, signed in and connected."""
    with running_browser() as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.add_init_script(WATCHING)
        key, _, value = site.cookie.partition("=")
        context.add_cookies([{"name": key, "value": value, "url": f"http://127.0.0.1:{site.port}"}])
        desk, plain = context.new_page(), browser.new_context().new_page()
        plain.add_init_script(WATCHING)
        plain.goto(echo)
        desk.goto(f"http://127.0.0.1:{site.port}/desk/")
        desk.wait_for_function("document.querySelector('#day-none').textContent !== ''")
        hook, began = f"http://127.0.0.1:{site.port}{site.hook}", iter(range(0, 1_000_000, options.calls))
        pop(desk, hook, 999_999)  # the first one loads what later ones find loaded

        def take() -> tuple[tuple[list[float], list[float]], float]:
            start = next(began)
            return taken(desk, plain, hook, echo, range(start, start + options.calls))

        found, foreign = undisturbed("pop", take, anyway=options.anyway)
    return lines(found, foreign)


def main() -> int:
    """Measure and report; the exit status."""
    options = results.options(__doc__, calls=(200, 10))
    if not program():
        sys.exit("No Chromium is installed (Debian: apt-get install chromium).")
    with tempfile.TemporaryDirectory(prefix="bench-pop-") as name, ExitStack() as stack:
        echo = stack.enter_context(running_echo(Path(name)))
        site = stack.enter_context(running_installation(Path(name), with_pages=True))
        print(f"pop: {options.calls} calls, durable in {site.vendor}")
        return results.tell(measured(site, echo, options))


if __name__ == "__main__":
    sys.exit(main())
