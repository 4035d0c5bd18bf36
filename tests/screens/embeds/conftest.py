"""A company with a grid board, and links to it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from accounts.models import Domain
from tests.boards.conftest import board, domain, plain_static_files, show, sign_in  # noqa: F401
from wallboard.boards import editing, layout
from wallboard.boards.models import Board
from wallboard.screens.embeds import links
from wallboard.screens.embeds.links import EmbedInput
from wallboard.screens.models import Embed

SITE = "https://intranet.example.com"
CARDS: list[dict[str, Any]] = [
    {"id": "one", "kind": "queue", "x": 0, "y": 0, "w": 4, "h": 4, "queues": ["501"], "title": "Sales line"},
    {"id": "two", "kind": "figure", "x": 4, "y": 0, "w": 4, "h": 4, "queues": ["502"], "figure": "waiting"},
    {"id": "crew", "kind": "people", "x": 8, "y": 0, "w": 4, "h": 6, "people": ["101"]},
    {"id": "live", "kind": "calls", "x": 0, "y": 6, "w": 6, "h": 5, "queues": ["501"]},
]
MakeEmbed = Callable[..., tuple[Embed, str]]


@pytest.fixture
def grid(board: Board) -> Board:  # noqa: F811
    """The board with four cards."""
    shown = layout.parse({"rows": 12, "cards": CARDS})
    return editing.update(board, replace(editing.current_input(board), layout=shown))


@pytest.fixture
def make_embed(domain: Domain, grid: Board) -> MakeEmbed:  # noqa: F811
    """A link to the card "one", or as it is asked for."""

    def make(card: str = "one", **more: Any) -> tuple[Embed, str]:
        return links.make(domain, EmbedInput("Intranet", grid, card, (SITE,), **more))

    return make
