"""Two web processes as on two hosts: whichever of them answers, a sign-in goes on, limits hold, and one of two wins."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
import requests

from tests.faults.oracle import Oracle
from tests.harness.site import Site, running_site, seconds_until
from wallboard.api.pacing import WRONG_TOKENS
from wallboard.demo.processes import Child, free_port, procfile, wait_until

pytestmark = pytest.mark.flow
AGENT, SUPERVISOR = "102", "101"
REPORT = """
from wallboard.reports.models import ReportMail
domain = Domain.objects.get()
mail = ReportMail.objects.create(domain=domain, every="day", since=timezone.now() - timedelta(days=9))
mail.people.set(Person.objects.filter(extension__in=["101", "102"]))
answer = 0
"""
MAKE_DUE = "from wallboard.reports.mails import making\nanswer = making.make_due(timezone.now())"
MADE = "from wallboard.reports.models import ReportRun\nanswer = ReportRun.objects.count()"


class Hosts:
    """An installation whose second web process is reached by its own port, as if it stood on another host."""

    def __init__(self, site: Site, second: str) -> None:
        self.site, self.urls = site, (site.url, second)

    def session(self, extension: str) -> requests.Session:
        """Somebody who begins to sign in at the first host and comes back to the second."""
        session = requests.Session()
        first, second = self.urls
        start = session.get(f"{first}/accounts/login/start/?domain=main", allow_redirects=False, timeout=20)
        back = requests.post(
            start.headers["Location"], data={"extension": extension}, allow_redirects=False, timeout=20
        )
        answer = session.get(back.headers["Location"].replace(first, second), allow_redirects=False, timeout=30)
        assert answer.status_code == 302, answer.text
        return session

    def status(self, session: requests.Session, number: int, path: str) -> int:
        """What that host answers."""
        return session.get(f"{self.urls[number]}{path}", allow_redirects=False, timeout=20).status_code

    def post(self, session: requests.Session, number: int, path: str, json: Any = None) -> requests.Response:
        """Posted as a page of that host would."""
        headers = {"X-CSRFToken": str(session.cookies["csrftoken"])}
        return session.post(f"{self.urls[number]}{path}", json=json, headers=headers, timeout=20, allow_redirects=False)


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    folder, port = tmp_path_factory.mktemp("hosts"), free_port()
    with running_site(folder, {"load": 0}, {}) as site:
        env = {**site.env, "SPOOL_DIR": str(folder)}
        site.children["web2"] = Child("web2", procfile(port)["web"], folder / "web2.log", env)
        site.children["web2"].start()
        site.wait(lambda: is_open(port), 40)
        site.manage("person", SUPERVISOR, "--role", "supervisor")
        yield Hosts(site, f"http://127.0.0.1:{port}")


def is_open(port: int) -> bool:
    """Whether somebody listens there."""
    try:
        requests.get(f"http://127.0.0.1:{port}/healthz", timeout=5)
    except requests.RequestException:
        return False
    return True


@pytest.fixture
def oracles(hosts: Hosts) -> Iterator[tuple[Oracle, Oracle]]:
    """Two processes of that installation."""
    made = Oracle(hosts.site.env), Oracle(hosts.site.env)
    yield made
    for oracle in made:
        oracle.stop()


def at_once(first: Callable[[], Any], second: Callable[[], Any]) -> list[Any]:
    """What both give, asked at the same moment."""
    with ThreadPoolExecutor(2) as threads:
        return [each.result() for each in (threads.submit(first), threads.submit(second))]


def test_a_sign_in_that_began_at_one_host_ends_at_the_other_and_counts_at_both(hosts: Hosts) -> None:
    session = hosts.session(SUPERVISOR)

    assert [hosts.status(session, number, "/boards/main/") for number in (0, 1)] == [200, 200]
    assert hosts.post(session, 1, "/accounts/logout/").status_code in (200, 302)
    assert [hosts.status(session, number, "/boards/main/") for number in (0, 1)] == [302, 302]


def test_of_two_pages_at_two_hosts_one_gets_the_card(hosts: Hosts, oracles: tuple[Oracle, Oracle]) -> None:
    session = hosts.session(AGENT)
    assert [hosts.status(session, number, "/desk/") for number in (0, 1)] == [200, 200]
    for number in range(5):
        caller = f"+4420794600{10 + number}"
        hosts.site.simulator.control("call", {"from_number": caller, "to_user": AGENT, "ring_seconds": 30})
        leg = leg_of(oracles[0], caller)
        told = at_once(*(partial(popped, hosts, session, at, leg) for at in (0, 1)))
        assert sorted(told) == [["card"], ["elsewhere"]]


def leg_of(oracle: Oracle, caller: str) -> int:
    """The call of that number at the agent's phone."""
    legs = f"Leg.objects.filter(from_number__contains='{caller[-6:]}', to_user='{AGENT}').values_list('pk', flat=True)"
    assert wait_until(lambda: bool(oracle.value(f"{legs}.count()")), 20)
    return int(oracle.value(f"{legs}[0]"))


def popped(hosts: Hosts, session: requests.Session, number: int, leg: int) -> list[str]:
    """What that host answers to a page that would show the call."""
    answer = hosts.post(session, number, "/desk/pop/", {"leg": leg, "page": f"page-at-host-{number}"})
    assert answer.status_code == 200, answer.text
    return list(answer.json())


def test_wrong_tokens_at_one_host_count_at_the_other(hosts: Hosts) -> None:
    with requests.Session() as stranger:
        stranger.headers["Authorization"] = "Bearer wb_" + "0" * 40
        path = "/api/v1/queues/"
        first = [hosts.status(stranger, 0, path) for _ in range(WRONG_TOKENS + 1)]
        assert (set(first[:WRONG_TOKENS]), first[-1]) == ({401}, 429)

        seconds_until(lambda: hosts.status(stranger, 1, path) == 429, 5)


def test_a_report_that_two_workers_make_goes_out_once(hosts: Hosts, oracles: tuple[Oracle, Oracle]) -> None:
    for who in (SUPERVISOR, AGENT):
        hosts.session(who)
    one, other = oracles
    one.ask(REPORT)

    made = at_once(lambda: one.ask(MAKE_DUE), lambda: other.ask(MAKE_DUE))

    assert sum(made) == one.ask(MADE) == 2
    assert one.ask(MAKE_DUE) == 0
