"""Many browsers are decided about with a few statements, and each gets just what it would get alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session

from accounts import limits
from accounts.models import Domain, Person, Team, User
from tests.live.serving import company, signed_in
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.screens import rotations, screens
from wallboard.screens.rotations import RotationInput
from wallboard.setup import brands
from wallboard.setup.brands import BrandInput
from wallboard.sockets import socket_access
from wallboard.sockets.socket_access import Asked, Refused, SocketRequest

pytestmark = pytest.mark.django_db
MAIN = SocketRequest("main")


def cookies_of(cookie: str) -> dict[str, str]:
    return dict([cookie.split("=", 1)])


def tv(board: Board, **more: Any) -> dict[str, str]:
    return {"screen_live": screens.create(board, "TV", **more)[1]}


def everybody() -> list[Asked]:
    """Two companies with boards of the same name, and all kinds of people and TVs."""
    asked: list[Asked] = []
    for name in ("alfa", "zulu"):
        domain = company(name)
        main = Board.objects.get(domain=domain)
        other = Board.objects.create(domain=domain, name="Other", slug="other")
        for number, role in enumerate(("agent", "supervisor", "administrator"), 101):
            cookies = cookies_of(signed_in(domain, role, str(number))[1])
            requests = (MAIN, SocketRequest("nowhere"), SocketRequest(page="desk"), SocketRequest(page="alerts"))
            asked += [(cookies, request) for request in requests]
        asked += limited(domain)
        turning = rotations.save(domain, RotationInput("Turning", ((other, 10), (main, 10), (other, 5))))
        asked += [(tv(main), MAIN), (tv(main), SocketRequest("other")), (tv(other, rotation=turning), MAIN)]
        revoked = screens.create(main, "Old")
        screens.revoke(revoked[0])
        asked.append(({"screen": revoked[1]}, MAIN))
    asked += [({}, MAIN), ({"sessionid": "nobody"}, MAIN), ({"sessionid": "x\0"}, MAIN), ({}, SocketRequest("a\0"))]
    return asked


def limited(domain: Domain) -> list[Asked]:
    """A supervisor of a team, somebody who was disabled, and a TV in whose browser somebody is signed in."""
    person, cookie = signed_in(domain, "supervisor", "201")
    team = Team.objects.create(domain=domain, name="Team")
    team.people.set(Person.objects.filter(domain=domain, extension__in=["101", "102"]))
    limits.set_limit(person, ["8"], team)
    gone, of_gone = signed_in(domain, "supervisor", "202")
    User.objects.filter(person=gone).update(is_active=False)
    both = cookies_of(cookie) | tv(Board.objects.get(domain=domain, slug="main"))
    as_tv = SocketRequest("main", is_screen=True)
    return [(cookies_of(cookie), MAIN), (cookies_of(of_gone), MAIN), (both, MAIN), (both, as_tv)]


def told(asked: Asked) -> Any:
    try:
        return socket_access.access_for(*asked)
    except Refused as refused:
        return refused.code


def test_together_each_gets_what_it_gets_alone(django_assert_max_num_queries: Any) -> None:
    asked = everybody()
    alone = [told(each) for each in asked]

    with django_assert_max_num_queries(8):
        together = socket_access.decide(asked)

    assert [each.code if isinstance(each, Refused) else each for each in together] == alone
    assert {type(each) for each in alone} == {int, socket_access.SocketAccess}
    assert {4401, 4403, 4404, 4409} == {each for each in alone if isinstance(each, int)}


def of_board(board: Board, code: str) -> None:
    editing.update(board, replace(editing.current_input(board), language=code))


def of_company(board: Board, code: str) -> None:
    brands.save(Domain.objects.get(pk=board.domain_id), BrandInput(language=code))


def in_new_york(board: Board, _code: str) -> None:
    Domain.objects.filter(pk=board.domain_id).update(time_zone="America/New_York")


@pytest.mark.parametrize("change", [of_board, of_company, in_new_york])
@pytest.mark.parametrize("is_tv", [True, False])
def test_what_pages_are_written_with_is_part_of_what_was_given(change: Callable[..., None], is_tv: bool) -> None:
    domain = company()
    board = Board.objects.get(domain=domain)
    asked = (tv(board) if is_tv else cookies_of(signed_in(domain)[1]), MAIN)
    before = told(asked)
    assert told(asked) == before

    change(board, "de")

    assert told(asked) != before  # so that the socket ends with 4409, and the page comes anew


def test_a_tv_with_a_language_of_its_own_stays() -> None:
    board = Board.objects.get(domain=company())
    screen, token = screens.create(board, "TV")
    screens.set_language(screen, "fr")
    before = told(({"screen_live": token}, MAIN))

    of_board(board, "de")
    of_company(board, "es")

    assert told(({"screen_live": token}, MAIN)) == before


def test_companies_do_not_get_into_each_others_way() -> None:
    asked = everybody()
    owners: dict[str, int] = {}

    for (cookies, _), found in zip(asked, socket_access.decide(asked), strict=True):
        if isinstance(found, Refused):
            continue
        assert {feed.domain_id for feed in found.feeds} == {found.viewer.domain_id}
        if "sessionid" in cookies and found.viewer.user_id:
            assert owners.setdefault(cookies["sessionid"], found.viewer.domain_id) == found.viewer.domain_id


def test_a_session_ends_with_its_user_and_outlives_a_new_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    person, cookie = signed_in(company())
    asked = (cookies_of(cookie), MAIN)
    monkeypatch.setattr(settings, "SECRET_KEY_FALLBACKS", [settings.SECRET_KEY])
    monkeypatch.setattr(settings, "SECRET_KEY", "another-secret-0123456789-abcdefghijklmnopqrstuvwxyz")

    # The same session goes on: a socket cannot give the browser another cookie.
    assert told(asked).viewer.person_id == person.pk
    assert Session.objects.filter(pk=asked[0]["sessionid"]).exists()

    User.objects.update(session_round=5)
    assert told(asked) == 4401
