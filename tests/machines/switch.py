"""The wires between namespaces, in a process of its own: cuts hosts off, loses packets and delays them, by a seed.

`python -m tests.machines.switch SEED NAMESPACE,DEVICE,ADDRESS …` gives each namespace ("" is the one it runs in) a
network device with that address, and carries packets between them. What it is told on its input, one JSON text a line,
holds from then on: `{"cut": [address, …], "loss": 0.05, "delay": 0.1}`. It needs root, and of the kernel only tun.
"""

import ctypes
import fcntl
import heapq
import json
import os
import random
import selectors
import struct
import subprocess
import sys
import time
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from pathlib import Path

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
CLONE_NEWNET = 0x40000000
MTU = 9000
AT_ONCE = 64  # packets of one host before the others have their turn


@dataclass
class Wires:
    """Who is where, and how bad the wires are."""

    chance: random.Random
    ports: dict[bytes, int] = field(default_factory=dict)
    cut: set[bytes] = field(default_factory=set)
    loss: float = 0.0
    delay: float = 0.0
    waiting: list[tuple[float, int, int, bytes]] = field(default_factory=list)
    carried: int = 0

    def tell(self, line: str) -> None:
        """Follow an order."""
        order = json.loads(line)
        self.cut = {IPv4Address(address).packed for address in order.get("cut", ())}
        self.loss, self.delay = order.get("loss", 0.0), order.get("delay", 0.0)

    def carry(self, packet: bytes) -> None:
        """Take a packet to its host, now or later or never."""
        source, target = packet[12:16], packet[16:20]
        port = self.ports.get(target)
        if port is None or source in self.cut or target in self.cut:
            return
        if self.loss and self.chance.random() < self.loss:
            return
        self.carried += 1
        if self.delay:
            heapq.heappush(self.waiting, (time.monotonic() + self.delay, self.carried, port, packet))
        else:
            deliver(port, packet)

    def deliver_due(self) -> float | None:
        """Deliver what has waited long enough; gives the seconds until the next one is due."""
        while self.waiting:
            left = self.waiting[0][0] - time.monotonic()
            if left > 0:
                return left
            _, _, port, packet = heapq.heappop(self.waiting)
            deliver(port, packet)
        return None


def deliver(port: int, packet: bytes) -> None:
    """Hand a packet to a host; one that has no room for it loses it, as hosts do."""
    try:
        os.write(port, packet)
    except OSError:
        return


def plugged_in(namespace: str, device: str, address: str) -> int:
    """A device in that namespace, up and with that address; its packets go through the file descriptor given."""
    libc, home = ctypes.CDLL(None, use_errno=True), os.open("/proc/self/ns/net", os.O_RDONLY)
    if namespace:
        enter(libc, Path("/run/netns") / namespace)
    try:
        port = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(port, TUNSETIFF, struct.pack("16sH22x", device.encode(), IFF_TUN | IFF_NO_PI))
        for command in (
            f"ip address add {address}/24 dev {device}",
            f"ip link set {device} up mtu {MTU} txqueuelen 5000",
            "ip link set lo up",
        ):
            subprocess.run(command.split(), check=True)
    finally:
        if libc.setns(home, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
        os.close(home)
    return port


def enter(libc: ctypes.CDLL, path: Path) -> None:
    """Be in that network namespace from now on."""
    there = os.open(path, os.O_RDONLY)
    if libc.setns(there, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
    os.close(there)


def main(seed: str, *places: str) -> None:
    """Carry packets until nobody gives orders any more."""
    wires, selector = Wires(random.Random(seed)), selectors.DefaultSelector()
    for place in places:
        namespace, device, address = place.split(",")
        port = plugged_in(namespace, device, address)
        wires.ports[IPv4Address(address).packed] = port
        selector.register(port, selectors.EVENT_READ)
    selector.register(sys.stdin.fileno(), selectors.EVENT_READ)
    print("ready", flush=True)
    while True:
        for key, _ in selector.select(wires.deliver_due()):
            if key.fd == sys.stdin.fileno():
                line = sys.stdin.readline()
                if not line:
                    return
                wires.tell(line)
                print("done", flush=True)
            else:
                read(key.fd, wires)


def read(port: int, wires: Wires) -> None:
    """Carry what a host has sent."""
    for _ in range(AT_ONCE):
        try:
            packet = os.read(port, MTU + 100)
        except BlockingIOError:
            return
        if packet[0] >> 4 == 4:  # the kernel also asks for IPv6 routers, of which there are none
            wires.carry(packet)


if __name__ == "__main__":
    main(*sys.argv[1:])
