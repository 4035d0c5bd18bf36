"""Several Redis that are one to their clients: three with Sentinel, or a cluster; on this machine or on hosts."""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import redis

from wallboard.demo import redis_server
from wallboard.demo.processes import Child, free_port, wait_until

SERVICE = "wallboard"
DOWN_MILLISECONDS = 1500
IN_MEMORY = ("--save", "", "--appendonly", "no", "--protected-mode", "no", "--hz", "10")
Wrap = Callable[[str, Sequence[str]], list[str]]


@dataclass(frozen=True)
class Place:
    """Where one of the servers listens; in TLS alone where a folder has its `cert.pem` and `key.pem`."""

    host: str
    port: int
    tls: Path | None = None

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def settings(self) -> dict[str, str]:
        """What its server is told of that."""
        if self.tls is None:
            return {"port": str(self.port)}
        files = {"tls-cert-file": "cert", "tls-key-file": "key", "tls-ca-cert-file": "cert"}
        named = {name: str(self.tls / f"{file}.pem") for name, file in files.items()}
        return {"port": "0", "tls-port": str(self.port), "tls-auth-clients": "no", "tls-replication": "yes", **named}

    @property
    def scheme(self) -> str:
        """How addresses of it begin."""
        return "redis" if self.tls is None else "rediss"

    @property
    def options(self) -> str:
        """How they end."""
        return "" if self.tls is None else f"?ssl_ca_certs={self.tls / 'cert.pem'}"


def loopback(number: int, tls: Path | None = None) -> list[Place]:
    """So many free ports of this machine."""
    return [Place("127.0.0.1", free_port(), tls) for _ in range(number)]


def certify(folder: Path) -> Path:
    """A key and a certificate of this machine, which vouches for itself; gives the folder."""
    made = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run([*made.split(), *files], check=True, capture_output=True)
    return folder


def as_it_is(host: str, command: Sequence[str]) -> list[str]:
    """The command, run on this machine."""
    return list(command)


def program() -> str:
    """The server that knows Sentinel and cluster; skips where none is installed."""
    found = redis_server.program()
    if not found:
        pytest.skip("no redis-server and no valkey-server")
    return found


def client(place: Place) -> redis.Redis:
    """A client of one of the servers."""
    tls: dict[str, Any] = {"ssl": True, "ssl_ca_certs": str(place.tls / "cert.pem")} if place.tls else {}
    return redis.Redis(place.host, place.port, socket_timeout=2, socket_connect_timeout=1, decode_responses=True, **tls)


def answers(place: Place) -> bool:
    """Whether that server is there."""
    try:
        with client(place) as asked:
            return bool(asked.ping())
    except redis.RedisError:
        return False


@dataclass
class Group:
    """Servers by place, and what stands beside them; `url` is what the product is told."""

    url: str
    places: list[Place]
    servers: dict[Place, Child]
    beside: list[Child] = field(default_factory=list)
    watching: list[Place] = field(default_factory=list)

    def start(self) -> None:
        """Start all, and wait until each server answers and the Sentinels know of each other and of all replicas."""
        for child in (*self.servers.values(), *self.beside):
            child.start()
        assert wait_until(lambda: all(map(answers, [*self.places, *self.watching])), 20, 0.05)
        # They meet over the primary, every two seconds: one that is gone before that would never be replaced.
        assert wait_until(lambda: all(map(self._knows_all, self.watching)), 30, 0.1)

    def stop(self) -> None:
        """End all."""
        for child in (*self.beside, *self.servers.values()):
            child.kill()
            child.stop()

    def primaries(self) -> list[Place]:
        """The servers that say of themselves that they take writes."""
        return [place for place in self.places if self.role(place) == "master"]

    def role(self, place: Place) -> str:
        """What that server says it is; "" where it does not answer."""
        try:
            with client(place) as asked:
                found: Any = asked.role()
        except redis.RedisError:
            return ""
        return str(found[0])

    def _knows_all(self, place: Place) -> bool:
        with client(place) as asked:
            found: Any = asked.sentinel_master(SERVICE)
        others = len(self.watching) - 1, len(self.places) - 1
        return (found["num-other-sentinels"], found["num-slaves"]) == others


def sentinels(folder: Path, places: Sequence[Place], watching: Sequence[Place], wrap: Wrap = as_it_is) -> Group:
    """A primary, replicas of it, and as many Sentinels as `watching` has places."""
    first, *others = places
    servers = {first: _server(folder, first, wrap)}
    servers |= {place: _server(folder, place, wrap, "--replicaof", first.host, str(first.port)) for place in others}
    beside = [_sentinel(folder, place, first, len(watching) // 2 + 1, wrap) for place in watching]
    url = f"{first.scheme}+sentinel://{','.join(map(str, watching))}/{SERVICE}/0{first.options}"
    return Group(url, list(places), servers, beside, list(watching))


def cluster(folder: Path, places: Sequence[Place], wrap: Wrap = as_it_is) -> Group:
    """The servers of a cluster; `join` makes it one."""
    options: tuple[str, ...] = ("--cluster-enabled", "yes", "--cluster-node-timeout", str(DOWN_MILLISECONDS))
    options += ("--tls-cluster", "yes") if places[0].tls else ()
    servers = {
        place: _server(folder, place, wrap, *options, "--cluster-config-file", f"nodes-{place.host}-{place.port}.conf")
        for place in places
    }
    url = f"{places[0].scheme}+cluster://{','.join(map(str, places))}{places[0].options}"
    return Group(url, list(places), servers)


def join(group: Group, primaries: int = 3) -> None:
    """Spread the slots over the first servers, and let the others be their replicas in turn."""
    clients: list[Any] = [client(place) for place in group.places]
    for number, each in enumerate(clients):
        each.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
    for number in range(primaries):
        bounds = (16384 * number // primaries, 16384 * (number + 1) // primaries - 1)
        clients[number].execute_command("CLUSTER", "ADDSLOTSRANGE", *bounds)
    for place in group.places[1:]:
        clients[0].execute_command("CLUSTER", "MEET", place.host, place.port)
    assert wait_until(lambda: all(_known(each) == len(clients) for each in clients), 20, 0.05)
    names = [str(each.execute_command("CLUSTER", "MYID")) for each in clients]
    for number, each in enumerate(clients[primaries:]):
        assert wait_until(lambda each=each, name=names[number % primaries]: _follows(each, name), 20, 0.2)  # type: ignore[misc]
    assert wait_until(lambda: all(_is_whole(each) for each in clients), 20, 0.05)


@contextmanager
def running(group: Group) -> Iterator[Group]:
    """The group, started; gone afterwards."""
    try:
        group.start()
        yield group
    finally:
        group.stop()


def _server(folder: Path, place: Place, wrap: Wrap, *more: str) -> Child:
    name = f"redis-{place.host}-{place.port}"
    command = [program(), "--bind", place.host, "--dir", str(folder), *IN_MEMORY, *more]
    for setting, value in place.settings.items():
        command += [f"--{setting}", value]
    return Child(name, wrap(place.host, [*command, "--repl-diskless-sync-delay", "0"]), folder / f"{name}.log")


def _sentinel(folder: Path, place: Place, first: Place, quorum: int, wrap: Wrap) -> Child:
    name = f"sentinel-{place.host}-{place.port}"
    path = folder / f"{name}.conf"
    own = "".join(f"{setting} {value}\n" for setting, value in place.settings.items())
    path.write_text(
        f"bind {place.host}\ndir {folder}\nprotected-mode no\n{own}"
        f"sentinel monitor {SERVICE} {first.host} {first.port} {quorum}\n"
        f"sentinel down-after-milliseconds {SERVICE} {DOWN_MILLISECONDS}\n"
        f"sentinel failover-timeout {SERVICE} 6000\n"
    )
    return Child(name, wrap(place.host, [program(), str(path), "--sentinel"]), folder / f"{name}.log")


def _known(each: Any) -> int:
    return int(_state(each)["cluster_known_nodes"])


def _state(each: Any) -> dict[str, Any]:
    found: Any = each.execute_command("CLUSTER", "INFO")
    return found if isinstance(found, dict) else dict(line.split(":", 1) for line in str(found).split() if ":" in line)


def _is_whole(each: Any) -> bool:
    values = _state(each)
    return bool(values["cluster_state"] == "ok" and int(values["cluster_slots_ok"]) == 16384)


def _follows(each: Any, name: str) -> bool:
    try:
        each.execute_command("CLUSTER", "REPLICATE", name)
    except redis.ResponseError:
        return False  # it has not heard of that one yet
    return True
