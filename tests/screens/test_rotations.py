"""Rotations: the boards that a TV shows in turn, and what becomes of it when they change."""

import pytest
from django.test import Client

from accounts.models import AuditEntry, Domain
from tests.boards.conftest import SignIn
from tests.screens.test_heartbeats import feeds_of
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.live import control
from wallboard.screens import rotations, screens
from wallboard.screens.models import Pairing, Rotation, Screen
from wallboard.sockets.socket_access import Refused


@pytest.fixture
def second(board: Board) -> Board:
    return editing.create(board.domain, editing.BoardInput("Sales floor"))


@pytest.fixture
def both(board: Board, second: Board) -> Rotation:
    return rotations.save(board.domain, rotations.RotationInput("Both", ((board, 10), (second, 20))))


def test_a_tv_follows_every_board_of_its_rotation(tv: Client, board: Board, second: Board, both: Rotation) -> None:
    screen = Screen.objects.get()
    screens.set_content(screen, board, both)
    third = editing.create(board.domain, editing.BoardInput("Third"))

    assert feeds_of(tv, board.slug)[-2:] == [f"board:{board.pk}", f"board:{second.pk}"]
    assert feeds_of(tv, second.slug) == feeds_of(tv, board.slug)
    with pytest.raises(Refused) as refused:
        feeds_of(tv, third.slug)
    assert refused.value.code == 4409
    page = tv.get("/screen/").content.decode()
    assert f'"rotation": [{{"board": {board.pk}, "seconds": 10}}, {{"board": {second.pk}, "seconds": 20}}]' in page


def test_a_board_goes_once_its_rotation_leaves_it_out_and_the_tv_stays(
    board: Board, second: Board, both: Rotation, sign_in: SignIn
) -> None:
    screen, _ = screens.create(board, "North wall", None, both)
    supervisor = sign_in("supervisor")

    refused = supervisor.post("/boards/main/remove/", follow=True).content.decode()
    rotations.save(board.domain, rotations.RotationInput("Both", ((second, 30),)), both)
    supervisor.post("/boards/main/remove/")

    assert "is shown by Both, North wall." in refused
    assert list(Board.objects.all()) == [second]
    assert rotations.screen_steps(Screen.objects.get(pk=screen.pk, revoked_at=None)) == [(second, 30)]


def test_an_older_page_does_not_undo_what_somebody_else_put_into_a_rotation(
    board: Board, second: Board, both: Rotation, sign_in: SignIn
) -> None:
    client = sign_in("supervisor")
    address = f"/screens/rotations/{both.pk}/"
    shown = client.get(address).context["stamp"]
    rotations.save(board.domain, rotations.RotationInput("Both", ((second, 30),)), both)

    sent = {"name": "All", "step0-board": board.pk, "step0-seconds": 15}
    sent.update({f"step{place}-seconds": 30 for place in range(1, rotations.MAX_STEPS)})
    refused = client.post(address, {**sent, "stamp": shown})

    assert (refused.status_code, rotations.steps_of(both)) == (409, [(second, 30)])
    assert 'value="All"' in refused.content.decode()
    client.post(address, {**sent, "stamp": refused.context["stamp"]})
    assert rotations.steps_of(both) == [(board, 15)]


def test_a_board_of_a_rotation_is_not_deleted_though_no_tv_shows_it(board: Board, both: Rotation) -> None:
    with pytest.raises(editing.BoardInUse, match="Both"):
        editing.delete(board)


@pytest.mark.django_db(transaction=True)
def test_a_changed_rotation_reaches_its_screens(board: Board, both: Rotation, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[int] = []
    monkeypatch.setattr(control, "close_screen", closed.append)
    screen, _ = screens.create(board, "Wall", None, both)
    screens.create(board, "Other")

    rotations.save(board.domain, rotations.RotationInput("Both", ((board, 30),)), both)

    assert closed == [screen.pk]


def test_a_rotation_is_made_changed_and_removed(board: Board, second: Board, sign_in: SignIn) -> None:
    supervisor = sign_in("supervisor")
    lines = {f"step{place}-seconds": "30" for place in range(12)}
    wish = {"name": "Floor", **lines, "step1-board": second.pk, "step3-board": board.pk, "step3-seconds": "45"}

    assert supervisor.post("/screens/rotations/new/", wish).status_code == 302
    rotation = Rotation.objects.get()
    assert rotations.steps_of(rotation) == [(second, 30), (board, 45)]
    screen, _ = screens.create(second, "Wall", None, rotation)

    supervisor.post(f"/screens/rotations/{rotation.pk}/", {**lines, "name": "Floor", "step0-board": board.pk})
    assert rotations.steps_of(rotation) == [(board, 30)]
    supervisor.post(f"/screens/rotations/{rotation.pk}/remove/")
    screen.refresh_from_db()
    assert rotations.screen_steps(screen) == [(board, 0)]
    assert [entry.what for entry in AuditEntry.objects.filter(what__startswith="rotation").order_by("pk")] == [
        "rotation made",
        "rotation changed",
        "rotation removed",
    ]


@pytest.mark.parametrize("wrong", [{"step0-seconds": "2"}, {"step0-board": "999"}, {"step0-board": ""}, {"name": ""}])
def test_a_rotation_that_cannot_be_shown_is_not_kept(board: Board, sign_in: SignIn, wrong: dict[str, str]) -> None:
    lines = {f"step{place}-seconds": "30" for place in range(12)}
    wish = {"name": "Floor", **lines, "step0-board": str(board.pk), **wrong}

    assert sign_in("supervisor").post("/screens/rotations/new/", wish).status_code == 400
    assert not Rotation.objects.exists()


def test_a_rotation_takes_boards_of_its_own_company_only(board: Board) -> None:
    other = Domain.objects.create(slug="o", name="O", base_url="http://o.test", client_id="a", client_secret="b")
    theirs = editing.create(other, editing.BoardInput("Theirs"))

    with pytest.raises(rotations.BadRotation):
        rotations.save(board.domain, rotations.RotationInput("Mixed", ((board, 10), (theirs, 10))))
    with pytest.raises(ValueError, match="own company"):
        screens.set_content(
            screens.create(board, "Wall")[0],
            board,
            rotations.save(other, rotations.RotationInput("R", ((theirs, 10),))),
        )


def test_a_tv_is_paired_with_a_rotation(board: Board, both: Rotation, sign_in: SignIn) -> None:
    tv = Client()
    tv.get("/pair/")
    code = Pairing.objects.get().code

    sent = {"pair-code": code, "pair-name": "Hall", "pair-board": f"rotation-{both.pk}"}
    sign_in("supervisor").post("/screens/pair/", sent)

    assert tv.get("/pair/state/").json()["state"] == "paired"
    assert Screen.objects.get().rotation == both


@pytest.mark.django_db(transaction=True)
def test_a_redis_that_does_not_answer_is_asked_once_for_all_tvs(
    board: Board, both: Rotation, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(control, "close_screen", asked.append)  # None, as False: not told
    for name in ("North", "South", "West"):
        screens.create(board, name, None, both)

    rotations.delete(both)

    assert len(asked) == 1
