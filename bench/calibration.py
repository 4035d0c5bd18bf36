"""How calibration does on the simulated floor: wrong "proven" (must be none), right within half an hour.

python -m bench.calibration [--seeds 200] [--only wait_unit=ms,max_wait_of=period] [--minutes 30] [--processes N]

Runs are spread over processes, one for each core where nothing else is said; what comes out depends on the seeds alone.
"""

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

from django.conf import settings

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.calibration.floor_runs import CASES, Case, Outcome, run

settings.configure(SECRET_KEY="of no installation")  # callers are told apart by keyed digests


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    wanted = [each for each in CASES if not options.only or each.name in options.only.split(",")]
    wrong = late = 0
    print(f"{'switch':<44}{'question':<20}{'wrong':>6}{'right':>8}  minutes")
    with ProcessPoolExecutor(options.processes) as pool:
        for case in wanted:
            seeds = range(options.first, options.first + options.seeds)
            outcomes = list(pool.map(run, repeat(case), seeds, repeat(options.minutes)))
            case_wrong, case_late = report(case, outcomes)
            wrong, late = wrong + case_wrong, late + case_late
    print(f"wrong proven: {wrong}; below 99 %: {late}")
    return 1 if wrong or late else 0


def report(case: Case, outcomes: list[Outcome]) -> tuple[int, int]:
    """Print how a case did; gives how much was wrong, and how many questions took too long too often."""
    late = 0
    for question in case.expected:
        right = [each.proven_after[question] for each in outcomes if question in each.proven_after]
        share = len(right) / len(outcomes)
        slowest = f"{sorted(right)[len(right) // 2]:.0f} (slowest {max(right):.0f})" if right else "–"
        print(f"{case.name:<44}{question:<20}{'':>6}{share:>8.1%}  {slowest}")
        late += share < 0.99
    mistakes = Counter(mistake for each in outcomes for mistake in each.wrong)
    for mistake, count in mistakes.items():
        print(f"{case.name:<44}WRONG {mistake} × {count}")
    sys.stdout.flush()
    return sum(mistakes.values()), late


if __name__ == "__main__":
    sys.exit(main())
