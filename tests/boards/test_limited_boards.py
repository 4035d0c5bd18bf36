"""A board before somebody who may see only some of the queues."""

from playwright.sync_api import expect

from accounts import limits
from accounts.models import Person
from tests.boards import fake_feeds
from tests.boards.conftest import Show, SignIn
from tests.boards.test_board_fits import MEASURE


def test_what_is_counted_over_all_queues_is_explained_instead_of_a_question_mark(show: Show, sign_in: SignIn) -> None:
    client = sign_in("supervisor")
    limits.set_limit(Person.objects.latest("pk"), ["501"], None)
    shown = show(client=client)

    shown.snapshot("queues", fake_feeds.queues(1))
    shown.snapshot("people", fake_feeds.people(1))
    shown.snapshot("calls", fake_feeds.calls(1))
    shown.settle()

    for name in ("late", "unanswered"):
        total = shown.page.locator(f'[data-total="{name}"]')
        expect(total).to_have_attribute("data-state", "beyond")
        expect(total.locator(".total-figure")).to_have_text("–")
        expect(total.locator(".total-note")).to_have_text("only for people who see every queue")
    assert shown.page.evaluate(MEASURE) == []  # in words what is cut or lies on something else


def test_only_whoever_may_open_the_screens_is_offered_them(show: Show, sign_in: SignIn) -> None:
    whole, limited = sign_in("supervisor"), sign_in("supervisor")
    limits.set_limit(Person.objects.latest("pk"), ["501"], None)

    assert "Show on a TV" in whole.get("/").content.decode()
    assert "Show on a TV" not in limited.get("/").content.decode()
