"""The live socket on real servers: who may sit where, and what survives the loss of Redis."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.redis import RedisServer, running_redis
from tests.live.serving import KINDS, Server, company, serving, signed_in
from wallboard.boards.models import Board
from wallboard.live import feeds

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def own_redis(tmp_path: Path, settings: Any) -> Iterator[RedisServer]:
    """A Redis that this test may kill."""
    with running_redis(tmp_path) as server:
        settings.REDIS_URL = server.url
        yield server


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, own_redis: RedisServer, tmp_path: Path) -> Iterator[Server]:
    with serving(request.param, own_redis, tmp_path) as running:
        yield running


def test_a_supervisor_gets_the_boards_feeds_and_their_changes(server: Server) -> None:
    domain = company()
    _, cookie = signed_in(domain)
    page = server.open("board=main", cookie)

    page.until(lambda: len(page.documents) == 4)
    feeds.calls(domain.pk).publish({"7": (1, {"id": "7"})})
    page.until(lambda: page.shows("calls", "7") == {"id": "7"})

    board = Board.objects.get()
    assert set(page.documents) == {"queues", "people", "calls", f"board:{board.pk}"}
    assert page.shows(f"board:{board.pk}", "board")["name"] == "Main"
