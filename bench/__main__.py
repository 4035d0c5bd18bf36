"""All benchmarks, one after the other, and one table of what they found.

python -m bench [--quick] [--anyway] [NAME …]   exit status 1 where a goal is missed, 2 where a figure is unknown
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import results
from bench.results import BEYOND, DISTURBED, MISSED, Line

NAMES = (
    *("fanout", "latency", "storm", "opening", "intake", "poll"),
    *("memory", "pop", "contacts", "forecast", "alert_mail"),
    *("board_update", "first_paint", "growth"),
)
ROOT = Path(__file__).resolve().parent.parent
LIMIT_SECONDS = 900


def run(name: str, options: list[str]) -> list[Line]:
    """What one benchmark found; it prints as it goes."""
    with tempfile.TemporaryDirectory(prefix="bench-results-") as folder:
        file = Path(folder) / "lines"
        print(f"\n--- {name}", flush=True)
        env = {**os.environ, "BENCH_RESULTS": str(file)}
        try:
            code = subprocess.run(
                [sys.executable, "-m", f"bench.{name}", *options], cwd=ROOT, env=env, timeout=LIMIT_SECONDS
            ).returncode
        except subprocess.TimeoutExpired:
            code = -1
        found = results.read(file)
    if found:
        return found
    return [Line(name, f"did not get through ({code})", "", "", "", None, DISTURBED if code == 2 else MISSED)]


def main() -> int:
    """Run those that are named, or all; the exit status."""
    parser = results.parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all where none is named")
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"There is no benchmark called {', '.join(sorted(unknown))}.")
    flags = [flag for flag, is_set in (("--quick", options.quick), ("--anyway", options.anyway)) if is_set]
    began = time.monotonic()
    lines = [line for name in options.names or NAMES for line in run(name, flags)]
    print(f"\n{results.table(lines)}\n")
    print(f"{(time.monotonic() - began) / 60:.0f} minutes.", *summary(lines))
    return results.status(lines)


def summary(lines: list[Line]) -> list[str]:
    """What the table says, in words."""
    missed, beyond, unknown = (
        [line.what.strip() for line in lines if line.verdict == verdict] for verdict in (MISSED, BEYOND, DISTURBED)
    )
    words = [f"Missed: {'; '.join(missed)}." if missed else "No goal that could be measured is missed."]
    if beyond:
        words.append(f"Beyond what this machine can do with nothing of ours: {'; '.join(beyond)}.")
    if unknown:
        words.append(
            f"Not known, for the machine was too busy or the benchmark did not get through: {'; '.join(unknown)}."
        )
    return words


if __name__ == "__main__":
    sys.exit(main())
