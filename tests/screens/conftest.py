"""The fixtures of boards, a company with people of each role and a board, and a TV that shows it."""

import pytest
from django.test import Client

from tests.boards.conftest import board, domain, plain_static_files, show, show_tv, sign_in  # noqa: F401
from wallboard.boards.models import Board
from wallboard.screens import screens


@pytest.fixture
def tv(board: Board) -> Client:  # noqa: F811
    """A TV that opened its link."""
    _, token = screens.create(board, "North wall")
    client = Client()
    client.get(f"/screen/{token}/")
    return client
