"""A company with people of each role and a board."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import Domain, Person, User
from tests.boards.board_page import BoardPage
from tests.harness.browser import Pages
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.screens import screens

SignIn = Callable[[str], Client]
Show = Callable[..., BoardPage]


@pytest.fixture(autouse=True)
def plain_static_files(settings: Any, tmp_path: Path) -> None:
    """Static files under their own names: nothing is collected for these tests."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture
def domain(db: None) -> Domain:
    return Domain.objects.create(
        slug="main",
        name="Brandt Werkzeuge",
        base_url="http://provider.test",
        client_id="id",
        client_secret="secret",
        time_zone="Europe/Berlin",
        country="DE",
    )


@pytest.fixture
def board(domain: Domain) -> Board:
    board_input = editing.BoardInput(
        "Service desk", theme="dark", notice="Billing run today: expect address questions until noon"
    )
    return editing.create(domain, board_input, slug="main")


@pytest.fixture
def sign_in(domain: Domain) -> SignIn:
    """A client signed in with that role."""

    def signed_in(role: str) -> Client:
        number = Person.objects.filter(domain=domain).count()
        user = User.objects.create_user(f"{role}-{number}")
        Person.objects.create(domain=domain, extension=str(200 + number), name=role.title(), role=role, user=user)
        client = Client()
        client.force_login(user)
        return client

    return signed_in


@pytest.fixture
def show(pages: Pages, board: Board, sign_in: SignIn) -> Show:
    """Open the board as a supervisor, with the test as the other end of its socket."""

    def shown(
        width: int = 1920, height: int = 1080, path: str = "", client: Client | None = None, **more: Any
    ) -> BoardPage:
        page = pages.open(width=width, height=height, **{"locale": "en-GB", **more})
        return BoardPage(page, client or sign_in("supervisor"), board, path or f"/boards/{board.slug}/")

    return shown


@pytest.fixture
def show_tv(show: Show, board: Board) -> Show:
    """Open the board as a TV does."""

    def shown(width: int = 1920, height: int = 1080, **more: Any) -> BoardPage:
        _, token = screens.create(board, "North wall")
        client = Client()
        client.get(f"/screen/{token}/")
        tv = show(width, height, path="/screen/", client=client, **more)
        tv.calls_feed = "wall"
        return tv

    return shown


def with_theme(board: Board, theme: str) -> None:
    editing.update(board, replace(editing.current_input(board), theme=theme))
