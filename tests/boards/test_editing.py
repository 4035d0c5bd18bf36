"""A board is changed in one place, which counts the version and tells the pages that are open."""

import json
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from accounts.models import Domain
from tests.boards.conftest import SignIn
from wallboard.boards import editing, forms
from wallboard.boards.admin import BoardAdminForm
from wallboard.boards.default_board import ensure_default_board
from wallboard.boards.editing import BoardInput
from wallboard.boards.layout import Layout
from wallboard.boards.models import Board
from wallboard.live import connections, feeds, publish
from wallboard.queues.models import Queue
from wallboard.screens import screens
from wallboard.sockets import snapshots


@pytest.fixture
def domain(transactional_db: None, domain: Domain) -> Domain:
    """Committed, because pages are told after the commit."""
    return domain


def told(board: Board) -> dict[str, Any]:
    """The board as its feed holds it."""
    client: Any = connections.client()
    text = client.hget(feeds.board(board.domain_id, board.pk).keys[1], "board")
    return dict(json.loads(text))


def test_a_change_is_kept_counted_and_told(board: Board, redis_url: str) -> None:
    board_input = BoardInput("North", "light", "Fire drill at noon", Layout(("queues",), ("502",)))

    saved = editing.update(board, board_input)

    assert editing.current_input(Board.objects.get()) == board_input
    assert saved.version == board.version + 1
    assert told(board)["notice"] == "Fire drill at noon"
    assert told(board)["version"] == saved.version


def test_a_change_is_kept_while_redis_is_away(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "breaker", publish.Breaker())
    editing.update(board, replace(editing.current_input(board), name="South"))

    assert Board.objects.get().name == "South"


def test_the_form_changes_the_board(board: Board, sign_in: SignIn, redis_url: str) -> None:
    for number in ("501", "502", "503"):
        Queue.objects.create(domain=board.domain, number=number, name=f"Queue {number}")
    wanted = {
        "name": "Floor",
        "theme": "light",
        "notice": "",
        "sections": ["queues", "people"],
        "every_queue": "",
        "queue": ["501", "503"],
        "place-501": "2",
        "place-503": "1",
    }

    response = sign_in("supervisor").post("/boards/main/edit/", wanted)

    assert response.headers["Location"] == "/boards/main/"
    assert editing.current_input(Board.objects.get()) == BoardInput(
        "Floor", "light", "", Layout(("queues", "people"), ("503", "501"))
    )
    assert told(board)["layout"] == {"sections": ["queues", "people"], "queues": ["503", "501"]}


def test_the_form_wants_a_queue_where_only_some_are_shown(board: Board, sign_in: SignIn) -> None:
    wanted = {"name": "Floor", "theme": "dark", "sections": ["queues"], "every_queue": ""}

    response = sign_in("supervisor").post("/boards/main/edit/", wanted)

    assert "Tick at least one queue" in response.content.decode()
    assert Board.objects.get().version == 1


def all_ticked(board: Board, count: int) -> dict[str, Any]:
    """What the form without scripts posts when each of so many queues is ticked."""
    numbers = [str(1000 + index) for index in range(count)]
    Queue.objects.bulk_create(Queue(domain=board.domain, number=number) for number in numbers)
    places = {f"place-{number}": str(place) for place, number in enumerate(numbers)}
    return {"name": "All", "theme": "dark", "sections": ["queues"], "every_queue": "", "queue": numbers, **places}


def test_a_board_of_500_chosen_queues_is_kept_and_opens(board: Board, sign_in: SignIn, redis_url: str) -> None:
    client = sign_in("supervisor")

    client.post("/boards/main/edit/", all_ticked(board, 500))

    assert len(editing.current_input(Board.objects.get()).layout.queues or ()) == 500
    assert client.get("/boards/main/").status_code == 200


def test_more_queues_than_a_board_can_name_are_refused(
    board: Board, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "MAX_NUMBERS", 3)

    response = sign_in("supervisor").post("/boards/main/edit/", all_ticked(board, 4))

    assert "at most 3 queues" in response.content.decode()
    assert Board.objects.get().version == 1


def test_a_board_whose_layout_cannot_be_read_shows_everything_and_says_so(
    board: Board, sign_in: SignIn, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    _, token = screens.create(board, "North wall")
    Board.objects.update(layout={"queues": ["1"] * 2000})
    client = sign_in("supervisor")
    tv = Client()
    tv.get(f"/screen/{token}/")

    answers = [client.get("/boards/main/"), client.get("/boards/main/edit/"), tv.get("/screen/")]
    snapshots.mend_all()

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert told(board)["layout"] == Layout().as_json()
    assert told(board)["notice"].startswith("The layout of this board cannot be read")
    assert caplog.records == []
    editing.update(board, editing.current_input(board))
    assert told(board)["notice"] == board.notice


def test_a_new_board_gets_an_address_of_its_own(board: Board, sign_in: SignIn) -> None:
    client = sign_in("supervisor")
    wanted = {"name": "Main", "starter": "floor"}

    addresses = [client.post("/boards/new/", wanted).headers["Location"] for _ in range(2)]

    assert addresses == ["/boards/main-2/edit/", "/boards/main-3/edit/"]


def test_a_board_cannot_take_the_address_of_a_page(domain: Domain) -> None:
    assert editing.create(domain, BoardInput("New")).slug == "new-2"
    assert editing.create(domain, BoardInput("Images")).slug == "images-2"
    assert BoardAdminForm({"slug": "images"}).errors["slug"] == ["No board can have this address."]
    assert "slug" not in BoardAdminForm({"slug": "pictures"}).errors


def test_the_first_board_is_made_once(domain: Domain) -> None:
    made = ensure_default_board(domain)

    assert ensure_default_board(domain) == made
    assert (made.slug, made.name) == ("main", "Brandt Werkzeuge")
    assert Board.objects.count() == 1


def test_a_board_that_a_tv_shows_is_not_deleted(board: Board, sign_in: SignIn) -> None:
    from wallboard.screens import screens

    screen, _ = screens.create(board, "North wall")
    client = sign_in("supervisor")

    client.post("/boards/main/remove/")
    assert Board.objects.exists()

    screens.revoke(screen)
    client.post("/boards/main/remove/")
    assert not Board.objects.exists()
