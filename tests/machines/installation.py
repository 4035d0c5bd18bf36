"""An installation on eleven hosts: a proxy, three web hosts, two with worker and beat, three Redis, two PostgreSQL.

The hosts are namespaces (network.py), everything on them is the real program. Browsers and the provider are outside of
what is cut off: the provider has a host of its own.
"""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import requests

from tests.faults.browsers import Browser
from tests.faults.installation import FLOOR, SUPERVISOR, Installation
from tests.faults.links import LoopThread
from tests.faults.oracle import Oracle
from tests.harness import proxy, redis_groups
from tests.harness.redis_groups import Place
from tests.harness.simulator import Simulator
from tests.harness.site import bare_environment
from tests.machines import network
from tests.machines.databases import Pair
from tests.machines.network import Network
from wallboard.demo.processes import BASE_DIR, Child, procfile

WEBS, WORKERS = ("web1", "web2", "web3"), ("worker1", "worker2")
STORES, DATABASES = ("store1", "store2", "store3"), ("base1", "base2")
HOSTS = ("provider", "proxy", *WEBS, *WORKERS, *STORES, *DATABASES)
WEB_PORT, PROXY_PORT, PROVIDER_PORT = 8000, 8080, 9000
OF_WORKERS = ("worker", "beat")
CLOCK = ("LD_PRELOAD", "WALLBOARD_CLOCK_AHEAD")  # what clock.c needs in the environment of a process


class Provider(Simulator):
    """The provider on its host."""

    def __init__(self, network: Network, folder: Path, env: Mapping[str, str], url: str) -> None:
        self.host = network.addresses["provider"]
        options = {**FLOOR, "host": self.host}
        super().__init__(folder, env, f"{url}/accounts/callback/", options, port=PROVIDER_PORT)
        self.child.command = network.at("provider", self.child.command)

    @property
    def base_url(self) -> str:
        """Where it is reached."""
        return f"http://{self.host}:{PROVIDER_PORT}"


class Machines(Installation):
    """Kill processes by name (`web1`, `worker2`, `beat1`), cut off hosts by name; `heal` brings everything back."""

    def __init__(self, wires: Network, folder: Path, bin_folder: Path, *, has_cluster: bool = False) -> None:
        self.wires, self.folder, self.loop_thread = wires, folder, LoopThread()
        self.databases = Pair(wires, DATABASES, bin_folder)
        places = [Place(wires.addresses[name], 6379) for name in STORES]
        watching = [Place(place.host, 26379) for place in places]
        self.stores = redis_groups.sentinels(folder, places, watching, wires.at_address)
        nodes = [Place(place.host, port) for port in (7001, 7002) for place in (*places[port - 7001 :], *places)[:3]]
        self.cluster = redis_groups.cluster(folder, nodes, wires.at_address) if has_cluster else None
        self.url = f"http://{wires.addresses['proxy']}:{PROXY_PORT}"
        self.env = bare_environment(**self._of_all())
        self.simulator = Provider(wires, folder, self.env, self.url)
        self.env |= self._provider()
        self.children = {"simulator": self.simulator.child, "proxy": self._proxy()}
        for number, name in enumerate(WEBS, 1):
            self.children[f"web{number}"] = self._child(name, f"web{number}", "web")
        for number, name in enumerate(WORKERS, 1):
            for role in OF_WORKERS:
                self.children[f"{role}{number}"] = self._child(name, f"{role}{number}", role)

    def _of_all(self) -> dict[str, str]:
        feeds = {"REDIS_URL": self.stores.url}
        if self.cluster is not None:
            feeds = {"REDIS_URL": self.cluster.url, "TASKS_REDIS_URL": self.stores.url}
        return {
            **{name: os.environ[name] for name in ("SECRET_KEY", "TOKEN_KEYS")},
            **feeds,
            "PUBLIC_URL": self.url,
            "DATABASE_URL": self.databases.url,
            "REPLICA_URL": self.databases.url.replace("/wallboard", "/wallboard?target_session_attrs=prefer-standby"),
            "STATIC_ROOT": str(self.folder / "static"),
            "TRUSTED_PROXIES": "1",
            "POLL_SECONDS": "1",
            "CHECK_SECONDS": "3",
        }

    def _child(self, host: str, name: str, role: str, env: Mapping[str, str] = {}) -> Child:
        command = procfile(WEB_PORT)[role]
        if role == "web":
            command[command.index("127.0.0.1")] = self.wires.addresses[host]
        spool = self.folder / f"spool-{name}"
        spool.mkdir(exist_ok=True)
        own = {**self.env, **env, "SPOOL_DIR": str(spool)} if role == "web" else {**self.env, **env}
        return Child(name, self.wires.at(host, command), self.folder / f"{name}.log", own)

    def _proxy(self) -> Child:
        """docs/nginx.conf with the changes that docs/scale.md names, and without TLS."""
        text = (BASE_DIR / "docs" / "nginx.conf").read_text()
        servers = "\n".join(f"    server {self.wires.addresses[name]}:{WEB_PORT} {OF_SEVERAL};" for name in WEBS)
        text, count = re.subn(
            r"    server 127[^\n]*\n(?:    (?:# )?server 127[^\n]*\n)*", servers + "\n", text, count=1
        )
        assert count == 1
        text = text.replace("proxy_http_version 1.1;", f"proxy_http_version 1.1;\n    {CONNECTING}", 1)
        text = text.replace("listen 443 ssl http2", f"listen {self.wires.addresses['proxy']}:{PROXY_PORT}")
        text = text.replace("/var/log/nginx", str(self.folder)).replace("listen 80;", "listen 127.0.0.1:81;")
        text = re.sub(r"\n *ssl_certificate.*", "", text)
        temporary = "\n".join(f"{name}_temp_path {self.folder}/{name};" for name in proxy.TEMPORARY)
        path = self.folder / "nginx.conf"
        path.write_text(proxy.FRAME % (self.folder, temporary, text))
        command = [str(proxy.program()), "-p", str(self.folder), "-e", "stderr", "-c", str(path)]
        return Child("proxy", self.wires.at("proxy", command), self.folder / "nginx.log", cwd=self.folder)

    def start(self) -> None:
        """Bring everything up; returns when /readyz says that all is well."""
        self.databases.start()
        for group in filter(None, (self.stores, self.cluster)):
            group.start()
        if self.cluster is not None:
            redis_groups.join(self.cluster)
        self.simulator.start()
        self.manage("setup")
        self.manage("person", SUPERVISOR, "--role", "supervisor")
        self.oracle = Oracle(self.env)
        for name in ("proxy", *WEBS):
            self.children[name].start()
        # The provider's first word to each subscription must find somebody.
        self.wait(lambda: all(map(self.web_answers, WEBS)), 60)
        self.wait(self.answers, 20)
        for name, child in self.children.items():
            if name.startswith(OF_WORKERS):
                child.start()
        self.wait(self.is_ready, 90)
        self.cookies = {SUPERVISOR: self._signed_in(SUPERVISOR)}

    def stop(self) -> None:
        """End everything at once."""
        self.commands.stop()
        for child in reversed(self.children.values()):
            child.kill()
            child.stop()
        if hasattr(self, "oracle"):
            self.oracle.stop()
        for group in filter(None, (self.stores, self.cluster)):
            group.stop()
        self.databases.stop()
        self.loop_thread.stop()

    def heal(self) -> None:
        """Whole wires, every server running, a standby, no calls; returns when all is well."""
        self.wires.heal()
        self.simulator.control("faults/clear")
        self.simulator.control("floor", {"load": 0})
        for group in filter(None, (self.stores, self.cluster)):
            for child in (*group.servers.values(), *group.beside):
                if not child.is_running:
                    child.start()
        if not self.databases.servers[self.databases.standby].is_running:
            self.databases.add_standby()
        for child in self.children.values():
            if not child.is_running:
                child.start()
        self.wait(lambda: all(map(self.web_answers, WEBS)), 60)
        self.wait(self.is_ready, 60)
        self.wait(lambda: len(self.stores.primaries()) == 1, 30)

    def web_answers(self, name: str) -> bool:
        """Whether the web process on that host is there."""
        try:
            return requests.get(f"http://{self.wires.addresses[name]}:{WEB_PORT}/healthz", timeout=5).ok
        except requests.RequestException:
            return False

    def open_browser(self, web: str, query: str = "board=main", who: str = SUPERVISOR) -> Browser:
        """A page at that host, or at the `proxy`."""
        port = PROXY_PORT if web == "proxy" else WEB_PORT
        address = self.wires.addresses[web]
        return Browser(self.loop_thread, port, query, self.cookies[who], self.url, host=address)

    def set_clock(self, name: str, seconds: int) -> None:
        """Let the process of that name live so many seconds ahead; it starts anew for that."""
        child = self.children[name]
        child.stop()
        library = self.folder / "clock.so"
        if not library.exists():
            source = Path(__file__).with_name("clock.c")
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source)], check=True)
        plain = {key: value for key, value in dict(child.env or {}).items() if key not in CLOCK}
        child.env = {**plain, **dict(zip(CLOCK, (str(library), str(seconds)), strict=True))} if seconds else plain
        child.start()


OF_SEVERAL = "max_fails=1 fail_timeout=5s"
CONNECTING = "proxy_connect_timeout 2s;"


@contextmanager
def running(folder: Path, bin_folder: Path, *, has_cluster: bool = False, seed: str = "1") -> Iterator[Machines]:
    """All of it, started; everything is gone afterwards. Skips where no namespaces can be made."""
    with network.running(HOSTS, seed) as wires:
        machines = Machines(wires, folder, bin_folder, has_cluster=has_cluster)
        try:
            machines.start()
            yield machines
        finally:
            machines.stop()
