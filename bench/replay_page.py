"""The replay of 500 queues and 300 people in Chromium: dragged over its day, and any moment of it on screen.

A busy time as bench.replay plays it is recorded into a running installation. The page is opened, its hand is dragged
over the whole timeline and back, and the moments that were drawn meanwhile are counted; then places on it are clicked
in no order, and the time counts from the click until the board of that very moment stands.

python -m bench.replay_page [--minutes 60]   exit status 1 where a goal is missed
"""

import random
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from bench import results
from bench.installation import Installation, manage, running_installation
from bench.machine import Watch
from bench.results import Line
from tests.harness.browser import program, running_browser

FRAMES_GOAL, MOMENT_GOAL_MS = 10.0, 300.0
DRAG_SECONDS, PAUSE_SECONDS = 6.0, 0.6
BEGIN_HOUR = 9  # of yesterday: the timeline has whole quarters of an hour, and what was not recorded of them is a gap
FILL = """
from datetime import UTC, datetime
from accounts.models import Domain, Person
from bench.replay import Floor, record
from wallboard.queues.models import Queue, Sample
domain, floor = Domain.objects.get(), Floor({queues}, {people})
rows = [Queue(domain=domain, number=each, name=f"Queue {{each}}") for each in floor.queues]
Queue.objects.bulk_create(rows)
Person.objects.bulk_create(
    [Person(domain=domain, extension=each, name=f"Person {{each}}") for each in floor.people], ignore_conflicts=True
)
none = dict(readings=12, waiting=1, most_waiting=1, agents=3, least_available=0, watch_seconds=0, nobody_seconds=0)
for minute in range(0, {minutes}, 3):
    at = datetime.fromtimestamp({begin} + 60 * minute, UTC).replace(second=0)
    Sample.objects.create(queue=rows[0], minute=at, late_seconds=40, **none)
record(domain.pk, floor, {begin}, {minutes}, 8 * {people})
"""
# Notes when somebody presses, and each time that the page has drawn another moment.
WATCH = """() => {
  window.drawn = [];
  addEventListener("pointerdown", () => (window.pressed = performance.now()), true);
  const told = document.querySelector(".replay-moment");
  let last = "";
  const note = () => {
    const state = document.body.dataset.replay;
    if (!["shown", "moving"].includes(state) || told.textContent === last) return;
    last = told.textContent;
    window.drawn.push([performance.now(), state]);
  };
  new MutationObserver(note).observe(told, { childList: true, characterData: true, subtree: true });
  new MutationObserver(note).observe(document.body, { attributes: true, attributeFilter: ["data-replay"] });
}"""
STANDS = """() => {
  const last = window.drawn[window.drawn.length - 1];
  return Boolean(last) && last[1] === "shown" && last[0] > window.pressed && last[0] - window.pressed;
}"""


def opened(browser: Any, site: Installation, begin: int, minutes: int) -> Any:
    """The page at a moment in the middle of what was recorded."""
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, timezone_id="UTC")
    name, _, value = site.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": f"http://127.0.0.1:{site.port}"}])
    page = context.new_page()
    moment = time.strftime("%Y-%m-%dT%H:%M:%S%%2B00:00", time.gmtime(begin + 30 * minutes))
    began = time.perf_counter()
    page.goto(f"http://127.0.0.1:{site.port}/boards/main/replay/?at={moment}")
    page.wait_for_selector('body[data-replay="shown"] .card', timeout=60_000)
    print(f"  opened within {1000 * (time.perf_counter() - began):.0f} ms")
    page.evaluate(WATCH)
    return page


def dragged(page: Any) -> tuple[float, float]:
    """Moments drawn each second while the hand goes over the timeline and back, and the longest pause in ms."""
    box = page.locator("#track").bounding_box()
    at = (box["x"] + 10, box["y"] + box["height"] / 2)
    page.mouse.move(*at)
    page.mouse.down()
    page.evaluate("window.drawn = []")
    began = time.perf_counter()
    while (passed := (time.perf_counter() - began) / DRAG_SECONDS) < 1:
        share = 1 - abs(1 - 2 * passed)
        page.mouse.move(at[0] + share * (box["width"] - 20), at[1])
        page.wait_for_timeout(8)
    taken = time.perf_counter() - began
    drawn = [at for at, _state in page.evaluate("window.drawn")]
    page.mouse.up()
    pauses = [after - before for before, after in pairwise(drawn)]
    return len(drawn) / taken, max(pauses, default=1000 * taken)


def clicked(page: Any, count: int) -> list[float]:
    """Milliseconds from a click somewhere on the timeline until its moment stands."""
    box = page.locator("#track").bounding_box()
    found = []
    for _ in range(count):
        page.evaluate("window.drawn = []")
        page.mouse.click(box["x"] + random.uniform(0.02, 0.98) * box["width"], box["y"] + box["height"] / 2)
        found.append(float(page.wait_for_function(STANDS, timeout=30_000).json_value()))
        page.wait_for_timeout(1000 * random.uniform(0, PAUSE_SECONDS))
    return sorted(found)


def lines(options: Any) -> list[Line]:
    """What was found in a few drags and so many clicks."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-replay-page-") as folder,
        running_installation(Path(folder), with_pages=True) as site,
        running_browser() as browser,
    ):
        begin = (int(time.time()) // 86_400 - 1) * 86_400 + BEGIN_HOUR * 3600
        sizes = {"queues": options.queues, "people": options.people, "minutes": options.minutes}
        manage(site.env, "shell", "-v", "0", "-c", FILL.format(begin=begin, **sizes))
        page = opened(browser, site, begin, options.minutes)
        watch = Watch()
        drags = [dragged(page) for _ in range(1 if options.quick else 3)]
        clicks = clicked(page, 5 if options.quick else 40)
        foreign = watch.foreign()
        print(f"  on the page: {page.locator('.card').count()} cards, {page.locator('.person').count()} people")
    print(f"  drags {', '.join(f'{frames:.0f}/s, at most {pause:.0f} ms apart' for frames, pause in drags)}")
    print(f"  clicks {', '.join(f'{each:.0f}' for each in clicks)} ms")
    what = f"{options.queues} queues, {options.people} people"
    frames, pause = sorted(drags)[len(drags) // 2]
    return [
        results.bounded(f"replay of {what}: dragging", frames, "/s", at_least=FRAMES_GOAL, foreign=foreign),
        results.bounded("  longest pause in it", pause, "ms", foreign=foreign),
        results.bounded("  any moment on screen, in the middle", median(clicks), "ms", foreign=foreign),
        results.bounded("  at worst", clicks[-1], "ms", at_most=MOMENT_GOAL_MS, foreign=foreign),
    ]


def main() -> int:
    """Measure and report; the exit status."""
    parser = results.parser(__doc__)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--queues", type=int, default=500)
    parser.add_argument("--people", type=int, default=300)
    options = parser.parse_args()
    if not program():
        print("No Chromium is installed (Debian: apt-get install chromium).")
        return 2
    if options.quick:
        options.minutes = 15
    return results.tell(lines(options))


if __name__ == "__main__":
    sys.exit(main())
