"""A TV whose server goes away while it reloads comes back by itself, in a real browser behind a proxy."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Domain
from tests.harness.browser import Pages
from tests.harness.redis import running_redis
from tests.live.serving import company, serving
from tests.screens.outages import Proxy, proxied
from wallboard.boards.models import Board
from wallboard.screens import screens

OUTAGE = "WebSocket|ERR_|favicon|502|Failed to load|404"
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.console_may_say(OUTAGE),
]
RUNS = "() => document.documentElement.classList.contains('is-fitted')"
STANDS_BY = "() => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller))"


@pytest.fixture
def domain(transactional_db: None) -> Domain:
    return company()


@pytest.fixture
def proxy(tmp_path: Path, settings: Any, domain: Domain) -> Iterator[Proxy]:
    with running_redis(tmp_path) as redis:
        settings.REDIS_URL = redis.url
        serves = serving("daphne", redis, tmp_path, DEBUG="1", ALLOWED_HOSTS="127.0.0.1,localhost")
        with serves as server, proxied(server.origin) as ours:
            yield ours


def tv(pages: Pages, proxy: Proxy, **options: Any) -> Page:
    """A paired TV that shows its board."""
    _, token = screens.create(Board.objects.get(), "Hall")
    page = pages.open(bypass_csp=True, **options)
    page.goto(f"{proxy.origin}/screen/{token}/")
    page.wait_for_function(RUNS)
    return page


def test_a_reload_while_the_server_is_away_waits_and_comes_back(pages: Pages, proxy: Proxy) -> None:
    page = tv(pages, proxy)
    page.wait_for_function(STANDS_BY)

    proxy.refused = "."
    page.evaluate("setTimeout(() => location.reload())")
    expect(page.get_by_role("heading", name="Waiting for the server")).to_be_visible()
    assert "502" not in page.inner_text("body")
    page.wait_for_timeout(6000)
    expect(page.get_by_role("heading", name="Waiting for the server")).to_be_visible()
    proxy.refused = ""

    expect(page.locator("#flash")).to_be_attached(timeout=15_000)
    page.wait_for_function(RUNS)


def test_scripts_that_are_refused_after_the_page_itself_came_are_asked_for_again(pages: Pages, proxy: Proxy) -> None:
    page = tv(pages, proxy)
    page.wait_for_function(STANDS_BY)

    proxy.refused = "^/static/js/"
    page.evaluate("setTimeout(() => location.reload())")
    page.wait_for_timeout(3000)
    proxy.refused = ""

    page.wait_for_function(RUNS, timeout=15_000)


@pytest.mark.console_may_say(f"{OUTAGE}|Unexpected|import")  # the script that is broken on purpose
def test_a_page_that_does_not_run_is_loaded_anew(pages: Pages, proxy: Proxy) -> None:
    proxy.edits = [("/screen/worker.js", b"45000", b"2000")]
    page = tv(pages, proxy)
    page.wait_for_function(STANDS_BY)

    proxy.edits.append(("/static/js/pages/tv.js", b"import", b"broken import"))
    page.evaluate("window.isTheSamePage = true; setTimeout(() => location.reload())")
    page.wait_for_function("() => !window.isTheSamePage && document.readyState === 'complete'")
    assert not page.evaluate(RUNS)
    proxy.edits.pop()

    page.wait_for_function(RUNS, timeout=15_000)


def test_without_a_worker_a_page_stays_until_the_next_one_is_known_to_load(pages: Pages, proxy: Proxy) -> None:
    page = tv(pages, proxy, service_workers="block")
    page.evaluate("window.isTheSamePage = true")

    proxy.refused = "^/screen/"
    page.evaluate("import('/static/js/live/leaving.js').then(({ reloadOnceServed }) => reloadOnceServed(0))")
    page.wait_for_timeout(3000)
    assert page.evaluate("window.isTheSamePage")
    proxy.refused = ""

    page.wait_for_function("() => !window.isTheSamePage", timeout=15_000)
    page.wait_for_function(RUNS)
