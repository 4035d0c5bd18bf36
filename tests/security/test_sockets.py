"""The live socket: who may sit at which feeds, by the cookies of every kind of visitor (S9)."""

import inspect
import json
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed

from tests.harness.redis import RedisServer
from tests.live.serving import Server, serving
from tests.security.company import Company, made
from wallboard.live import feeds
from wallboard.matrix import FEEDS, WHO

pytestmark = pytest.mark.django_db(transaction=True)
WHERE = {"queues": (), "people": (), "calls": (), "wall": (), "desk": ("101",), "alerts": (), "board": (1,)}


@pytest.fixture(scope="module")
def server(
    django_db_setup: None, redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """The web process as the Procfile starts it, on this run's database and Redis."""
    with serving("daphne", redis_server, tmp_path_factory.mktemp("sockets")) as running:
        yield running


@pytest.fixture
def companies(server: Server, transactional_db: None, redis_url: str) -> tuple[Company, Company]:
    """Ours and theirs."""
    return made("alfa"), made("zulu")


def heard(server: Server, company: Company, who: str, query: str) -> tuple[int, set[str], str]:
    """The close code (0 while open), the feeds that were sent, and all that was said."""
    cookies = company.browser(who).cookies
    page = server.open(query, "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items()))
    wanted = {"desk": 3, "people": 2, "calls": 2, "boards": 1}.get(query.partition("=")[0], 5)
    try:
        page.until(lambda: len(page.documents) == wanted)
        code = 0
    except ConnectionClosed as closed:
        code = closed.rcvd.code if closed.rcvd else 1006
    page.socket.close()
    return code, set(page.documents), json.dumps(page.documents)


def test_every_feed_is_listed() -> None:
    makers = {
        name
        for name, make in inspect.getmembers(feeds, inspect.isfunction)
        if make.__module__ == feeds.__name__ and inspect.signature(make).return_annotation in (feeds.Feed, "Feed")
    }

    assert makers == set(FEEDS) == set(WHERE)
    assert {getattr(feeds, name)(7, *rest).name.split(":")[0] for name, rest in WHERE.items()} == set(FEEDS)


@pytest.mark.parametrize("who", WHO)
def test_everybody_hears_what_the_table_says(who: str, server: Server, companies: tuple[Company, Company]) -> None:
    ours, theirs = companies
    own = {f"desk:{person.extension}" for role, person in ours.people.items() if role == who}
    code, told, said = heard(server, ours, who, f"board={ours.board.slug}")
    desk_code, desk_told, desk_said = heard(server, ours, who, "desk=1")

    board = {name for name, allowed in FEEDS.items() if who in allowed and name not in ("desk", "board")}
    board |= {f"board:{ours.board.pk}"} if who in FEEDS["board"] else set()
    assert (code == 0, told) == (bool(board), board)
    assert desk_told == ({"people", "queues"} | own if who in FEEDS["desk"] else set())
    assert code in (0, 4401)
    assert desk_code == (0 if own else 4403 if who == "screen" else 4401)
    assert theirs.word not in said + desk_said
    assert (ours.word in said) == (who in FEEDS["board"])


PEOPLE = {"agent": {"people", "wall"}, "supervisor": {"people", "calls"}, "administrator": {"people", "calls"}}
CALLS = {"supervisor": {"calls", "queues"}, "administrator": {"calls", "queues"}}


@pytest.mark.parametrize("who", WHO)
def test_the_pages_of_people_and_calls_follow_what_their_reader_may_see(
    who: str, server: Server, companies: tuple[Company, Company]
) -> None:
    ours, theirs = companies
    refused = 4403 if who == "screen" else 4401

    code, told, said = heard(server, ours, who, "people=1")
    call_code, call_told, call_said = heard(server, ours, who, "calls=1")
    list_code, list_told, list_said = heard(server, ours, who, "boards=1")

    assert (code, told) == (0 if who in PEOPLE else refused, PEOPLE.get(who, set()))
    assert (call_code, call_told) == (0 if who in CALLS else 4403 if who in PEOPLE else refused, CALLS.get(who, set()))
    assert (list_code, list_told) == (0 if who in PEOPLE else refused, {"queues"} if who in PEOPLE else set())
    assert theirs.word not in said + call_said + list_said


@pytest.mark.parametrize("who", WHO)
def test_another_companys_board_is_out_of_reach(who: str, server: Server, companies: tuple[Company, Company]) -> None:
    ours, theirs = companies
    code, told, said = heard(
        server, ours, who, f"board={theirs.board.slug}&last=calls:1-0&last=board:{theirs.board.pk}:1"
    )

    assert (code, told) == ({"screen": 4409}.get(who, 4404 if who in FEEDS["board"] else 4401), set())
    assert theirs.word not in said


def test_a_tv_hears_its_own_board_only(server: Server, companies: tuple[Company, Company]) -> None:
    ours, _ = companies

    assert (heard(server, ours, "screen", f"board={ours.spare.slug}"))[0] == 4409
    assert (heard(server, ours, "supervisor", f"board={ours.spare.slug}"))[0] == 0


def test_numbers_reach_those_who_may_see_them_only(server: Server, companies: tuple[Company, Company]) -> None:
    ours, _ = companies
    said = {who: (heard(server, ours, who, f"board={ours.board.slug}"))[2] for who in ("supervisor", "agent", "screen")}

    assert [who for who, words in said.items() if "30901820" in words.replace(" ", "")] == ["supervisor"]
    assert [who for who, words in said.items() if f"{ours.word} caller" in words] == ["supervisor"]
