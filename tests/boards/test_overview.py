"""The list of boards: which TVs show each, and what is told to whom."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.access import Viewer
from accounts.models import Domain, Person
from tests.boards.conftest import SignIn
from wallboard.boards import editing, overview
from wallboard.boards.models import Board
from wallboard.queues.models import Queue
from wallboard.screens import rotations, screens
from wallboard.screens.models import Screen


@pytest.fixture
def second(domain: Domain, board: Board) -> Board:
    return editing.create(domain, editing.BoardInput("Sales"))


def supervisor(domain: Domain) -> Viewer:
    return Viewer(domain.pk, Person.Role.SUPERVISOR)


def shown(domain: Domain) -> dict[str, tuple[str, ...]]:
    return {row.board.name: row.screens for row in overview.rows(supervisor(domain))}


def test_each_board_has_the_tvs_that_show_it(domain: Domain, board: Board, second: Board) -> None:
    screens.create(board, "North wall")
    gone, _token = screens.create(board, "Old")
    Screen.objects.filter(pk=gone.pk).update(revoked_at=timezone.now())

    assert shown(domain) == {"Service desk": ("North wall",), "Sales": ()}


def test_a_tv_with_a_rotation_shows_its_boards_and_no_other(domain: Domain, board: Board, second: Board) -> None:
    turning, _token = screens.create(board, "Kitchen")
    rotation = rotations.save(domain, rotations.RotationInput("All day", ((second, 20), (second, 30))))
    Screen.objects.filter(pk=turning.pk).update(rotation=rotation)

    assert shown(domain) == {"Service desk": (), "Sales": ("Kitchen",)}


def test_many_boards_cost_no_more_statements(
    domain: Domain, board: Board, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(29):
        screens.create(editing.create(domain, editing.BoardInput(f"Board {number}")), f"TV {number}")

    with django_assert_max_num_queries(8):
        assert len(overview.rows(supervisor(domain))) == 30


def test_supervisors_read_which_tvs_show_a_board_and_agents_do_not(board: Board, sign_in: SignIn) -> None:
    for number in range(6):
        screens.create(board, f"TV {number}")
    supervisor, agent = (sign_in(role).get(path).content.decode() for role, path in PAGES.items())

    assert ["<bdi>TV 3</bdi>" in supervisor, "and 2 more" in supervisor] == [True, True]
    assert "TV 3" not in agent
    assert "/screens/" not in agent
    assert '"socket": "boards=1"' in agent


PAGES = {"supervisor": "/", "agent": "/boards/"}


def test_a_limited_supervisor_reads_of_no_tv_and_of_no_board_beyond(
    domain: Domain, board: Board, sign_in: SignIn
) -> None:
    Queue.objects.create(domain=domain, number="501", name="Support")
    screens.create(board, "North wall")
    layout = {"sections": ["queues"], "queues": ["999"]}
    hidden = editing.create(domain, editing.BoardInput("Hidden"))
    Board.objects.filter(pk=hidden.pk).update(layout=layout)
    client = sign_in("supervisor")
    Person.objects.update(only_queues=["501"])

    page = client.get("/").content.decode()

    assert board.name in page
    assert [word in page for word in ("North wall", "Hidden", "999")] == [False, False, False]


@pytest.mark.parametrize(("role", "path"), PAGES.items())
def test_without_boards_the_page_says_what_to_do(domain: Domain, sign_in: SignIn, role: str, path: str) -> None:
    client: Client = sign_in(role)

    page = client.get(path).content.decode()

    assert ('href="/boards/new/"' in page) == (role == "supervisor")
    assert ("Supervisors make them" in page) == (role == "agent")
    assert "boards.js" not in page
