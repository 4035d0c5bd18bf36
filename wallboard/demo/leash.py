"""Runs a program that Linux ends when its starter is gone, even by kill -9. Standard library only; never imported.

python leash.py SIGNAL USER PROGRAM ARGUMENT…   (USER "" stays who it is; another one only for root)
"""

import ctypes
import os
import pwd
import sys

PR_SET_PDEATHSIG = 1  # prctl(2): the signal for a process whose parent has ended; it survives execve, not setuid


def become(user: str) -> None:
    """Give up root for this user."""
    entry = pwd.getpwnam(user)
    # In this order: once the user is set, groups cannot be.
    os.initgroups(user, entry.pw_gid)
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def main(number: int, user: str, command: list[str]) -> None:
    starter = os.getppid()
    if user:
        become(user)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
        # It may have ended before prctl(); no signal comes for that any more.
        if os.getppid() != starter:
            sys.exit("The starter ended first.")
    os.execvp(command[0], command)  # noqa: S606  (the commands are ours)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
