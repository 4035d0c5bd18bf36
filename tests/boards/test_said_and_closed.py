"""On a board: what people say of themselves beside their state, and "closed" in place of an alarm."""

from playwright.sync_api import expect

from tests.boards import floor
from tests.boards.conftest import Show


def test_a_closed_queue_says_so_in_place_of_a_level(show: Show) -> None:
    board = show()
    board.fill(8, 8, 3)
    card = board.page.locator(".queue-card[data-key='501']")
    expect(card).to_have_attribute("data-level", "late")

    board.news("queues", {"queue:501": floor.queue(0, level="normal", reason="closed")})

    expect(card.locator(".queue-card-word")).to_have_text("Closed")
    expect(card).to_have_attribute("data-level", "closed")
    expect(card.locator(".queue-card-figure")).to_have_text("6")
    expect(card.locator(".queue-card-for")).to_have_text("")


def test_what_somebody_says_stands_beside_the_state_until_its_time(show: Show) -> None:
    board = show()
    board.fill(8, 8, 3)
    until = floor.now_ms() + 4000
    ana = floor.people(1)["101"] | {"state": "idle"}
    board.news("people", {"101": {**ana, "said": {"word": "lunch", "note": "canteen", "since": 1, "until": until}}})
    person = board.page.locator(".person[data-key='101']")

    expect(person.locator(".person-with")).to_contain_text("lunch, back")
    expect(person.locator(".person-word")).to_have_text("idle")
    expect(person).to_have_attribute("data-said", "true")
    expect(person).to_have_attribute("data-said", "false", timeout=8000)
    expect(person.locator(".person-with")).to_have_text("")
