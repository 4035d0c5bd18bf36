"""The simulator's floor beside theory: share waiting, mean wait and share abandoning, with 99 % intervals.

python bench/erlang.py [--callers 100000]
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from wallboard.simulator.floor.erlang_comparison import Estimate, QueueModel, run

MODELS = (
    QueueModel(3, 1.8),
    QueueModel(6, 4.5),
    QueueModel(12, 9.0, strategy="ring all"),
    QueueModel(25, 20.0),
    QueueModel(3, 2.4, 60.0),
    QueueModel(6, 6.0, 120.0),
    QueueModel(12, 14.0, 90.0, "ring all"),
    QueueModel(25, 24.0, 150.0),
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
    for number, model in enumerate(MODELS):
        theory, outcome = model.theory(), run(model, callers, seed=100 + number)
        name = "Erlang C" if model.patience_seconds is None else "Erlang A"
        start = f"{name:<9}{model.people:>6}{model.load:>6.1f}{model.patience_seconds or '–':>9}"
        figures = [
            line(start, "share waiting", theory.share_waiting, outcome.share_waiting),
            line(start, "mean wait, s", theory.mean_wait_seconds, outcome.mean_wait_seconds),
        ]
        if model.patience_seconds is not None:
            figures.append(line(start, "abandoning", theory.share_abandoning, outcome.share_abandoning))
        print("\n".join(figures), flush=True)
        lines += figures
    outside = sum(text.endswith("OUTSIDE") for text in lines)
    print(f"{len(lines) - outside} of {len(lines)} figures inside their interval")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
