"""How much of one core each process of a running demo uses. Linux only.

    make demo                                   (in another terminal; wait for its addresses)
    .venv/bin/python bench/demo_idle.py [--seconds 60] [--limit 25] [--folder .demo]

Ends with exit status 1 where all of them together use more than the limit, in percent of one core.
"""

import argparse
import os
import sys
import time
from pathlib import Path

HERTZ = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """What the process and its threads have used so far: fields utime and stime of proc(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / HERTZ


def processes(folder: Path) -> dict[str, int]:
    """The demo's process ids by name, its keeper included."""
    return {file.stem: int(file.read_text()) for file in sorted(folder.glob("*.pid"))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--limit", type=float, default=25)
    parser.add_argument("--folder", type=Path, default=Path(__file__).resolve().parent.parent / ".demo")
    options = parser.parse_args()
    pids = processes(options.folder)
    if not pids:
        sys.exit(f"No demo runs in {options.folder}.")
    before = {name: cpu_seconds(pid) for name, pid in pids.items()}
    time.sleep(options.seconds)
    percent = {name: 100 * (cpu_seconds(pid) - before[name]) / options.seconds for name, pid in pids.items()}
    for name, share in percent.items():
        print(f"{name:<10} {share:5.1f} %")
    print(f"{'together':<10} {sum(percent.values()):5.1f} % of one core over {options.seconds:.0f} s")
    return int(sum(percent.values()) > options.limit)


if __name__ == "__main__":
    sys.exit(main())
