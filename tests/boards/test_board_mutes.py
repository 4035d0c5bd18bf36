"""What is muted, on every board that it is about and on TVs; and the queue whose link somebody followed."""

import pytest
from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.conftest import Show
from tests.boards.test_board_alerts import Docs, raised
from wallboard.boards import editing, layout
from wallboard.boards.models import Board


def mute(seconds: float, reason: str = "fire drill") -> Docs:
    return {"until": fake_feeds.now_ms() + int(seconds * 1000), "reason": reason}


def test_a_mute_stands_on_the_board_and_its_queue_until_it_is_over(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)
    line, cards = shown.page.locator("#alert-muted"), shown.page.locator(".queue-card-muted:not([hidden])")
    expect(line).to_be_hidden()

    shown.news("queues", {"mute:501": mute(3600)})
    shown.settle()
    expect(line).to_contain_text("Support muted until ")
    expect(line).to_contain_text("· fire drill")
    expect(cards).to_have_text(["muted"])
    raised(shown, "501")
    expect(line).to_be_visible()

    shown.news("queues", {"mute:502": mute(3600)})
    shown.settle()
    expect(line).to_contain_text("Sales muted until ")

    shown.news("queues", {"mute:": mute(1.5, "training")}, gone=("mute:502", "mute:501"))
    shown.settle()
    expect(line).to_contain_text("Everything muted until ")
    expect(cards).to_have_count(0)
    expect(line).to_be_hidden(timeout=5000)


def test_a_board_of_other_queues_tells_of_no_mute_but_that_of_everything(show: Show, board: Board) -> None:
    editing.update(board, editing.BoardInput("Sales", layout=layout.Layout(queues=("502",))))
    shown = show()
    shown.fill(3, 4, 1)

    shown.news("queues", {"mute:501": mute(3600)})
    shown.settle()
    expect(shown.page.locator("#alert-muted")).to_be_hidden()
    shown.news("queues", {"mute:": mute(3600)})
    shown.settle()
    expect(shown.page.locator("#alert-muted")).to_be_visible()


def test_a_mute_of_a_queue_that_is_off_every_board_is_not_told(show: Show) -> None:
    shown = show()
    shown.fill(3, 4, 1)
    line = shown.page.locator("#alert-muted")
    shown.news("queues", {"mute:501": mute(3600), "mute:502": mute(3600)})
    expect(line).to_contain_text("Support muted until ")

    shown.news("queues", {}, gone=("about:501",))
    expect(line).not_to_contain_text("Support")
    expect(line).to_contain_text("Sales muted until ")
    expect(line).not_to_contain_text("Everything")


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920), (390, 844)])
def test_a_mute_and_an_alert_share_the_line_of_a_tv(show_tv: Show, size: tuple[int, int]) -> None:
    shown = show_tv(*size)
    shown.fill(6, 4, 1)
    shown.news("queues", {"mute:501": mute(3600, "The fire drill of the whole building, and the new phones after it")})
    raised(shown, "501")

    inside = """(node) => { const box = node.getBoundingClientRect(), line = node.parentElement.getBoundingClientRect();
        return box.top >= line.top && box.bottom <= line.bottom + 1 && box.right <= innerWidth; }"""
    for part in ("#alert-muted", ".alert"):
        assert shown.page.locator(part).first.evaluate(inside), part
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    alert = shown.page.locator(".alert").first.bounding_box()
    assert alert is not None
    assert alert["width"] > size[0] * (0.9 if size[0] < 700 else 0.4)


def test_the_link_of_a_message_marks_its_queue(show: Show, board: Board) -> None:
    shown = show()
    shown.page.evaluate("window.location.hash = 'queue-502'")
    shown.page.reload()
    shown.fill(3, 4, 1)

    expect(shown.page.locator(".is-wanted .queue-card-name")).to_have_text("Sales")
