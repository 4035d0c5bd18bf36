"""On a board: a talk without news stays a talk and says so; what something speaks against comes last, and few of it."""

from playwright.sync_api import expect

from tests.boards import fake_feeds
from tests.boards.conftest import Show

MINUTE_MS = 60_000


def test_a_long_talk_stays_one_and_says_how_old_its_news_is(show: Show) -> None:
    board = show()
    board.fill(2, 8, 2)
    began = fake_feeds.now_ms() - 42 * MINUTE_MS
    ana = {**fake_feeds.people(1)["101"], "state": "talking", "with": "Bo", "since": began, "heard": began}
    leg = {**fake_feeds.calls(2)["901"], "state": "talking", "since": began, "heard": began}

    board.news("people", {"101": ana})
    board.news("calls", {"901": leg})

    person = board.page.locator(".person[data-key='101']")
    expect(person).to_have_attribute("data-state", "talking")
    expect(person.locator(".person-with")).to_have_text("Bo · no news for 42 min")
    row = board.page.locator(".call[data-key='901']")
    expect(row).to_have_attribute("data-state", "talking")
    expect(row.locator(".call-news")).to_have_text("no news for 42 min")


def test_what_is_doubtful_comes_last_and_never_fills_the_list(show: Show) -> None:
    board = show()
    board.fill(2, 8, 2)
    old = fake_feeds.now_ms() - 90 * MINUTE_MS
    doubtful = {
        str(800 + index): {
            **fake_feeds.calls(1)["900"], "id": 800 + index, "call": f"old-{index}",
            "started": old + index, "since": old + index, "heard": old + index, "unconfirmed": True,
        }
        for index in range(12)
    }  # fmt: skip

    board.news("calls", doubtful)

    expect(board.page.locator(".calls-more")).to_be_visible()
    keys = [row.get_attribute("data-key") for row in board.page.locator(".call").all()]
    assert keys[:2] == ["900", "901"]
    assert keys[2:] in ([], ["811"]), "one row at most, the newest, where there is room for it"
