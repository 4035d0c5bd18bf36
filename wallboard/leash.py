"""Runs a program that Linux ends when its starter is gone, even by kill -9. Standard library only; never imported.

python leash.py SIGNAL PROGRAM ARGUMENT…
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1  # prctl(2): the signal for a process whose parent has ended; it survives execve


def main(number: int, command: list[str]) -> None:
    if sys.platform == "linux":
        starter = os.getppid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != starter:
            sys.exit("The starter ended first.")
    os.execvp(command[0], command)  # noqa: S606  (the commands are ours)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
