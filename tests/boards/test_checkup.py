"""The set-up page says in plain words what is connected, what is not, and what to do."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Domain
from tests.boards.conftest import SignIn
from wallboard.boards import checkup, screens
from wallboard.boards.models import Board, Screen
from wallboard.calls import subscriptions
from wallboard.calls.models import Subscription
from wallboard.queues import polling
from wallboard.queues.models import PollState


def polled(domain: Domain, **more: Any) -> None:
    PollState.objects.update_or_create(domain=domain, defaults={"read_at": timezone.now(), **more})


def test_before_the_first_reading_it_says_what_to_start(domain: Domain) -> None:
    check = checkup.provider(domain)

    assert (check.state, check.word) == ("watch", "waiting")
    assert "Start the worker and beat" in check.advice


def test_a_good_reading_is_connected(domain: Domain) -> None:
    polled(domain)

    assert checkup.provider(domain).state == "good"


def test_an_old_reading_without_a_failure_means_that_nobody_polls(domain: Domain) -> None:
    polled(domain, read_at=timezone.now() - timedelta(seconds=30))

    assert checkup.provider(domain).word == "stopped"


@pytest.mark.parametrize(
    "kind", ["unreachable", "rate_limited", "not_authorized", "not_found", "bad_response", "wrong_key", "new_kind"]
)
def test_every_failure_has_words_and_advice(domain: Domain, kind: str) -> None:
    polled(domain, failure=kind, failing_since=timezone.now())

    check = checkup.provider(domain)

    assert (check.state, check.word) == ("late", "failing")
    assert check.words
    assert check.advice


def test_a_subscription_shows_its_state_and_its_times(domain: Domain) -> None:
    now = timezone.now()
    Subscription.objects.create(
        domain=domain, kind="cdrs", state="ready", secret="s", secret_hash="h", expires_at=now, heard_at=now
    )

    check = checkup.of_kind(domain, Subscription.Kind.RECORDS)

    assert (check.state, check.word) == ("good", "live")
    assert {fact.label: fact.moment for fact in check.facts}["Last event"] == now
    assert checkup.of_kind(domain, Subscription.Kind.CALLS).word == "waiting"


def test_the_redirect_address_is_named(board: Board, sign_in: SignIn) -> None:
    page = sign_in("administrator").get("/setup/").content.decode()

    assert "http://testserver/accounts/callback/" in page
    assert "secret" not in page.replace("client secret", "").replace("CLIENT_SECRET", "").replace("id and secret", "")


def test_the_queues_are_read_at_once(board: Board, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "poll", lambda domain: polled(domain, failure="unreachable", tried_at=timezone.now()))
    polled(board.domain, not_before=timezone.now() + timedelta(hours=1))

    page = sign_in("administrator").post("/setup/poll/", follow=True).content.decode()

    assert "The provider cannot be reached." in page
    assert PollState.objects.get().not_before is None


def test_the_subscriptions_are_checked_at_once(board: Board, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Domain] = []
    monkeypatch.setattr(subscriptions, "check", asked.append)

    sign_in("administrator").post("/setup/check/")

    assert asked == [board.domain]


@pytest.mark.parametrize("path", ["/setup/poll/", "/setup/check/"])
def test_only_administrators_may_ask(board: Board, sign_in: SignIn, path: str) -> None:
    assert sign_in("supervisor").post(path).status_code == 403


@pytest.fixture
def admin(admin_client: Client) -> Client:
    return admin_client


def test_the_admin_site_saves_a_board_through_the_one_function(admin: Client, board: Board) -> None:
    wanted = {"name": "Hall", "theme": "light", "notice": "", "layout": '{"sections": ["queues"]}'}

    response = admin.post(f"/admin/boards/board/{board.pk}/change/", wanted)

    assert response.status_code == 302
    saved = Board.objects.get()
    assert (saved.name, saved.version, saved.layout) == ("Hall", 2, {"sections": ["queues"], "queues": None})


def test_the_admin_site_refuses_a_layout_that_nobody_can_read(admin: Client, board: Board) -> None:
    wanted = {"name": "Hall", "theme": "light", "notice": "", "layout": '{"sections": ["cellar"]}'}

    page = admin.post(f"/admin/boards/board/{board.pk}/change/", wanted).content.decode()

    assert "no such section: cellar" in page
    assert Board.objects.get().version == 1


def test_the_admin_site_keeps_a_board_that_a_tv_shows(admin: Client, board: Board) -> None:
    screen, _ = screens.make(board, "North wall")
    chosen = {"action": "delete_selected", "_selected_action": board.pk, "post": "yes"}

    pages = [
        admin.post(f"/admin/boards/board/{board.pk}/delete/", {"post": "yes"}),
        admin.post("/admin/boards/board/", chosen),
    ]

    assert all("North wall" in page.content.decode() for page in pages)
    assert Screen.objects.get().board == board
    screens.revoke(screen)
    admin.post("/admin/boards/board/", chosen)
    assert not Board.objects.exists()


def test_the_admin_site_never_shows_a_token(admin: Client, board: Board) -> None:
    screen = Screen.objects.create(domain=board.domain, board=board, name="Wall", token_hash="0123abcd" * 8)

    page = admin.get(f"/admin/boards/screen/{screen.pk}/change/").content.decode()

    assert "Wall" in page
    assert screen.token_hash not in page
    assert admin.get("/admin/boards/screen/add/").status_code == 403


def test_the_admin_site_revokes_screens(admin: Client, board: Board) -> None:
    screen = Screen.objects.create(domain=board.domain, board=board, name="Wall", token_hash="x")

    admin.post("/admin/boards/screen/", {"action": "revoke", "_selected_action": [screen.pk]})

    screen.refresh_from_db()
    assert screen.revoked_at is not None
