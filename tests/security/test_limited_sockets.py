"""A supervisor limited to queues and a team: the live socket tells nothing of the rest, whatever way it is asked."""

import contextlib
import time
from collections.abc import Iterator

import pytest

from accounts import limits
from tests.harness.redis import RedisServer
from tests.live.serving import Page, Server, serving
from tests.security import two_floors
from tests.security.company import made
from tests.security.two_floors import HIDDEN, Floors
from wallboard.boards import editing, layout
from wallboard.calls import publisher
from wallboard.calls.leg_store import Changes
from wallboard.calls.models import Leg
from wallboard.live import feeds, publish
from wallboard.live.feeds import Feed
from wallboard.sockets import snapshots

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def server(
    django_db_setup: None, redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with serving("daphne", redis_server, tmp_path_factory.mktemp("limited")) as running:
        yield running


@pytest.fixture
def floors(server: Server, transactional_db: None, redis_url: str) -> Floors:
    return two_floors.made(made("alfa"))


def opened(server: Server, floors: Floors, who: str, query: str = "") -> Page:
    cookies = floors.company.browser(who).cookies
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
    return server.open(query or f"board={floors.company.board.slug}", cookie)


def seated(server: Server, floors: Floors, who: str = "supervisor", query: str = "") -> Page:
    page = opened(server, floors, who, query)
    wanted = {"queues", "people"} if query else {"queues", "people", "calls", "alerts"}
    page.until(lambda: wanted < set(page.documents))
    return page


def texts(value: object) -> Iterator[str]:
    """Every key and text in a document; numbers and the random ids of entries are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (key, *texts(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def hears_nothing_hidden(page: Page) -> bool:
    said = [text for frame in page.frames for name in ("snapshot", "set", "del") for text in texts(frame.get(name))]
    return not any(
        HIDDEN in text or "9999900" in text.replace(" ", "") or text in ("866", "122") or text.endswith(":866")
        for text in said
    )


@pytest.mark.parametrize("query", ["", "desk=1"])
def test_a_snapshot_holds_ones_own_queues_people_and_calls(query: str, server: Server, floors: Floors) -> None:
    page = seated(server, floors, query=query)

    assert {"poll", "about:810"} <= set(page.documents["queues"]) | {"poll"}
    assert "121" in page.documents["people"]
    assert hears_nothing_hidden(page)
    everything = seated(server, floors, "administrator", query)
    assert not hears_nothing_hidden(everything)


def test_calls_are_those_of_ones_queues_and_team(server: Server, floors: Floors) -> None:
    shown = seated(server, floors).documents["calls"]
    everything = seated(server, floors, "administrator").documents["calls"]

    numbers = sorted(doc["from"]["number"].replace(" ", "") for key, doc in shown.items() if key != "events")
    assert len(everything) > len(shown)
    assert [number[-1] for number in numbers if "1111100" in number] == ["1", "2", "3"]
    assert len(numbers) == 3 + 1  # and the call that rings the supervisor


def told_until_seen(page: Page, feed: Feed, key: str, document: dict[str, object]) -> None:
    """Tell what stands in no database, again where the server compared the feed with the database just then."""
    for version in range(1, 20):
        publish.tell(feed, {key: (version, document)})
        with contextlib.suppress(AssertionError):
            page.until(lambda: page.shows(feed.name, key) is not None, 1)
            return
    raise AssertionError(f"{key} was never seen")


def test_news_of_the_rest_are_not_even_heard_to_happen(server: Server, floors: Floors) -> None:
    page, everything = seated(server, floors), seated(server, floors, "administrator")
    before, domain_id = len(page.frames), floors.company.domain.pk
    publish.tell(feeds.alerts(domain_id), {"7": (1, {"id": 7, "queue": "866", "name": HIDDEN})})
    publish.tell(feeds.people(domain_id), {"122": (5, {"extension": "122", "name": HIDDEN, "state": "idle"})})
    tell_calls(domain_id, two_floors.call(floors.company, "+493099999007", HIDDEN, queue="866"))
    told_until_seen(everything, feeds.queues(domain_id), "queue:866", {"waiting": 866})

    told_until_seen(page, feeds.queues(domain_id), "queue:810", {"waiting": 7})
    told_until_seen(page, feeds.alerts(domain_id), "8", {"id": 8, "queue": "810", "name": "shown"})

    assert hears_nothing_hidden(page)
    changes = [frame for frame in page.frames[before:] if "set" in frame]
    keys = [{*frame["set"], *frame["del"]} for frame in changes]
    assert all(keys)
    assert {"queue:810", "8"} <= set().union(*keys) <= {"queue:810", "about:810", "trend:810", "poll", "8", "events"}


def test_a_call_that_moves_to_the_other_floor_is_taken_away(server: Server, floors: Floors) -> None:
    page = seated(server, floors)
    leg = Leg.objects.get(queue="810", ended_at=None)
    page.until(lambda: page.shows("calls", str(leg.pk)) is not None)

    leg.queue = leg.to_user = "866"
    leg.version += 1
    leg.save()
    tell_calls(floors.company.domain.pk, [leg])
    page.until(lambda: page.shows("calls", str(leg.pk)) is None)

    assert hears_nothing_hidden(page)


def tell_calls(domain_id: int, legs: list[Leg]) -> None:
    publisher.publish_changes({domain_id: Changes({leg.pk: leg for leg in legs})})


def test_coming_back_with_an_old_place_brings_nothing_hidden(server: Server, floors: Floors) -> None:
    everything, domain_id = seated(server, floors, "administrator"), floors.company.domain.pk
    stood = "".join(f"&last={feed}:{entry}" for feed, entry in everything.held.items())
    publish.tell(feeds.queues(domain_id), {"queue:866": (1, {"waiting": 866}), "queue:810": (1, {"waiting": 7})})
    tell_calls(domain_id, two_floors.call(floors.company, "+493099999008", HIDDEN, queue="866"))
    everything.until(lambda: everything.shows("queues", "queue:866") is not None)

    page = opened(server, floors, "supervisor", f"board={floors.company.board.slug}{stood}")
    page.held, page.documents = dict(everything.held), {feed: {} for feed in everything.held}
    page.until(lambda: page.shows("queues", "queue:810") is not None)
    page.until(lambda: page.shows("calls", "events") is not None)

    assert hears_nothing_hidden(page)


def test_a_rebuilt_feed_brings_nothing_hidden(server: Server, floors: Floors) -> None:
    page = seated(server, floors)
    for feed in (feeds.queues, feeds.people, feeds.calls):
        snapshots.mend(feed(floors.company.domain.pk))
    told_until_seen(page, feeds.queues(floors.company.domain.pk), "queue:810", {"waiting": 8})

    assert hears_nothing_hidden(page)


def test_an_open_socket_ends_when_the_limit_changes(server: Server, floors: Floors) -> None:
    page = seated(server, floors, "administrator")
    limited = seated(server, floors)

    limits.set_limit(floors.supervisor, ["800"], floors.team)

    assert limited.close_code(5) == 4409
    limits.save_team(floors.company.domain, "shown team", ["102"], floors.team)
    narrower = seated(server, floors)
    assert "121" not in narrower.documents["people"]
    limits.save_team(floors.company.domain, "shown team", ["102", "121"], floors.team)
    assert narrower.close_code(5) == 4409
    assert page.socket.close_code is None


def test_a_board_that_names_the_rest_is_not_there(server: Server, floors: Floors) -> None:
    hidden = floors.boards[HIDDEN].slug

    assert opened(server, floors, "supervisor", f"board={hidden}").close_code(5) == 4404
    assert seated(server, floors, "administrator", f"board={hidden}").documents
    assert "today" not in seated(server, floors).documents[f"board:{floors.company.board.pk}"]


def test_a_board_that_comes_to_name_the_rest_ends_its_sockets_and_tells_nothing_of_it(
    server: Server, floors: Floors
) -> None:
    board = floors.boards["shown"]
    page = seated(server, floors, query=f"board={board.slug}")
    everything = seated(server, floors, "administrator", f"board={board.slug}")
    began = time.monotonic()

    hidden = layout.Layout(queues=("810", "866"))
    editing.update(board, editing.BoardInput(f"{HIDDEN} title", notice=f"{HIDDEN} notice", layout=hidden))
    everything.until(lambda: HIDDEN in (everything.shows(f"board:{board.pk}", "board") or {"name": ""})["name"])

    assert page.close_code(8) == 4404
    assert time.monotonic() - began < 6
    assert hears_nothing_hidden(page)
    assert not hears_nothing_hidden(everything)


def back(server: Server, floors: Floors, old: Page, query: str) -> Page:
    """The same page connects again, with what it holds."""
    stood = "".join(f"&last={feed}:{entry}" for feed, entry in old.held.items())
    page = opened(server, floors, "supervisor", query + stood)
    page.held, page.documents = dict(old.held), old.documents
    page.until(lambda: {frame.get("feed") for frame in page.frames} >= set(old.held))
    return page


def keys(page: Page) -> dict[str, set[str]]:
    return {feed: set(documents) for feed, documents in page.documents.items()}


@pytest.mark.parametrize("query", ["people=1", "calls=1"])
def test_coming_back_with_a_wider_limit_brings_what_it_adds(query: str, server: Server, floors: Floors) -> None:
    old, everything = (opened(server, floors, who, query) for who in ("supervisor", "administrator"))
    old.until(lambda: len(old.documents) == 2)
    everything.until(lambda: len(everything.documents) == 2)
    limits.set_limit(floors.supervisor, None, None)
    assert old.close_code(5) == 4409

    assert keys(back(server, floors, old, query)) == keys(everything)


def test_coming_back_with_a_narrower_limit_takes_the_rest_away(server: Server, floors: Floors) -> None:
    """Also to a board that had no socket open when the limit changed, which could have ended with 4409."""
    limits.set_limit(floors.supervisor, None, None)
    query = f"board={floors.company.board.slug}"
    old = opened(server, floors, "supervisor", query)
    old.until(lambda: len(old.documents) == 5)
    old.socket.close()

    limits.set_limit(floors.supervisor, ["810"], floors.team)
    fresh = opened(server, floors, "supervisor", query)
    fresh.until(lambda: len(fresh.documents) == 5)

    assert keys(back(server, floors, old, query)) == keys(fresh)
