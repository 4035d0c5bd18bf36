"""The live socket on real servers: who may sit where, and who is shown out once a right ends."""

import signal
import time
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from accounts.models import Domain, Grant, Person, User
from tests.harness.redis import RedisServer
from tests.live.serving import Server, company, opened, serving, signed_in
from wallboard.boards.models import Board
from wallboard.live import control, feeds
from wallboard.screens import screens

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


def test_a_supervisor_gets_the_boards_feeds_and_their_changes(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    page = opened(server, cookie)

    feeds.calls(domain.pk).publish({"7": (1, {"id": "7"})})
    page.until(lambda: page.shows("calls", "7") == {"id": "7"})

    board = Board.objects.get()
    assert set(page.documents) == {"queues", "people", "calls", "alerts", f"board:{board.pk}"}
    assert page.shows(f"board:{board.pk}", "board")["name"] == "Main"


def test_an_agent_gets_calls_without_numbers(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain, Person.Role.AGENT)

    page = opened(daphne, cookie)

    assert "calls" not in page.documents
    assert "wall" in page.documents


def test_a_desk_is_ones_own(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain, Person.Role.AGENT, "104")
    page = opened(daphne, cookie, "desk=1")

    feeds.desk(domain.pk, "105").publish({"1": (1, "not mine")})
    feeds.desk(domain.pk, "104").publish({"2": (1, "mine")})
    page.until(lambda: page.shows("desk:104", "2") == "mine")

    assert set(page.documents) == {"desk:104", "people", "queues"}


def test_a_tv_gets_its_own_board_and_no_numbers(daphne: Server, domain: Domain) -> None:
    board = Board.objects.get()
    _, token = screens.create(board, "Hall")

    page = opened(daphne, f"{screens.COOKIE}={token}")

    assert set(page.documents) == {"queues", "people", "wall", "alerts", f"board:{board.pk}"}


def test_a_tv_page_in_a_supervisors_browser_gets_no_numbers(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    _, token = screens.create(Board.objects.get(), "Hall")

    page = opened(daphne, f"{cookie}; {screens.COOKIE}={token}", "board=main&screen=1")

    assert "calls" not in page.documents


def refusal(server: Server, query: str, cookie: str) -> tuple[int, list[Any]]:
    """The close code, and what was told before it."""
    page = server.open(query, cookie)
    return page.close_code(5), page.frames


def test_who_has_no_right_is_told_why_and_nothing_else(server: Server, domain: Domain) -> None:
    other = company("other")
    Board.objects.create(domain=other, name="Secret", slug="secret")
    _, cookie = signed_in(domain)
    _, unlinked = signed_in(domain, extension="999")
    Person.objects.filter(extension="999").update(user=None)
    tv, token = screens.create(Board.objects.get(domain=domain), "Hall")
    screens.revoke(tv)
    Board.objects.create(domain=domain, name="Second", slug="second")
    _, own = screens.create(Board.objects.get(domain=domain, slug="main"), "Hall")

    assert refusal(server, "board=main", "") == (4401, [])
    assert refusal(server, "board=main", "sessionid=forged") == (4401, [])
    assert refusal(server, "board=main", unlinked) == (4401, [])
    assert refusal(server, "board=main", f"screen={token}") == (4401, [])
    assert refusal(server, "board=secret", cookie) == (4404, [])
    assert refusal(server, "board=nonsense", cookie) == (4404, [])
    assert refusal(server, "", cookie) == (4404, [])
    assert refusal(server, "desk=1", f"screen={own}") == (4403, [])
    assert refusal(server, "board=second", f"screen={own}") == (4409, [])


EVIL = ["https://evil.example", "null", None, "http://127.0.0.1:1", "http://x.127.0.0.1"]


def test_pages_of_other_sites_cannot_connect(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    opened(server, cookie)

    for origin in EVIL:
        with pytest.raises(InvalidStatus) as refused:
            server.open("board=main", cookie, origin=origin)
        assert refused.value.response.status_code == 403


def test_no_other_path_takes_a_socket_and_none_is_written_to_the_log(server: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    paths = ["/hooks/secret-of-a-hook/", "/screen/secret-of-a-tv/", "/", "/live", "/live/secret/", "/%6cive/%0asecret"]

    for path in paths:
        with pytest.raises(InvalidStatus) as refused:
            connect(f"ws://127.0.0.1:{server.port}{path}", origin=Origin(server.origin), open_timeout=10)
        assert refused.value.response.status_code == 403
    log = server.child.log.read_text()

    assert opened(server, cookie).documents
    assert "secret" not in log
    assert "Traceback" not in log


def test_companies_never_see_each_other(daphne: Server, domain: Domain) -> None:
    other = company("other")
    page = opened(daphne, signed_in(domain)[1])
    theirs = opened(daphne, signed_in(other)[1])

    feeds.queues(other.pk).publish({"queue:9": (1, {"waiting": 1})})
    theirs.until(lambda: theirs.shows("queues", "queue:9") is not None)
    feeds.queues(domain.pk).publish({"queue:1": (1, {"waiting": 2})})
    page.until(lambda: page.shows("queues", "queue:1") is not None)

    assert page.shows("queues", "queue:9") is None


def test_signing_out_closes_the_socket_at_once(server: Server, domain: Domain) -> None:
    person, cookie = signed_in(domain)
    page = opened(server, cookie)

    Session.objects.all().delete()
    began = time.monotonic()
    control.close_user(person.user_id or 0)

    assert page.close_code(5) == 4401
    assert time.monotonic() - began < 5
    assert refusal(server, "board=main", cookie) == (4401, [])


def test_a_changed_role_closes_the_socket_and_the_next_one_has_the_new_rights(server: Server, domain: Domain) -> None:
    person, cookie = signed_in(domain)
    page = opened(server, cookie)

    Person.objects.filter(pk=person.pk).update(role=Person.Role.AGENT)
    control.close_user(person.user_id or 0)

    assert page.close_code(5) == 4409
    assert "calls" not in opened(server, cookie).documents


def test_a_page_that_was_away_when_its_role_changed_has_to_be_loaded_anew(daphne: Server, domain: Domain) -> None:
    person, cookie = signed_in(domain)
    page = opened(daphne, cookie)
    page.socket.close()
    held = "".join(f"&last={feed}:{entry}" for feed, entry in page.held.items())
    Person.objects.filter(pk=person.pk).update(role=Person.Role.AGENT)

    assert refusal(daphne, f"board=main{held}", cookie) == (4409, [])


def test_a_revoked_tv_is_closed_at_once(server: Server, domain: Domain) -> None:
    screen, token = screens.create(Board.objects.get(), "Hall")
    page = opened(server, f"screen={token}")

    screens.revoke(screen)

    assert page.close_code(5) == 4401


@pytest.mark.parametrize("is_redis_frozen", [False, True])
def test_what_is_deleted_or_switched_off_closes_its_sockets_at_once(
    own_redis: RedisServer, daphne: Server, domain: Domain, is_redis_frozen: bool
) -> None:
    others = company("other")
    people = {extension: signed_in(domain, extension=extension) for extension in ("101", "102", "103")}
    user, grant, stays = [opened(daphne, cookie) for _, cookie in people.values()]
    tv = opened(daphne, f"screen={screens.create(Board.objects.get(domain=others), 'Hall')[1]}")
    theirs = opened(daphne, signed_in(others, extension="101")[1])
    granted = people["102"][0].user
    assert granted is not None
    Grant.objects.create(domain=domain, user=granted)
    if is_redis_frozen:
        own_redis.child.kill(signal.SIGSTOP)
    try:
        began = time.monotonic()
        User.objects.filter(person=people["101"][0]).delete()
        Grant.objects.get().delete()
        others.is_active = False
        others.save()

        assert [page.close_code(8) for page in (user, grant, theirs, tv)] == [4401] * 4
        assert time.monotonic() - began < 8
    finally:
        own_redis.child.kill(signal.SIGCONT)
    stays.until(lambda: "ping" in stays.frames[-1])


def test_a_tv_has_so_many_sockets_and_no_more(own_redis: RedisServer, domain: Domain, tmp_path: Path) -> None:
    cookie = f"screen={screens.create(Board.objects.get(), 'Hall')[1]}"
    with serving("daphne", own_redis, tmp_path, SOCKETS_PER_VIEWER="3") as server:
        pages = [opened(server, cookie) for _ in range(3)]

        assert refusal(server, "board=main", cookie)[0] == 4429
        pages[0].socket.close()

        time.sleep(0.5)
        assert opened(server, cookie).documents
