"""The live socket on real servers: who may sit where, and who is shown out once a right ends."""

import time
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from websockets.exceptions import InvalidStatus

from accounts.models import Domain, Person
from tests.live.serving import Server, company, opened, signed_in
from wallboard.boards import screens
from wallboard.boards.models import Board
from wallboard.live import control, feeds

pytestmark = pytest.mark.django_db(transaction=True)


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
    _, token = screens.make(board, "Hall")

    page = opened(daphne, f"{screens.COOKIE}={token}")

    assert set(page.documents) == {"queues", "people", "wall", "alerts", f"board:{board.pk}"}


def test_a_tv_page_in_a_supervisors_browser_gets_no_numbers(daphne: Server, domain: Domain) -> None:
    _, cookie = signed_in(domain)
    _, token = screens.make(Board.objects.get(), "Hall")

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
    tv, token = screens.make(Board.objects.get(domain=domain), "Hall")
    screens.revoke(tv)
    Board.objects.create(domain=domain, name="Second", slug="second")
    _, own = screens.make(Board.objects.get(domain=domain, slug="main"), "Hall")

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


def test_a_revoked_tv_is_closed_at_once(server: Server, domain: Domain) -> None:
    screen, token = screens.make(Board.objects.get(), "Hall")
    page = opened(server, f"screen={token}")

    screens.revoke(screen)

    assert page.close_code(5) == 4401
