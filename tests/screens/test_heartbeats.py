"""Looking after TVs: what they say of themselves, what they may show, and orders that reach them."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import AuditEntry
from tests.boards.conftest import SignIn
from wallboard.boards.models import Board
from wallboard.live import control
from wallboard.live.release import release
from wallboard.screens import engines, pairing, screens
from wallboard.screens.models import Pairing, Screen
from wallboard.sockets import socket_access
from wallboard.sockets.socket_access import SocketRequest

TIZEN = (
    "Mozilla/5.0 (SMART-TV; LINUX; Tizen 5.5) AppleWebKit/537.36 (KHTML, like Gecko) 69.0.3497.106/5.5 TV Safari/537.36"
)
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36"


@pytest.fixture
def tv(board: Board) -> Client:
    """A TV that opened its link."""
    _, token = screens.create(board, "North wall")
    client = Client(headers={"user-agent": CHROME})
    client.get(f"/screen/{token}/")
    return client


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was said to the server processes."""
    said: list[Any] = []

    def say(word: Any) -> bool:
        said.append(word)
        return True

    monkeypatch.setattr(control, "_send", say)
    return said


def beat(tv: Client, **more: Any) -> int:
    report = {
        "showing": 0,
        "data_age": 3,
        "awake": "awake",
        "sound": "off",
        "release": "r1",
        "width": 1920,
        "height": 1080,
    }
    return tv.post("/screen/alive/", json.dumps({**report, **more}), content_type="application/json").status_code


def told(supervisor: Client) -> Any:
    """The first screen as the page of the screens shows it: its state and its facts by key."""
    first = supervisor.get("/screens/state/").json()["screens"][0]
    return first["state"], {fact["key"]: fact["text"] for fact in first["facts"]}


def feeds_of(tv: Client, slug: str) -> list[str]:
    cookies = {name: morsel.value for name, morsel in tv.cookies.items()}
    return [feed.name for feed in socket_access.access_for(cookies, SocketRequest(slug)).feeds]


def changed(screen: Screen, board: Board, **more: str) -> dict[str, Any]:
    """What the form of a screen sends."""
    return {f"s{screen.pk}-{name}": value for name, value in {"name": screen.name, "board": board.pk, **more}.items()}


def test_browsers_of_one_board_share_its_feeds(tv: Client, board: Board) -> None:
    cookies = {name: morsel.value for name, morsel in tv.cookies.items()}

    first, second = (socket_access.access_for(cookies, SocketRequest(board.slug)) for _ in range(2))

    assert first.feeds is second.feeds  # thousands of them are open, and memory is counted for each


def test_the_page_tells_how_a_tv_is_doing(tv: Client, board: Board, sign_in: SignIn) -> None:
    supervisor = sign_in("supervisor")
    assert told(supervisor)[0] == "unknown"

    assert beat(tv, showing=board.pk) == 200

    state, facts = told(supervisor)
    assert state == "good"
    assert facts == {
        "shows": board.name,
        "data": "3 s old",
        "awake": "kept awake",
        "sound": "off",
        "seen": "0 s ago",
        "engine": "Chromium 120, Linux",
        "size": "1920 × 1080",
        "release": "older, renews itself within a minute",
    }
    assert "Chromium 120, Linux" in supervisor.get("/screens/").content.decode()


def test_a_tv_that_says_nothing_any_more_is_missed(tv: Client, sign_in: SignIn) -> None:
    beat(tv)
    Screen.objects.update(seen_at=timezone.now() - timedelta(seconds=90))

    state, facts = told(sign_in("supervisor"))

    assert state == "late"
    assert facts["seen"] == "90 s ago"


@pytest.mark.parametrize(("age", "state"), [(3, "good"), (300, "watch"), (None, "watch")])
def test_a_tv_with_old_data_is_pointed_out(tv: Client, sign_in: SignIn, age: int | None, state: str) -> None:
    beat(tv, data_age=age)

    assert told(sign_in("supervisor"))[0] == state


@pytest.mark.parametrize("report", [{"data_age": 3, "volume": 7}, {"data_age": "old"}])
def test_what_another_release_stored_of_a_tv_does_not_break_the_page(
    board: Board, sign_in: SignIn, report: dict[str, Any]
) -> None:
    screens.create(board, "Wall")
    Screen.objects.update(report=report, seen_at=timezone.now())

    assert sign_in("supervisor").get("/screens/").status_code == 200


def test_the_page_asks_as_often_for_twenty_tvs_as_for_one(
    board: Board, sign_in: SignIn, django_assert_num_queries: Any
) -> None:
    supervisor = sign_in("supervisor")
    screens.create(board, "Wall")
    with CaptureQueriesContext(connection) as of_one:
        supervisor.get("/screens/")
    for number in range(19):
        screens.create(board, f"Wall {number}")

    with django_assert_num_queries(len(of_one)):
        supervisor.get("/screens/")


def test_heartbeats_that_say_nothing_new_are_not_all_written(tv: Client) -> None:
    beat(tv)
    seen_at = Screen.objects.get().seen_at

    beat(tv, data_age=4)
    assert Screen.objects.get().seen_at == seen_at
    beat(tv, sound="blocked")
    assert Screen.objects.get().report["sound"] == "blocked"


def test_the_release_is_that_of_the_pages_that_this_process_serves(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    manifest = tmp_path / "staticfiles.json"
    manifest.write_text("{}")
    before = release()
    manifest.write_text('{"paths": {}}')

    assert (before, release()) == ("44136fa355b3", "44136fa355b3")


@pytest.mark.parametrize("body", ["{", "[]", '{"width": -1}', '{"sound": "loud"}', '{"release": "' + "x" * 50 + '"}'])
def test_a_heartbeat_that_makes_no_sense_is_refused(tv: Client, body: str) -> None:
    assert tv.post("/screen/alive/", body, content_type="application/json").status_code == 400


def test_an_older_page_that_sends_nothing_is_heard_too(tv: Client) -> None:
    answer = tv.post("/screen/alive/")

    assert (answer.status_code, answer.json()) == (200, {"name": Screen.objects.get().name, "sound": False})
    assert Screen.objects.get().seen_at is not None


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [(TIZEN, "WebKit 537, Samsung TV"), (CHROME, "Chromium 120, Linux"), ("", "–"), ("x" * 80, "x" * 40)],
)
def test_browsers_are_named_shortly(user_agent: str, name: str) -> None:
    assert engines.engine_name(user_agent) == name


@pytest.mark.parametrize("what", ["reload", "flash"])
def test_an_order_goes_to_the_screen(board: Board, sign_in: SignIn, orders: list[Any], what: str) -> None:
    screen, _ = screens.create(board, "Wall")

    sign_in("supervisor").post(f"/screens/{screen.pk}/{what}/")

    assert orders == [{"screen": screen.pk, "order": {"order": what}}]
    assert AuditEntry.objects.filter(what=f"screen {what}").exists()


def test_a_server_without_redis_says_that_an_order_did_not_go_out(board: Board, sign_in: SignIn) -> None:
    screen, _ = screens.create(board, "Wall")

    page = sign_in("supervisor").post(f"/screens/{screen.pk}/flash/", follow=True).content.decode()

    assert "The TV could not be told" in page


@pytest.mark.django_db(transaction=True)
def test_name_and_sound_reach_the_tv_without_a_reload(board: Board, sign_in: SignIn, orders: list[Any]) -> None:
    screen, _ = screens.create(board, "Wall")

    sign_in("supervisor").post(f"/screens/{screen.pk}/", changed(screen, board, name="Foyer", has_sound="on"))

    assert [word["order"] for word in orders][-1] == {"order": "settings", "name": "Foyer", "sound": True}
    screen.refresh_from_db()
    assert (screen.name, screen.has_sound) == ("Foyer", True)


@pytest.mark.django_db(transaction=True)
def test_only_an_administrator_lets_a_tv_show_numbers(
    tv: Client, board: Board, sign_in: SignIn, orders: list[Any]
) -> None:
    screen = Screen.objects.get()
    wish = changed(screen, board, has_numbers="on")

    sign_in("supervisor").post(f"/screens/{screen.pk}/", wish)
    assert "wall" in feeds_of(tv, board.slug)
    assert '"calls": "wall"' in tv.get("/screen/").content.decode()

    administrator = sign_in("administrator")
    administrator.post(f"/screens/{screen.pk}/", wish)
    assert orders == [{"screen": screen.pk}], "its open socket is closed and looks again"
    assert {"calls"} == {"calls", "wall"} & set(feeds_of(tv, board.slug))
    assert '"calls": "calls"' in tv.get("/screen/").content.decode()

    sign_in("supervisor").post(f"/screens/{screen.pk}/", changed(screen, board))
    assert "calls" in feeds_of(tv, board.slug), "a supervisor's form says nothing about it"
    administrator.post(f"/screens/{screen.pk}/", changed(screen, board))
    assert "wall" in feeds_of(tv, board.slug)


@pytest.mark.parametrize(
    "act",
    [
        lambda screen: screens.rename(screen, "South wall"),
        lambda screen: screens.set_sound(screen, True),
        lambda screen: screens.set_content(screen, screen.board),
        lambda screen: screens.allow_numbers(screen, True),
        lambda screen: screens.revoke(screen),
    ],
)
def test_what_could_not_be_kept_of_a_tv_is_not_noted(
    board: Board, monkeypatch: pytest.MonkeyPatch, act: Callable[[Screen], None]
) -> None:
    screen, _ = screens.create(board, "North wall")
    noted = AuditEntry.objects.count()

    def fail(*_args: Any, **_more: Any) -> None:
        raise OperationalError("the disk is full")

    monkeypatch.setattr(Screen, "save", fail)
    with pytest.raises(OperationalError):
        act(screen)

    assert AuditEntry.objects.count() == noted


def test_the_admin_site_notes_the_old_name_of_a_tv(board: Board, admin_client: Client) -> None:
    screen, _ = screens.create(board, "North wall")

    admin_client.post(f"/admin/screens/screen/{screen.pk}/change/", {"name": "South wall", "board": board.pk})

    entry = AuditEntry.objects.get(what="screen renamed")
    assert (entry.about, entry.changes) == ("North wall", {"name": ["North wall", "South wall"]})


def test_the_qr_code_leads_to_the_page_with_the_code(db: None, board: Board, sign_in: SignIn) -> None:
    tv = Client()
    page = tv.get("/pair/").content.decode()
    code = Pairing.objects.get().code

    assert 'src="data:image/svg+xml' in page
    assert (
        pairing.qr_code(f"http://testserver/screens/?code={code}").replace("&", "&amp;").replace("'", "&#x27;") in page
    )
    assert f'value="{code}"' in sign_in("supervisor").get(f"/screens/?code={code}").content.decode()


def test_the_first_figures_on_a_tv_are_told_at_once(tv: Client) -> None:
    beat(tv, data_age=None)
    beat(tv, data_age=2)

    assert Screen.objects.get().report["data_age"] == 2
