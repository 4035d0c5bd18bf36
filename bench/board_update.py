"""The TV's page with 40 queues and 300 people: until its first paint, and the script time of one update of all of them.

The page comes from a running installation; what it hears is made up in the page itself (board_update.js), so that only
its own work is measured. Updates are taken with the processor slowed four times, as an old TV has it: those of the
page's first two minutes, and those after a hundred, when the browser has made code of its script, as a TV stays on for
days. Beside these stand the bare writes of the texts and attributes that they change.

python -m bench.board_update   exit status 1 where a goal is missed
"""

import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from bench import results
from bench.installation import running_installation
from bench.machine import Watch
from bench.results import Line
from tests.harness.browser import running_browser

UPDATE_GOAL_MS, PAINT_GOAL_MS = 8.0, 1000.0
SLOWED = 4
FIRST, LATER = 5, 100  # updates that are not counted: the page has them in its first half minute, and eight minutes
PAGE = Path(__file__).with_name("board_update.js")


def lines(rounds: int) -> list[Line]:
    """What was found in so many openings and updates."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-board-") as folder,
        running_installation(Path(folder), with_pages=True) as site,
        running_browser() as browser,
    ):
        page = browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()
        page.add_init_script(PAGE.read_text(encoding="utf-8"))
        watch = Watch()
        paints = [first_paint(page, f"http://127.0.0.1:{site.port}/screen/{site.screen_token}/") for _ in range(rounds)]
        first, later, least = slowed_updates(page, 6 * rounds)
        foreign = watch.foreign()
    print(f"  first paints {shown(paints)} ms; first updates {shown(first)} ms, later ones {shown(later)} ms")
    what = f"update of 40 queues and 300 people, processor {SLOWED} times slower"
    return [
        results.bounded("first paint with 40 queues", median(paints), "ms", at_most=PAINT_GOAL_MS, foreign=foreign),
        results.bounded(what, median(later), "ms", at_most=UPDATE_GOAL_MS, floor=median(least), foreign=foreign),
        results.compared("  beside bare writes of the same", median(later), median(least), "ms", foreign=foreign),
        results.bounded("  in the page's first two minutes", median(first), "ms", foreign=foreign),
    ]


def first_paint(page: Any, address: str) -> float:
    """Milliseconds from the page's first byte until all queues stand."""
    page.goto(address)
    return float(page.evaluate("window.firstPaint()"))


def slowed_updates(page: Any, count: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of script of so many first updates and so many later ones; and of the least it could be then."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    first = updates(page, FIRST + count)[FIRST:]
    updates(page, LATER - len(first) - FIRST)
    later = updates(page, count)
    found = [page.evaluate("window.updateAndLeast()") for _ in range(count)]
    people, queues = page.locator(".person").count(), page.locator(".queue-card").count()
    print(f"  on the page at a time: {queues} queues, {people} of 300 people, who take turns")
    print(f"  texts and attributes that an update changes: {median(each['writes'] for each in found):.0f}")
    if not people or queues != 40:
        raise RuntimeError("the page did not show the board")
    return first, later, [float(each["least"]) for each in found]


def updates(page: Any, count: int) -> list[float]:
    """Milliseconds of script of so many updates, one after the other."""
    return [float(page.evaluate("window.updateEverything()")) for _ in range(count)]


def shown(values: list[float]) -> str:
    return ", ".join(f"{value:.0f}" for value in values)


if __name__ == "__main__":
    sys.exit(results.of_pages(__doc__, lines))
