"""The cards of the totals hold their words whole, with room below, in each language and on the screens of desks."""

from dataclasses import replace

import pytest

from tests.boards import fake_feeds
from tests.boards.conftest import Show
from wallboard.boards import editing
from wallboard.boards.models import Board

SIZES = [(1280, 850), (1366, 768), (1920, 1080)]

# How far the words of each card reach into its padding, or beyond, above and below.
MEASURE = """() => Array.from(document.querySelectorAll(".total")).flatMap((card) => {
  const box = card.getBoundingClientRect(), style = getComputedStyle(card);
  const part = (name) => card.querySelector(name).getBoundingClientRect();
  const [figure, line] = [part(".total-figure"), part(".total-line")];
  const above = box.top + parseFloat(style.paddingTop) - figure.top;
  const below = line.bottom - (box.bottom - parseFloat(style.paddingBottom));
  return above > 1 || below > 1 ? [`${card.dataset.total}: ${above} above, ${below} below`] : [];
})"""


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "nl", "ar"])
def test_a_total_holds_its_label_and_since_when_it_counts(show: Show, board: Board, language: str) -> None:
    editing.update(board, replace(editing.current_input(board), language=language))
    shown = show(*SIZES[0], reduced_motion="reduce")
    today = fake_feeds.today(counted_since=fake_feeds.now_ms() - 3_600_000)

    for width, height in SIZES:
        shown.page.set_viewport_size({"width": width, "height": height})
        shown.fill(6, 24, 5)
        shown.snapshot(f"board:{board.pk}", {"today": today})
        shown.settle()

        assert shown.text('.total[data-total="unanswered"] .total-note') != ""
        assert shown.page.evaluate(MEASURE) == [], (width, height)
