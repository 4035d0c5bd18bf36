"""Whatever is killed or frozen: after its restart the open pages are right again, without a reload."""

import signal
import time

import pytest
import requests
from playwright.sync_api import Page

from accounts.tokens.patience import LONGEST_PAUSE_SECONDS
from tests.harness.browser import Pages
from tests.harness.signing_in import sign_in
from tests.harness.site import Site

pytestmark = [pytest.mark.faults, pytest.mark.console_may_say(r"WebSocket|ERR_CONNECTION|Failed to load resource")]
POLL_SECONDS = 1
GREY_SECONDS = 2 * POLL_SECONDS + 5
callers = (f"+44207946{number}" for number in range(1000, 9999))
QUEUES_LIVE, CALLS_LIVE = ".foot-queues[data-light=good]", ".foot-calls[data-light=good]"
QUEUES_GREY = ".foot-queues[data-light=bad]"


@pytest.fixture
def site(quiet_site: Site) -> Site:
    return quiet_site


@pytest.fixture
def board(pages: Pages, site: Site) -> Page:
    """A supervisor's open board that is live, and would notice a reload."""
    page = sign_in(pages, site, "101")
    page.locator(QUEUES_LIVE).wait_for()
    page.locator(CALLS_LIVE).wait_for()
    page.evaluate("window.isTheSamePage = true")
    return page


def assert_right_again(site: Site, board: Page, seconds: float = 40) -> None:
    """Figures are live, and a call that comes now shows, in the page that was open all the time.

    A worker that was killed in the middle of a poll has its lease for up to thirty seconds.
    """
    caller = next(callers)
    board.locator(QUEUES_LIVE).wait_for(timeout=seconds * 1000)
    board.locator(CALLS_LIVE).wait_for(timeout=seconds * 1000)
    site.wait(site.is_ready, seconds)
    site.simulator.control("call", {"from_number": caller, "to_user": "103", "ring_seconds": 30})
    board.locator(".calls-list .call", has_text=caller[-4:]).wait_for()
    assert board.evaluate("window.isTheSamePage")


def has_subscribers(site: Site) -> bool:
    """Whether the provider has told both subscriptions that they are ready."""
    ledger = requests.get(f"{site.simulator.base_url}/control/deliveries", timeout=10).json()
    return sum('"ready"' in str(delivery["body"]) for delivery in ledger["deliveries"]) >= 2


@pytest.mark.parametrize("name", ["web", "worker", "beat", "redis"])
def test_a_killed_process_leaves_no_trace_once_it_is_back(site: Site, board: Page, name: str) -> None:
    site.kill(name)
    board.wait_for_timeout(2000)
    site.restart(name)

    assert_right_again(site, board)


def test_calls_that_came_while_redis_was_away_show_afterwards(site: Site, board: Page) -> None:
    site.kill("redis")
    caller = next(callers)
    site.simulator.control("call", {"from_number": caller, "to_user": "104", "ring_seconds": 60})
    board.wait_for_timeout(1500)
    site.restart("redis")

    board.locator(".calls-list .call", has_text=caller[-4:]).wait_for(timeout=40_000)
    assert board.evaluate("window.isTheSamePage")


def test_a_stopped_provider_greys_the_board_and_its_return_heals_it(site: Site, board: Page) -> None:
    site.kill("simulator")
    began = time.monotonic()

    board.locator(QUEUES_GREY).wait_for(timeout=30_000)
    assert time.monotonic() - began <= GREY_SECONDS + 3  # for the browser driver's own look, and a busy machine
    site.restart("simulator")
    site.wait(lambda: has_subscribers(site), 60)  # it has forgotten its subscriptions: a call before that is not told

    assert_right_again(site, board, 90)


def test_a_frozen_web_process_greys_the_board_until_it_thaws(site: Site, board: Page) -> None:
    site.kill("web", signal.SIGSTOP)

    board.locator(QUEUES_GREY).wait_for(timeout=25_000)
    site.kill("web", signal.SIGCONT)

    assert_right_again(site, board)


def test_a_worker_that_starts_without_the_provider_is_live_soon_after_its_return(site: Site) -> None:
    site.kill("worker")
    site.kill("simulator")
    site.restart("worker")
    time.sleep(20)  # pauses have grown by now
    assert not site.is_ready()

    site.restart("simulator")

    begun = time.monotonic()
    site.wait(site.is_ready, 60)
    # The longest pause while nobody answers, and the first readings after it.
    assert time.monotonic() - begun < LONGEST_PAUSE_SECONDS + 10
