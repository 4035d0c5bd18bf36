"""A whole installation to be broken: two web processes behind a balancing link, worker, beat, Redis, PostgreSQL.

web talks to Redis directly, web2 over the link `redis`. The provider posts to `front`, which carries to both web
processes in turn. Browsers come in over `browser` (to web) and `browser2` (to web2).
"""

import signal
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis
import requests

from tests.faults.browsers import Browser, Documents
from tests.faults.database import Postgres
from tests.faults.links import Link, LoopThread
from tests.faults.oracle import Oracle
from tests.harness.setting_up import set_up
from tests.harness.site import Site
from wallboard.demo.processes import Child, free_port, procfile, wait_until

WEBS = ("web", "web2")
SUPERVISOR, AGENT = "101", "102"
MENDED = ("today", "events")  # follow the database only as often as feeds are mended and subscriptions checked
SHOWN_SECONDS = 1.0  # after the database was asked; boards merge what comes within a tenth of that
FLOOR: Mapping[str, object] = {"load": 0, "speed": 60, "agents": 24, "stay": True}


class Installation(Site):
    """Kill, freeze and cut by name; `heal` brings everything back."""

    def __init__(self, folder: Path, postgres: Postgres, loop_thread: LoopThread) -> None:
        super().__init__(folder, postgres.url, FLOOR, {})
        self.postgres, self.loop_thread = postgres, loop_thread
        ports = {name: free_port() for name in (*WEBS, "browser", "browser2", "redis")}
        self.ports = ports
        self.links = {
            "front": Link(loop_thread, [ports[name] for name in WEBS], self.port),
            "browser": Link(loop_thread, [ports["web"]], ports["browser"]),
            "browser2": Link(loop_thread, [ports["web2"]], ports["browser2"]),
            "redis": Link(loop_thread, [self.redis_port], ports["redis"]),
        }
        behind_link = self.env | {"REDIS_URL": f"redis://127.0.0.1:{ports['redis']}/0"}
        for name, env in (("web", self.env), ("web2", behind_link)):
            self.children[name] = Child(name, procfile(ports[name])["web"], folder / f"{name}.log", env)
        self.children = {"postgres": postgres, **self.children}
        self.cookies: dict[str, str] = {}

    def start(self) -> None:
        """Bring everything up; returns when /readyz says that all is well."""
        self.start_redis()
        self.simulator.start()
        set_up(self.env, self.manage)
        self.manage("person", SUPERVISOR, "--role", "supervisor")
        self.oracle = Oracle(self.env)
        for name in (*WEBS, "worker", "beat"):
            self.children[name].start()
        self.wait(self.answers, 40)
        self.wait(self.is_ready, 60)
        self.cookies = {who: self._signed_in(who) for who in (SUPERVISOR, AGENT)}

    def stop(self) -> None:
        """End everything but the database server, at once: nobody here needs to say goodbye."""
        self.commands.stop()
        for child in reversed(self.children.values()):
            if child is not self.postgres:
                child.kill()
                child.stop()
        if hasattr(self, "oracle"):
            self.oracle.stop()

    def restart(self, name: str) -> None:
        """As of any installation; the database comes back on its files."""
        self.thaw(name)
        if name == "postgres":
            self.postgres.stop()
            self.postgres.start()
        else:
            super().restart(name)

    def heal(self) -> None:
        """Open the links, thaw and start again what is not running, and wait until all is well."""
        for link in self.links.values():
            link.open()
        for name in self.children:
            self.thaw(name)
        self.simulator.control("faults/clear")
        self.simulator.control("floor", {"load": 0})
        super().heal()
        self.wait(lambda: all(map(self.web_answers, WEBS)), 60)

    def web_answers(self, name: str) -> bool:
        """Whether this web process is there."""
        try:
            return requests.get(f"http://127.0.0.1:{self.ports[name]}/healthz", timeout=5).ok
        except requests.RequestException:
            return False

    def redis(self) -> redis.Redis:
        """A client of this installation's Redis."""
        return redis.Redis(port=self.redis_port)

    def freeze(self, name: str) -> None:
        """Stop the process where it stands; everybody still takes it for alive."""
        if name == "postgres":
            self.postgres.freeze()
        else:
            self.children[name].kill(signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        """Let it go on."""
        if name == "postgres" and self.postgres.is_running:
            self.postgres.thaw()
        else:
            self.children[name].kill(signal.SIGCONT)

    def open_browser(self, web: str, query: str = "board=main", who: str = SUPERVISOR) -> Browser:
        """A page at that web process, over its own link."""
        port = self.ports["browser" if web == "web" else "browser2"]
        return Browser(self.loop_thread, port, query, self.cookies[who], self.url)

    def wait_for_truth(self, *browsers: Browser, seconds: float, but: Collection[str] = MENDED) -> float:
        """Wait until every page shows exactly what the database says, but for some keys; gives the seconds it took.

        What the database said at one moment counts where a page showed it then or in the second after it: on a floor
        where calls go on, pages are ahead of an answer that took a while.
        """
        began = time.monotonic()
        left: dict[Browser, dict[str, Any]] = {}

        def is_true() -> bool:
            # Copies of what pages show, here and below: a thread takes frames meanwhile.
            for browser in browsers:
                browser.watch()
            true = self._true({feed for browser in browsers for feed in list(browser.documents)})
            return wait_until(lambda: not any(differs(each, true) for each in browsers), SHOWN_SECONDS, 0.1)

        def differs(browser: Browser, true: Documents) -> bool:
            left[browser] = differing(browser, true, but) if browser.documents else {"": ("nothing", "")}
            return bool(left[browser])

        if not wait_until(is_true, seconds, 0.2):
            raise AssertionError(f"Not true within {seconds} s: {[dict(list(d.items())[:4]) for d in left.values()]}")
        return time.monotonic() - began

    def _true(self, names: Collection[str]) -> Documents:
        """What the database says of these feeds."""
        found: Documents = self.oracle.ask(
            "pk = Domain.objects.get().pk\n"
            f"found = {{name: snapshots.documents(pk, name) for name in {sorted(names)!r}}}\n"
            "answer = {name: {key: value for key, (_, value) in each.items() if value is not None}"
            " for name, each in found.items()}"
        )
        return found

    def _signed_in(self, extension: str) -> str:
        """The cookies of somebody who signed in at the provider."""
        with requests.Session() as session:
            start = f"{self.url}/accounts/login/start/?domain=main"
            away = session.get(start, allow_redirects=False, timeout=20).headers["Location"]
            back = requests.post(away, data={"extension": extension}, allow_redirects=False, timeout=20)
            session.get(back.headers["Location"], allow_redirects=False, timeout=30).raise_for_status()
            return "; ".join(f"{cookie.name}={cookie.value}" for cookie in session.cookies)


def differing(browser: Browser, true: Documents, but: Collection[str]) -> dict[str, Any]:
    """What a page has not shown since it is watched, but for some keys: {feed and key: (shown, true)}."""
    return {
        f"{name} {key}": (browser.documents[name].get(key), true[name].get(key))
        for name in list(browser.documents)
        if name in true
        for key in sorted(true[name].keys() | browser.documents[name].keys())
        if key not in but and not browser.has_shown(name, key, true[name].get(key))
    }


@contextmanager
def running_installation(folder: Path, bin_folder: Path) -> Iterator[Installation]:
    """All processes of an installation, and its links; everything is gone afterwards."""
    loop_thread = LoopThread()
    postgres = Postgres(bin_folder)
    try:
        postgres.start()
        installation = Installation(folder, postgres, loop_thread)
        try:
            installation.start()
            yield installation
        finally:
            installation.stop()
    finally:
        postgres.remove()
        loop_thread.stop()
