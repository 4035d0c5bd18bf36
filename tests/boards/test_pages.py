"""Who sees which page, and that no page shows another company's things."""

import pytest
from django.test import Client

from accounts.models import Domain
from tests.boards.conftest import SignIn
from wallboard.boards import editing
from wallboard.boards.models import Board

EVERYBODY = {"agent", "supervisor", "administrator"}
LEADERS = {"supervisor", "administrator"}
PAGES = {
    "/boards/main/": EVERYBODY,
    "/boards/main/edit/": LEADERS,
    "/boards/new/": LEADERS,
    "/screens/": LEADERS,
    "/calls/": LEADERS,
    "/reports/": LEADERS,
    "/setup/": {"administrator"},
}


@pytest.mark.parametrize("role", sorted(EVERYBODY))
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_for_its_roles(board: Board, sign_in: SignIn, path: str, role: str) -> None:
    assert sign_in(role).get(path).status_code == (200 if role in PAGES[path] else 403)


@pytest.mark.parametrize("path", [*PAGES, "/"])
def test_strangers_are_led_to_the_sign_in(board: Board, path: str) -> None:
    assert Client().get(path).headers["Location"].startswith("/accounts/login/")


def test_agents_start_at_their_desk(board: Board, sign_in: SignIn) -> None:
    assert sign_in("agent").get("/").headers["Location"] == "/desk/"


def test_agents_find_every_board_that_they_may_open(board: Board, sign_in: SignIn) -> None:
    agent = sign_in("agent")

    page = agent.get("/boards/").content.decode()

    assert 'href="/boards/"' in agent.get("/desk/").content.decode()
    assert "/boards/main/" in page
    assert not any(path in page for path in ("/boards/main/edit/", "/boards/new/", "/screens/"))
    assert sign_in("supervisor").get("/boards/").headers["Location"] == "/"


def test_supervisors_start_at_the_boards(board: Board, sign_in: SignIn) -> None:
    page = sign_in("supervisor").get("/").content.decode()

    assert "/boards/main/" in page
    assert "/boards/main/edit/" in page


@pytest.mark.parametrize("path", ["/boards/theirs/", "/boards/theirs/edit/"])
def test_boards_of_another_company_are_out_of_reach(board: Board, sign_in: SignIn, path: str) -> None:
    other = Domain.objects.create(
        slug="other", name="Other", base_url="http://x.test", client_id="a", client_secret="b"
    )
    editing.create(other, editing.BoardInput("Theirs"))
    client = sign_in("administrator")

    assert client.get(path).status_code == 404
    assert "Theirs" not in client.get("/").content.decode()


def test_the_navigation_shows_what_the_role_may_see(board: Board, sign_in: SignIn) -> None:
    links = {role: sign_in(role).get("/boards/main/").content.decode() for role in EVERYBODY}

    assert [role for role in sorted(EVERYBODY) if 'href="/manage/"' in links[role]] == ["administrator", "supervisor"]
    assert [role for role in sorted(EVERYBODY) if 'href="/reports/"' in links[role]] == ["administrator", "supervisor"]
    assert all('action="/accounts/logout/"' in page for page in links.values())


@pytest.mark.parametrize(("role", "feed"), [("agent", "wall"), ("supervisor", "calls")])
def test_only_leaders_follow_the_calls_with_numbers(board: Board, sign_in: SignIn, role: str, feed: str) -> None:
    assert f'"calls": "{feed}"' in sign_in(role).get("/boards/main/").content.decode()


def test_a_page_that_is_not_there_says_so(board: Board, sign_in: SignIn) -> None:
    response = sign_in("agent").get("/nowhere/")

    assert response.status_code == 404
    assert "There is nothing at this address" in response.content.decode()


@pytest.mark.parametrize(("path", "status"), [("/calls/?first=nonsense", 400), ("/calls/?page=99999999999", 200)])
def test_nonsense_in_the_address_does_no_harm(board: Board, sign_in: SignIn, path: str, status: int) -> None:
    assert sign_in("supervisor").get(path).status_code == status


@pytest.mark.parametrize("path", ["/calls/?q=%00x", "/accounts/people/?q=x%00", "/desk/contacts/?q=%00"])
def test_a_nul_in_the_address_is_refused_as_no_database_takes_it(board: Board, sign_in: SignIn, path: str) -> None:
    response = sign_in("administrator").get(path)

    assert response.status_code == 400
    assert response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "query",
    [
        "first=2026-02-31&last=2026-03-01",
        "first=2026-03-02&last=2026-03-01",
        "first=x",
        "first=2020-01-01&last=2026-01-01",
    ],
)
def test_a_report_refuses_impossible_days(board: Board, sign_in: SignIn, query: str) -> None:
    assert sign_in("supervisor").get(f"/reports/?{query}").status_code == 400


@pytest.mark.django_db
def test_a_nul_in_a_cookie_is_refused_too() -> None:
    assert Client(headers={"cookie": r'sessionid="\000"'}).get("/setup/").status_code == 400


@pytest.mark.django_db
def test_a_strange_host_is_refused_with_a_page_too() -> None:
    response = Client(headers={"host": "evil.example"}).get("/setup/")

    assert response.status_code == 400
    assert "That request made no sense here" in response.content.decode()
