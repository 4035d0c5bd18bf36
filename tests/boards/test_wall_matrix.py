"""The wall fits its own words in every state: names whole, figures inside their cards, nothing cut or overlapping.

`make test` looks at a few scenes; WALLBOARD_WALL=all at each of them (`make wall`), WALLBOARD_WALL=500 at so many of
them, drawn by lot and the same ones each time.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show, with_theme
from tests.boards.wall_scenes import SIZES, Scene, alert, chosen, grouped
from wallboard.boards import editing
from wallboard.boards.models import Board

GROUPS = grouped(chosen(os.environ.get("WALLBOARD_WALL", "")))
PICTURES = os.environ.get("WALLBOARD_PICTURES", "")  # a folder for a picture of each scene
SPOKEN = [
    *(Scene(3, state, 2, size="1080p") for state in ("late", "watch", "closed", "missing", "normal")),
    *(Scene(12, state, 3, size="1080p") for state in ("mixed", "stale", "closed")),
    *(Scene(6, state, 2, size="portrait") for state in ("mixed", "closed", "alerts")),
    Scene(24, "mixed", 2, size="1080p"),
]
READABLE = 23.5  # px on a 1080p screen, from five metres
IN_HAND = 11.5  # px of a phone

MEASURE = (Path(__file__).parent / "wall_measure.js").read_text()
PARTS = ".card, .queue-card, .total, .board-head, .board-foot"
PLACES = """(parts) => Array.from(document.querySelectorAll(parts), (node) => {
  const box = node.getBoundingClientRect();
  return [box.left, box.top, box.width, box.height].map(Math.round).join(" ");
})"""


def least(size: str) -> float:
    """The px of the smallest text that can be read there: a screen of 4K is larger, so its letters may be smaller."""
    if size == "phone":
        return IN_HAND
    width, height = SIZES[size]
    unit = min(max(width, height) / 1920, min(width, height) / 1080)
    return READABLE * (unit if unit < 2 else unit * 0.8)


def misfits(wall: BoardPage, scenes: list[Scene], picture: str = "wall") -> list[str]:
    """What does not fit while the scenes are shown one after the other."""
    wrong = []
    for scene in scenes:
        scene.play(wall)
        if PICTURES:
            wall.page.screenshot(path=Path(PICTURES) / f"{picture}-{scene}.png")
        found = wall.page.evaluate(MEASURE, least(scene.size))
        wrong += [f"{scene}: {each}" for each in found[:6] if not (scene.may_shorten and ".queue-card-name" in each)]
    return wrong


@pytest.mark.timeout(300)
@pytest.mark.parametrize("group", GROUPS)
def test_every_scene_fits(show: Show, show_tv: Show, board: Board, group: str) -> None:
    scenes = GROUPS[group]
    with_theme(board, scenes[0].theme)
    width, height = SIZES[scenes[0].size]
    wall = (show if scenes[0].size == "phone" else show_tv)(width, height, reduced_motion="reduce")

    assert misfits(wall, scenes) == []


@pytest.mark.parametrize("language", ["de", "es", "fr", "nl", "ar"])
def test_the_wall_fits_the_words_of_each_language(show_tv: Show, board: Board, language: str) -> None:
    editing.update(board, replace(editing.current_input(board), language=language))

    assert misfits(show_tv(reduced_motion="reduce"), SPOKEN, language) == []


@pytest.mark.parametrize("sizes", [("1080p", "4k", "720p", "portrait"), ("phone",)], ids=["tv", "phone"])
def test_nothing_moves_when_alerts_come_and_go(show: Show, show_tv: Show, sizes: tuple[str, ...]) -> None:
    wall = (show_tv if "1080p" in sizes else show)(*SIZES[sizes[0]], reduced_motion="reduce")
    for size in sizes:
        Scene(6, "mixed", size=size).play(wall)
        before = wall.page.evaluate(PLACES, PARTS)

        for raised in (1, 3, 0):
            wall.snapshot("alerts", {str(number): alert(501 + number) for number in range(raised)})
            wall.drawn()

            most = 1 if size in ("portrait", "phone") else 2
            assert wall.page.locator(".alert:visible").count() == min(raised, most), size
            assert wall.page.evaluate(PLACES, PARTS) == before, size
