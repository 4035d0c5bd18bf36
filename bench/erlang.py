"""The simulator's floor beside theory: share waiting, mean wait and share giving up, with 99 % intervals.

python bench/erlang.py [--callers 100000]
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from wallboard.simulator.trial import Estimate, Setting, run

SETTINGS = (
    Setting(3, 1.8),
    Setting(6, 4.5),
    Setting(12, 9.0, strategy="ring all"),
    Setting(25, 20.0),
    Setting(3, 2.4, 60.0),
    Setting(6, 6.0, 120.0),
    Setting(12, 14.0, 90.0, "ring all"),
    Setting(25, 24.0, 150.0),
)
HEADER = "model    people  load patience  figure          theory  simulated   ± 99 %"


def line(start: str, name: str, theory: float, estimate: Estimate) -> str:
    verdict = "inside" if estimate.covers(theory) else "OUTSIDE"
    return f"{start}  {name:<13}{theory:>9.4f}{estimate.mean:>11.4f}{estimate.half_width:>9.4f}  {verdict}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--callers", type=int, default=100_000)
    callers = parser.parse_args().callers
    print(HEADER)
    lines = []
    for number, setting in enumerate(SETTINGS):
        theory, outcome = setting.theory(), run(setting, callers, seed=100 + number)
        model = "Erlang C" if setting.patience_seconds is None else "Erlang A"
        start = f"{model:<9}{setting.people:>6}{setting.load:>6.1f}{setting.patience_seconds or '–':>9}"
        figures = [
            line(start, "share waiting", theory.share_waiting, outcome.share_waiting),
            line(start, "mean wait, s", theory.mean_wait_seconds, outcome.mean_wait_seconds),
        ]
        if setting.patience_seconds is not None:
            figures.append(line(start, "giving up", theory.share_giving_up, outcome.share_giving_up))
        print("\n".join(figures), flush=True)
        lines += figures
    outside = sum(text.endswith("OUTSIDE") for text in lines)
    print(f"{len(lines) - outside} of {len(lines)} figures inside their interval")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
