"""TVs: a link that works once shown, a cookie of their own, and an end when somebody says so."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import Domain
from tests import test_tv_scripts
from tests.boards.conftest import SignIn
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.screens import screens
from wallboard.screens.models import Screen


def test_only_the_hash_of_a_token_is_kept(board: Board) -> None:
    screen, token = screens.create(board, "North wall")

    assert token not in str(Screen.objects.values().get())
    assert screens.screen_by_token(token) == screen


def test_the_link_becomes_a_cookie_and_leaves_the_address(board: Board) -> None:
    _, token = screens.create(board, "North wall")
    client = Client()

    response = client.get(f"/screen/{token}/")

    assert response.headers["Location"] == "/screen/"
    kept = {name: (morsel.value, morsel["httponly"], morsel["samesite"]) for name, morsel in response.cookies.items()}
    assert kept == {"screen": (token, True, "Lax"), "screen_live": (token, True, "Lax")}
    assert response.headers["Cache-Control"].startswith("max-age=0")
    assert response.headers["Referrer-Policy"] == "no-referrer"


def test_the_cookie_goes_to_the_page_and_its_socket_only(board: Board) -> None:
    _, token = screens.create(board, "North wall")

    cookies = Client().get(f"/screen/{token}/").cookies

    assert {name: morsel["path"] for name, morsel in cookies.items()} == {"screen": "/screen/", "screen_live": "/live/"}


def test_the_tv_shows_its_board_without_navigation(tv: Client, board: Board) -> None:
    page = tv.get("/screen/").content.decode()

    assert board.name in page
    assert "/accounts/logout/" not in page
    assert "Edit board" not in page
    assert '"calls": "wall"' in page


def test_a_tv_asks_for_few_style_sheets(tv: Client) -> None:
    page = tv.get("/screen/").content.decode()

    assert re.findall(r'rel="stylesheet" href="/static/([^"]+)"', page) == test_tv_scripts.SHEETS


def test_the_cookie_is_a_viewer_of_its_own_screen(tv: Client, board: Board) -> None:
    token = screens.token_in({name: morsel.value for name, morsel in tv.cookies.items()})
    viewer = screens.viewers_by_token([token])[token]

    assert (viewer.role, viewer.screen_id, viewer.domain_id, viewer.extension) == (
        "screen",
        Screen.objects.get().pk,
        board.domain_id,
        "",
    )


@pytest.mark.parametrize("cookies", [{}, {"screen": ""}, {"screen": "nonsense"}])
def test_nobody_else_is_a_viewer(db: None, cookies: dict[str, str]) -> None:
    assert screens.viewers_by_token([screens.token_in(cookies)]) == {}


@pytest.mark.parametrize("path", ["/boards/main/", "/calls/", "/screens/", "/reports/", "/desk/", "/setup/"])
def test_a_tv_sees_no_other_page(tv: Client, path: str) -> None:
    assert tv.get(path).headers["Location"].startswith("/accounts/login/")


def test_a_screen_of_a_paused_company_says_so_and_comes_back(tv: Client) -> None:
    Domain.objects.update(is_active=False)
    paused = tv.get("/screen/")
    Domain.objects.update(is_active=True)

    assert (paused.status_code, paused.headers["Refresh"]) == (403, "30")
    assert "This wallboard is paused" in paused.content.decode()
    assert "/pair/" not in paused.content.decode()
    assert tv.get("/screen/").status_code == 200


def test_a_revoked_screen_may_not_look_any_more(tv: Client) -> None:
    assert tv.get("/screen/").status_code == 200

    screens.revoke(Screen.objects.get())

    response = tv.get("/screen/")
    assert response.status_code == 403
    assert "may not look any more" in response.content.decode()
    assert {morsel.value for morsel in response.cookies.values()} == {""}
    assert tv.post("/screen/alive/").status_code == 403


def test_a_company_that_is_switched_off_has_no_screens(tv: Client, domain: Domain) -> None:
    Domain.objects.update(is_active=False)

    assert tv.get("/screen/").status_code == 403


def test_an_unknown_link_says_what_to_do(db: None) -> None:
    response = Client().get("/screen/nonsense/")

    assert response.status_code == 403
    assert "/pair/" in response.content.decode()


def test_a_tv_is_seen(tv: Client) -> None:
    tv.get("/screen/", headers={"user-agent": "SmartTV Chrome/68"})

    screen = Screen.objects.get()
    assert screen.engine == "SmartTV Chrome/68"
    assert screen.seen_at is not None


def test_supervisors_make_rename_switch_and_revoke(board: Board, sign_in: SignIn) -> None:
    other = editing.create(board.domain, editing.BoardInput("Second"))
    client = sign_in("supervisor")

    client.post("/screens/make/", {"make-name": "Hall", "make-board": board.pk})
    # A double click, which makes no other.
    again = client.post("/screens/make/", {"make-name": "Hall", "make-board": board.pk}, follow=True)
    made, screen = again.content.decode(), Screen.objects.get()
    assert "http://testserver/screen/" in made
    assert "http://testserver/screen/" not in client.get("/screens/").content.decode()

    client.post(f"/screens/{screen.pk}/", {f"s{screen.pk}-name": "Foyer", f"s{screen.pk}-board": other.pk})
    screen.refresh_from_db()
    assert (screen.name, screen.board) == ("Foyer", other)

    client.post(f"/screens/{screen.pk}/revoke/")
    assert "Foyer" not in client.get("/screens/").content.decode().split("Your TVs")[1]


def test_an_older_page_does_not_undo_what_somebody_else_set(board: Board, sign_in: SignIn) -> None:
    screen, _token = screens.create(board, "Hall")
    client = sign_in("administrator")
    shown = client.get("/screens/").context["rows"][0][1]
    screens.allow_numbers(screen, True)

    sent = {f"s{screen.pk}-name": "Foyer", f"s{screen.pk}-board": board.pk}
    refused = client.post(f"/screens/{screen.pk}/", {**sent, "stamp": shown.stamp})

    assert (refused.status_code, Screen.objects.get().shows_numbers) == (409, True)
    page = refused.content.decode()
    assert "Somebody else changed this meanwhile" in page
    assert 'value="Foyer"' in page
    client.post(f"/screens/{screen.pk}/", {**sent, "stamp": refused.context["rows"][0][1].stamp})
    screen.refresh_from_db()
    assert (screen.name, screen.shows_numbers) == ("Foyer", False)


def test_a_name_that_is_too_long_is_kept_to_be_shortened(board: Board, sign_in: SignIn) -> None:
    screen, _token = screens.create(board, "Hall")

    sent = {f"s{screen.pk}-name": "x" * 121, f"s{screen.pk}-board": board.pk}
    refused = sign_in("supervisor").post(f"/screens/{screen.pk}/", sent)

    assert refused.status_code == 400
    assert "x" * 121 in refused.content.decode()


def test_screens_of_another_company_are_out_of_reach(board: Board, sign_in: SignIn) -> None:
    stranger = Domain.objects.create(
        slug="other", name="Other", base_url="http://x.test", client_id="a", client_secret="b"
    )
    screen, _ = screens.create(editing.create(stranger, editing.BoardInput("Theirs")), "Their wall")
    client = sign_in("administrator")

    assert client.post(f"/screens/{screen.pk}/revoke/").status_code == 404
    assert "Their wall" not in client.get("/screens/").content.decode()
    assert client.post("/screens/make/", {"make-name": "x", "make-board": screen.board_id}).status_code == 400


def test_a_screen_does_not_switch_to_another_company(board: Board) -> None:
    stranger = Domain.objects.create(
        slug="other", name="Other", base_url="http://x.test", client_id="a", client_secret="b"
    )
    screen, _ = screens.create(board, "Wall")

    with pytest.raises(ValueError, match="own company"):
        screens.set_content(screen, editing.create(stranger, editing.BoardInput("Theirs")))


def test_the_command_prints_an_address_that_works(board: Board) -> None:
    out = StringIO()

    call_command("screen", "main", "--name", "Lobby", stdout=out)

    path = out.getvalue().strip().removeprefix("http://testserver")
    assert Client().get(path).headers["Location"] == "/screen/"
    assert Screen.objects.get().name == "Lobby"


def test_the_command_names_the_boards_there_are(board: Board) -> None:
    with pytest.raises(CommandError, match="Boards: main"):
        call_command("screen", "nowhere")


def test_what_a_later_release_stored_of_a_tv_does_not_stop_it(tv: Client) -> None:
    Screen.objects.update(report={"gone": 1, "showing": 3, "width": "wide"})

    assert tv.get("/screen/").status_code == 200
