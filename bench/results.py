"""What a benchmark found: one line per figure, with its baseline, goal and verdict, and how much else the machine did.

Where `make bench` runs them all, BENCH_RESULTS names a file that collects the lines for one table at the end.
"""

import argparse
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.machine import MOST_FOREIGN
from tests.harness import browser

REACHED, MISSED, BEYOND, DISTURBED, TOLD = "reached", "MISSED", "beyond floor", "disturbed", ""
EXIT_STATUS = {REACHED: 0, TOLD: 0, BEYOND: 0, MISSED: 1, DISTURBED: 2}
HEADER = ("figure", "measured", "baseline", "ratio", "goal", "floor", "other load", "verdict")


@dataclass(frozen=True)
class Line:
    """A figure as people read it. `foreign` is the share of the cores that other programs used or had stolen.

    `floor` is what this machine allows with nothing of ours, as measured in the same run. A missed goal lies beyond it
    where the floor misses that as well.
    """

    what: str
    measured: str
    baseline: str
    ratio: str
    goal: str
    foreign: float | None
    verdict: str
    floor: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The line in the order of HEADER."""
        foreign = "" if self.foreign is None else f"{self.foreign:.0%}"
        is_doubtful = self.verdict in (REACHED, MISSED) and (self.foreign or 0) > MOST_FOREIGN
        verdict = f"{self.verdict} (disturbed)" if is_doubtful else self.verdict
        return self.what, self.measured, self.baseline, self.ratio, self.goal, self.floor, foreign, verdict


def compared(
    what: str,
    measured: float,
    baseline: float,
    unit: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    floor: float | None = None,
    foreign: float | None = None,
) -> Line:
    """A figure judged by its ratio to the baseline; without a bound it is only told. `floor` is such a ratio, too."""
    ratio = measured / baseline if baseline else 0.0
    verdict, goal = judged(ratio, at_least, at_most, floor)
    shown = f"{ratio:.2f}x" if ratio >= 0.1 else f"1/{1 / ratio:.0f}" if ratio else "-"
    goal = f"{goal}x" if goal else ""
    least = "" if floor is None else f"{floor:.2f}x"
    return Line(what, f"{plain(measured)} {unit}", f"{plain(baseline)} {unit}", shown, goal, foreign, verdict, least)


def bounded(
    what: str,
    measured: float,
    unit: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    floor: float | None = None,
    foreign: float | None = None,
) -> Line:
    """A figure judged by itself; without a bound it is only told."""
    verdict, goal = judged(measured, at_least, at_most, floor)
    goal, least = (f"{goal} {unit}" if goal else ""), ("" if floor is None else f"{plain(floor)} {unit}")
    return Line(what, f"{plain(measured)} {unit}", "", "", goal, foreign, verdict, least)


def disturbed(what: str, foreign: float) -> Line:
    """A figure that could not be taken because too much else ran."""
    return Line(what, "", "", "", "", foreign, DISTURBED)


def judged(value: float, at_least: float | None, at_most: float | None, floor: float | None = None) -> tuple[str, str]:
    """The verdict on a value, and its bound as people read it."""
    if at_least is None and at_most is None:
        return TOLD, ""
    goal = f">= {at_least:g}" if at_least is not None else f"<= {at_most:g}"

    def is_missed(figure: float) -> bool:
        return (at_least is not None and figure < at_least) or (at_most is not None and figure > at_most)

    if not is_missed(value):
        return REACHED, goal
    return (BEYOND if floor is not None and is_missed(floor) else MISSED), goal


def plain(value: float) -> str:
    """A number with about three digits that matter."""
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 or value == int(value) else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def tell(lines: Iterable[Line]) -> int:
    """Print the lines and hand them on; gives the exit status."""
    lines = list(lines)
    print(table(lines), flush=True)
    if wanted := os.environ.get("BENCH_RESULTS"):
        with Path(wanted).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(line)) + "\n" for line in lines)
    return status(lines)


def status(lines: Iterable[Line]) -> int:
    """1 where any goal is missed, else 2 where any figure could not be taken, else 0."""
    found = {EXIT_STATUS[line.verdict] for line in lines}
    return 1 if 1 in found else max(found, default=2)


def read(path: Path) -> list[Line]:
    """The lines that were handed on so far."""
    return [Line(**json.loads(text)) for text in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def table(lines: list[Line]) -> str:
    """All lines under one header, in columns."""
    rows = [HEADER, *(line.columns for line in lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options that every benchmark has."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--quick", action="store_true", help="small and short, to see that it works; figures mean little")
    made.add_argument("--anyway", action="store_true", help="count rounds that other programs disturbed, too")
    return made


def options(description: str | None, **figures: tuple[float, float]) -> argparse.Namespace:
    """What was asked for: the options of every benchmark, and these, each with what it is usually and with --quick."""
    asking = parser(description)
    for name, (usual, _) in figures.items():
        asking.add_argument(f"--{name.replace('_', '-')}", type=type(usual), default=usual)
    found = asking.parse_args()
    if found.quick:
        vars(found).update({name: quick for name, (_, quick) in figures.items()})
    return found


def of_pages(description: str | None, lines: Callable[[int], Iterable[Line]]) -> int:
    """Measure so many rounds in Chromium and report; the exit status."""
    asked = options(description)
    if not browser.program():
        print("No Chromium is installed (Debian: apt-get install chromium).")
        return 2
    return tell(lines(1 if asked.quick else 5))
