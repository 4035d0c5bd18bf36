"""Machines on one machine: a network namespace and a host name for each, and wires that tests can spoil and cut."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.harness import own_networks
from wallboard.demo.processes import BASE_DIR

NAMED = 'hostname "$0"; exec "$@"'


def why_not() -> str:
    """Why no namespaces can be made here, "" where they can."""
    if os.geteuid() or not Path("/dev/net/tun").exists():
        return "network namespaces need root and /dev/net/tun"
    probe = f"wb-probe-{os.getpid()}"
    try:
        made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True)
    except FileNotFoundError:
        return "the program ip is not installed (Debian: apt-get install iproute2)"
    if made.returncode:
        return f"no network namespace can be made: {made.stderr.strip()}"
    subprocess.run(["ip", "netns", "delete", probe], check=True)
    return ""


class Network:
    """Hosts by name; we ourselves are one of them, `outside`. Commands begin with `at`."""

    def __init__(self, names: Iterable[str], seed: str = "1") -> None:
        # Another run on this machine has another subnet, and other names.
        self._subnet = f"10.{random.SystemRandom().randrange(64, 128)}.{os.getpid() % 250}"
        self._prefix = f"wb{os.getpid()}-"
        self.names = list(names)
        self.addresses = {name: f"{self._subnet}.{number}" for number, name in enumerate(self.names, 10)}
        self.outside = f"{self._subnet}.1"
        self._seed = seed
        self._switch: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Make the namespaces, and carry packets between them."""
        forget_left_over()
        for name in self.names:
            subprocess.run(["ip", "netns", "add", self._prefix + name], check=True)
        places = [f",{self._prefix[:13]}o,{self.outside}"]
        places += [f"{self._prefix}{name},w0,{address}" for name, address in self.addresses.items()]
        self._switch = subprocess.Popen(
            [sys.executable, "-m", "tests.machines.switch", self._seed, *places],
            cwd=BASE_DIR,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._await("ready")
        own_networks.subnets.add(self._subnet)

    def stop(self) -> None:
        """Take everything away; what still runs in a namespace keeps it until it ends."""
        own_networks.subnets.discard(self._subnet)
        if self._switch is not None:
            with suppress(subprocess.TimeoutExpired):
                self._switch.communicate(timeout=5)
            self._switch.kill()
        for name in self.names:
            subprocess.run(["ip", "netns", "delete", self._prefix + name], check=False)

    def at(self, name: str, command: Sequence[str]) -> list[str]:
        """The command, run on that host."""
        there = ["ip", "netns", "exec", self._prefix + name]
        return [*there, "unshare", "--uts", "sh", "-c", NAMED, name, *command]

    def at_address(self, address: str, command: Sequence[str]) -> list[str]:
        """The command, run on the host with that address."""
        return self.at(next(name for name, its in self.addresses.items() if its == address), command)

    def pids(self, name: str) -> list[int]:
        """The processes that run on that host."""
        told = subprocess.run(["ip", "netns", "pids", self._prefix + name], capture_output=True, text=True, check=True)
        return [int(each) for each in told.stdout.split()]

    def cut(self, *names: str) -> None:
        """Nothing goes to or from these hosts any more; connections stay open and hear nothing."""
        self._order(cut=[self.addresses[name] for name in names])

    def spoil(self, loss: float, delay: float) -> None:
        """Lose so much of all packets between all hosts, and hand over the others so many seconds later."""
        self._order(loss=loss, delay=delay)

    def heal(self) -> None:
        """All wires are whole again."""
        self._order()

    def _order(self, **order: object) -> None:
        assert self._switch is not None
        assert self._switch.stdin is not None
        self._switch.stdin.write(json.dumps(order) + "\n")
        self._switch.stdin.flush()
        self._await("done")

    def _await(self, word: str) -> None:
        assert self._switch is not None
        assert self._switch.stdout is not None
        assert self._switch.stdout.readline().strip() == word


def forget_left_over() -> None:
    """Delete the namespaces of runs that were killed."""
    for path in Path("/run/netns").glob("wb[0-9]*-*"):
        if not Path(f"/proc/{path.name[2:].partition('-')[0]}").exists():
            subprocess.run(["ip", "netns", "delete", path.name], check=False)


@contextmanager
def running(names: Iterable[str], seed: str = "1") -> Iterator[Network]:
    """The network, started; gone afterwards. Skips where no namespaces can be made."""
    if reason := why_not():
        pytest.skip(reason)
    network = Network(names, seed)
    try:
        network.start()
        yield network
    finally:
        network.stop()
