"""A TV shows a code; whoever may, enters it; the TV gets a cookie, once."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.signin.start_throttle import StartThrottle
from tests.boards.conftest import SignIn
from wallboard.boards.models import Board
from wallboard.screens import pairing, screens
from wallboard.screens.models import Pairing, Screen


def code_on(tv: Client) -> str:
    """The code that the TV shows now."""
    tv.get("/pair/")
    return Pairing.objects.order_by("-pk").values_list("code", flat=True)[0]


def enter(client: Client, code: str, board: Board) -> int:
    return client.post("/screens/pair/", {"pair-code": code, "pair-name": "Hall", "pair-board": board.pk}).status_code


def test_a_tv_is_paired_by_its_code(board: Board, sign_in: SignIn) -> None:
    tv, supervisor = Client(), sign_in("supervisor")
    code = code_on(tv)
    assert tv.get("/pair/state/").json() == {"state": "waiting"}

    assert enter(supervisor, f" {code[:3].lower()} {code[3:]}", board) == 302

    assert tv.get("/pair/state/").json() == {"state": "paired", "next": "/screen/"}
    assert board.name in tv.get("/screen/").content.decode()
    assert Screen.objects.get().created_by is not None


def test_the_token_is_given_once(board: Board) -> None:
    begun = pairing.begin()
    pairing.accept(begun.code, board, "Hall", None)
    found = pairing.of_device(begun.device)
    assert found is not None

    token = pairing.finish(found)

    assert token is not None
    assert screens.screen_by_token(token) == Screen.objects.get()
    assert pairing.finish(found) is None


def test_a_reload_keeps_the_code(db: None) -> None:
    tv = Client()

    assert code_on(tv) == code_on(tv)
    assert Pairing.objects.count() == 1


def test_a_code_is_good_for_one_tv_and_ten_minutes(board: Board, sign_in: SignIn) -> None:
    tv, supervisor = Client(), sign_in("supervisor")
    code = code_on(tv)
    Pairing.objects.update(until=timezone.now() - timedelta(seconds=1))

    assert enter(supervisor, code, board) == 400
    assert tv.get("/pair/state/").json() == {"state": "over"}

    fresh = code_on(tv)
    assert enter(supervisor, fresh, board) == 302
    assert enter(supervisor, fresh, board) == 400


def test_an_agent_cannot_pair(board: Board, sign_in: SignIn) -> None:
    code = code_on(Client())

    assert enter(sign_in("agent"), code, board) == 403
    assert not Screen.objects.exists()


def test_another_browser_gets_nothing_for_the_code(board: Board, sign_in: SignIn) -> None:
    tv, thief = Client(), Client()
    enter(sign_in("supervisor"), code_on(tv), board)

    assert thief.get("/pair/state/").json() == {"state": "over"}
    assert thief.get("/screen/").status_code == 403


def test_waiting_tvs_cannot_fill_the_table(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "MAX_WAITING", 2)
    codes = [code_on(Client()) for _ in range(3)]

    assert list(Pairing.objects.order_by("pk").values_list("code", flat=True)) == codes[1:]


def test_whoever_floods_pairing_stops_it_only_for_themselves(
    board: Board, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "starts", StartThrottle(2))
    tv = Client(REMOTE_ADDR="192.0.2.8")
    code = code_on(tv)
    flood = [Client(REMOTE_ADDR="203.0.113.7").get("/pair/") for _ in range(5)]
    assert [answer.status_code for answer in flood] == [200, 200, 503, 503, 503]
    assert "Too many screens" in flood[-1].content.decode()

    assert Client(REMOTE_ADDR="192.0.2.9").get("/pair/").status_code == 200
    assert enter(sign_in("supervisor"), code, board) == 302
    assert tv.get("/pair/state/").json()["state"] == "paired"


def test_a_code_that_was_entered_is_not_pushed_out(
    board: Board, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "MAX_WAITING", 1)
    tv = Client()
    enter(sign_in("supervisor"), code_on(tv), board)

    for _ in range(3):
        code_on(Client())

    assert tv.get("/pair/state/").json()["state"] == "paired"


def test_a_link_with_a_code_pairs_nothing_and_says_what_pairing_does(board: Board, sign_in: SignIn) -> None:
    waiting = pairing.begin()
    client = sign_in("supervisor")

    text = client.get("/screens/", {"code": waiting.code}).content.decode()

    assert "Whatever device shows that code will see what you choose" in text
    assert Screen.objects.count() == 0
    assert client.get("/screens/pair/", {"pair-code": waiting.code}).status_code == 405
    assert "Whatever device shows" not in client.get("/screens/").content.decode()


def test_pictures_on_other_pages_use_up_no_codes(db: None) -> None:
    for _ in range(3):
        answer = Client().get("/pair/", headers={"Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403

    assert Pairing.objects.count() == 0
    assert Client().get("/pair/", headers={"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"}).status_code == 200
