"""A real replica that stops following: reports come from it, and from the database itself once it is too far behind."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from tests.faults.oracle import Oracle
from tests.harness import postgres
from tests.harness.redis import RedisServer, running_redis
from tests.harness.setting_up import run
from tests.harness.site import bare_environment, seconds_until
from tests.machines import network
from tests.machines.databases import Pair
from wallboard.demo.processes import Child, free_port, procfile, wait_until
from wallboard.reports.reading.replica import LOOK_SECONDS, MOST_BEHIND_SECONDS, PAUSE_SECONDS

pytestmark = pytest.mark.timeout(300)
NAMES = ("base1", "base2")
SIGNED_IN = """
from django.test import Client
domain = Domain.objects.create(slug="main", name="First name")
user = User.objects.create_user("ana")
Person.objects.create(domain=domain, extension="101", role=Person.Role.SUPERVISOR, user=user)
client = Client()
client.force_login(user)
answer = client.cookies["sessionid"].value
"""


@dataclass
class Reports:
    """The page of reports at a web process, for a supervisor of one company."""

    pair: Pair
    oracle: Oracle
    web: Child
    url: str
    cookies: dict[str, str]

    def shows(self, name: str) -> bool:
        """Whether the page names the company so."""
        answer = requests.get(f"{self.url}/reports/", cookies=self.cookies, timeout=30)
        answer.raise_for_status()
        return name in answer.text

    def rename(self, name: str) -> None:
        """Another name of the company, in the database itself."""
        self.oracle.ask(f"answer = Domain.objects.update(name={name!r})")

    def told(self) -> list[str]:
        """What the log says of where reports are read."""
        return [
            line.partition("Reports are ")[2] for line in self.web.log.read_text().splitlines() if "Reports" in line
        ]


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    with running_redis(tmp_path) as running:
        yield running


@pytest.fixture
def reports(tmp_path: Path, redis_server: RedisServer) -> Iterator[Reports]:
    bin_folder = postgres.programs()
    if bin_folder is None:
        pytest.skip("no PostgreSQL server is installed (Debian: apt-get install postgresql)")
    with network.running(NAMES) as wires:
        pair, port = Pair(wires, NAMES, bin_folder), free_port()
        url = f"http://127.0.0.1:{port}"
        env = bare_environment(
            **{name: os.environ[name] for name in ("SECRET_KEY", "TOKEN_KEYS", "STATIC_ROOT")},
            REDIS_URL=redis_server.url,
            DATABASE_URL=pair.url,
            REPLICA_URL=f"{pair.url}?target_session_attrs=prefer-standby",
            PUBLIC_URL=url,
        )
        web = Child("web", procfile(port)["web"], tmp_path / "web.log", env)
        try:
            pair.start()
            run("manage.py", "setup", env=env)
            oracle = Oracle(env)
            made = Reports(pair, oracle, web, url, {"sessionid": oracle.ask(SIGNED_IN)})
            web.start()
            assert wait_until(lambda: answers(url), 40), web.tail()
            yield made
            oracle.stop()
        finally:
            web.stop()
            pair.stop()


def answers(url: str) -> bool:
    try:
        return requests.get(f"{url}/healthz", timeout=5).ok
    except requests.RequestException:
        return False


@pytest.mark.promise("R20", "a replica that stops following, is away and is back")
def test_reports_leave_a_replica_that_lags_and_come_back_to_it(reports: Reports) -> None:
    pair = reports.pair
    seconds_until(lambda: reports.shows("First name"), 20)
    assert reports.told() == []  # the log tells of changes

    pair.execute("SELECT pg_wal_replay_pause()", on=pair.standby)
    paused_at = time.monotonic()
    reports.rename("Second name")
    assert reports.shows("First name")
    seconds_until(lambda: reports.shows("Second name"), MOST_BEHIND_SECONDS + LOOK_SECONDS + 10)
    assert time.monotonic() - paused_at > MOST_BEHIND_SECONDS - 5
    assert reports.told()[-1].startswith("read from the database itself (the replica is 2")

    reports.rename("Third name")
    assert reports.shows("Third name")
    pair.execute("SELECT pg_wal_replay_resume()", on=pair.standby)
    seconds_until(lambda: reports.shows("Third name") and len(reports.told()) == 2, PAUSE_SECONDS + 10)
    assert reports.told()[-1] == "read from the replica"

    pair.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
    pair.execute("SELECT pg_reload_conf()")
    pair.servers[pair.standby].kill()
    reports.rename("Fourth name")
    left = "read from the database itself ("
    seconds_until(lambda: reports.shows("Fourth name") and reports.told()[-1].startswith(left), 20)
