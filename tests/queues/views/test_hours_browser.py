"""The page of hours follows what somebody writes, in a browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.boards.conftest import SignIn
from tests.harness.answers import show_answer
from tests.harness.browser import Pages
from tests.queues.views.test_targets import sales
from wallboard.queues.models import Queue

__all__ = ["sales"]
CHOICES = {"as every queue", "hours of its own, as below", "always open"}


@pytest.fixture
def page(pages: Pages, sign_in: SignIn, sales: Queue) -> Page:
    page = pages.open(locale="en-GB")
    show_answer(page, sign_in("supervisor").get("/targets/hours/?queue=501"))
    return page


def chosen(page: Page) -> str:
    return next(each for each in CHOICES if page.get_by_label(each).is_checked())


@pytest.mark.parametrize("before", ["as every queue", "always open"])
def test_hours_that_are_typed_are_the_queues_own(page: Page, before: str) -> None:
    page.get_by_label(before).check()

    page.get_by_label("Monday").press_sequentially("8")

    assert chosen(page) == "hours of its own, as below"
    page.get_by_label(before).check()
    expect(page.get_by_label("Monday")).to_have_value("8")
    assert chosen(page) == before


def test_closed_days_belong_to_a_queue_that_is_always_open_as_well(page: Page) -> None:
    page.get_by_label("always open").check()
    page.get_by_label("Closed on these days").press_sequentially("2")
    assert chosen(page) == "always open"

    page.get_by_label("as every queue").check()
    page.get_by_label("Closed on these days").press_sequentially("0")

    assert chosen(page) == "hours of its own, as below"
