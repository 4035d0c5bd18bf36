"""How the pages look: accessible in both themes, calm, and pictures of them to judge by."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.boards import fake_feeds
from tests.boards.board_page import BoardPage
from tests.boards.conftest import Show, SignIn, with_theme
from tests.harness.axe import violations
from tests.harness.browser import Pages
from wallboard.boards.models import Board

SCREENSHOTS = Path(settings.BASE_DIR) / "tests" / "screenshots"


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("is_stale", [False, True])
def test_the_board_is_accessible(show: Show, board: Board, theme: str, is_stale: bool) -> None:
    with_theme(board, theme)
    shown = show(1920, 1080, bypass_csp=True)
    shown.fill(6, 24, 5, read_ago_seconds=60 if is_stale else 1)
    if is_stale:
        shown.news("people", {"events": fake_feeds.events("down")})
        shown.settle()

    assert violations(shown.page) == []


def test_motion_can_be_reduced(show: Show) -> None:
    shown = show(reduced_motion="reduce")
    shown.fill(3, 4, 1)

    fade = shown.page.eval_on_selector(".queue-card", "(node) => getComputedStyle(node).transitionDuration")
    assert fade == "0s"


WIDTHS = """(texts) => texts.map((text) => {
  const probe = document.createElement("span");
  probe.style.cssText = "position: absolute; font: 650 100px var(--font); white-space: pre";
  probe.style.fontVariantNumeric = "tabular-nums";
  probe.textContent = text;
  document.body.appendChild(probe);
  const width = probe.getBoundingClientRect().width;
  probe.remove();
  return width;
})"""


def test_digits_alone_are_as_wide_as_each_other(show: Show) -> None:
    page = show().page
    page.evaluate("document.fonts.ready")

    digits = page.evaluate(WIDTHS, [*"0123456789"])
    hyphen, space, bracket = page.evaluate(WIDTHS, ["-", " ", "("])

    assert page.evaluate("Array.from(document.fonts).filter((each) => each.status === 'loaded').length") >= 1
    assert max(digits) - min(digits) < 0.1
    assert hyphen < 0.8 * digits[0]
    assert space < 0.5 * digits[0]
    assert bracket < 0.62 * digits[0]


PICTURES = [
    ("board-1080-dark", 1920, 1080, "dark"),
    ("board-1080-light", 1920, 1080, "light"),
    ("board-720-dark", 1280, 720, "dark"),
    ("board-720-light", 1280, 720, "light"),
    ("board-phone", 390, 844, "system"),
]


@pytest.mark.parametrize(("name", "width", "height", "theme"), PICTURES)
def test_pictures_of_the_board(show: Show, board: Board, name: str, width: int, height: int, theme: str) -> None:
    with_theme(board, theme)
    shown = show(width, height)
    shown.fill(6, 24, 5)
    shown.news("queues", {"queue:506": fake_feeds.queue(5, missing_since=fake_feeds.now_ms() - 660_000)})
    shown.settle()

    shown.page.screenshot(path=SCREENSHOTS / f"{name}.png")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_pictures_of_the_tv(show_tv: Show, board: Board, theme: str) -> None:
    with_theme(board, theme)
    tv = show_tv()
    tv.fill(6, 24, 5)

    tv.page.screenshot(path=SCREENSHOTS / f"tv-{theme}.png")


MANAGED = {
    "/": "boards",
    "/boards/main/edit/": "edit",
    "/screens/": "screens",
    "/calls/": "calls",
    "/reports/": "reports",
    "/setup/": "set-up",
}


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("path", [*MANAGED, "/pair/"])
def test_every_page_is_accessible(pages: Pages, board: Board, sign_in: SignIn, path: str, scheme: Any) -> None:
    page = pages.open(width=1280, height=800, locale="en-GB", color_scheme=scheme, bypass_csp=True)
    BoardPage(page, sign_in("administrator"), board, path)

    assert violations(page) == []
    if path in MANAGED and scheme == "light":
        page.screenshot(path=SCREENSHOTS / f"page-{MANAGED[path]}.png")


@pytest.fixture(autouse=True)
def a_folder_for_pictures() -> None:
    """The pictures are not part of the repository, so their folder may be missing."""
    SCREENSHOTS.mkdir(exist_ok=True)
