"""Many companies in one process: each with people, credentials, tokens and subscriptions of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.harness.simulator import Simulator
from tests.harness.site import bare_environment
from tests.simulator.conftest import Provider

pytestmark = [pytest.mark.flow, pytest.mark.timeout(180)]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    options = {"companies": 700, "queues": 4, "agents": 6, "scenario": "quiet"}
    running = Simulator(tmp_path_factory.mktemp("many"), bare_environment(), options=options)
    running.start()
    yield running
    running.child.stop()


class OneOfMany(Simulator):
    """A further company of a simulator that runs already."""

    number = 0

    def __post_init__(self) -> None:
        """Nothing is started."""

    @property
    def base_url(self) -> str:
        return f"{super().base_url}/c/{self.number}"


def company(many: Simulator, number: int) -> Provider:
    one = OneOfMany(Path(many.folder), many.env, port=many.port)
    one.number = number
    for name in ("client_id", "client_secret", "login_client_id", "login_client_secret"):
        setattr(one, name, f"{getattr(many, name)}-{number}")
    return Provider(one)


def test_company_700_is_polled_and_signed_in_to(many: Simulator) -> None:
    last = company(many, 700)

    answer = last.stats(last.company_token())

    assert [row["queue"] for row in answer.json()] == ["4001", "4002", "4003", "4004"]
    assert last.exchange(last.code("101")).json()["refresh_token"]
    assert requests.get(f"{many.base_url}/c/701/", timeout=10).status_code == 404


def test_what_is_one_companys_is_no_other_ones(many: Simulator) -> None:
    first, second, root = company(many, 1), company(many, 2), Provider(many)
    token = first.company_token()
    mine = first.subscribe(token, "http://127.0.0.1:9/").json()["id"]

    assert [each.stats(token).status_code for each in (first, second, root)] == [200, 401, 401]
    assert second.read(second.company_token(), mine).status_code == 404
    assert company(many, 1).read(token, mine).status_code == 200
    with_mine = first.simulator.client_id, second.simulator.client_secret
    assert second.company(client_id=with_mine[0], client_secret=with_mine[1]).status_code == 401


def test_a_fault_of_one_company_is_no_other_ones(many: Simulator) -> None:
    first, second, root = company(many, 3), company(many, 4), Provider(many)
    root.control("faults", at="stats", do="status", status=500, times=1)
    first.control("faults", at="stats", do="status", status=503, times=1)

    assert [each.stats(each.company_token()).status_code for each in (second, first, root)] == [200, 503, 500]
