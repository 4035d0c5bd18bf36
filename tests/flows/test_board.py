"""A whole installation in front of a browser: it lives, it is quick, and it keeps its secrets."""

import pytest
import redis
import requests
from playwright.sync_api import Page

from tests.harness.browser import Pages
from tests.harness.signing_in import sign_in
from tests.harness.site import Site

FIGURES = "article.queue-card[data-level]:not([data-level=unknown])"
SECONDS_TO_FIGURES = """figures => new Promise((done) => {
  const look = () => document.querySelector(figures)
    ? done((performance.now() - performance.getEntriesByType("navigation")[0].responseEnd) / 1000)
    : requestAnimationFrame(look);
  look();
})"""


@pytest.fixture
def site(quiet_site: Site) -> Site:
    return quiet_site


def supervisor(pages: Pages, site: Site) -> Page:
    page = sign_in(pages, site, "101")
    page.locator(FIGURES).first.wait_for()
    page.evaluate("window.isTheSamePage = true")
    return page


def test_the_board_changes_without_a_reload(site: Site, pages: Pages) -> None:
    page = supervisor(pages, site)

    site.simulator.control("call", {"from_number": "+442079469876", "to_user": "103", "ring_seconds": 20})

    page.locator(".calls-list .call", has_text="9876").wait_for(timeout=5000)
    assert page.evaluate("window.isTheSamePage")


def test_a_tv_shows_the_call_and_not_the_number(site: Site, pages: Pages) -> None:
    tv = pages.open(site.manage("screen", "main").strip())
    tv.locator(FIGURES).first.wait_for()

    site.simulator.control("call", {"from_number": "+442079469851", "to_user": "104", "ring_seconds": 20})

    tv.locator(".calls-list .call", has_text="51").first.wait_for(timeout=5000)
    assert "9469851" not in tv.content().replace(" ", "")
    assert "/screen/" in tv.url
    assert len(tv.url.rstrip("/").split("/")) == 4, "the token stands in the address"


def test_the_board_shows_figures_within_a_second_of_its_html(site: Site, pages: Pages) -> None:
    page = supervisor(pages, site)

    times = []
    for _ in range(3):
        page.reload(wait_until="commit")
        times.append(page.evaluate(SECONDS_TO_FIGURES, FIGURES))

    assert min(times) < 1, times  # the best of three: other tests share the machine


def test_an_emptied_redis_is_filled_again(site: Site, pages: Pages) -> None:
    page = supervisor(pages, site)
    with redis.Redis.from_url(site.env["REDIS_URL"]) as client:
        client.flushall()

    site.simulator.control("call", {"from_number": "+442079469833", "to_user": "105", "ring_seconds": 40})

    page.locator(".calls-list .call", has_text="9833").wait_for(timeout=15_000)
    page.locator(FIGURES).first.wait_for()
    assert page.evaluate("window.isTheSamePage")


def test_the_logs_hold_no_secret(site: Site, pages: Pages) -> None:
    supervisor(pages, site)
    told = site.manage("screen", "main").strip()
    requests.get(told, timeout=10)
    sent = requests.get(f"{site.simulator.base_url}/control/requests", timeout=10).text
    hooks = {word.split("/")[0] for word in sent.split("/hooks/")[1:]}
    shell = "from wallboard.calls.models import Subscription as S; print(*[s.secret.open() for s in S.objects.all()])"
    secrets = {*site.manage("shell", "-v0", "-c", shell).split(), *hooks, told.rstrip("/").rsplit("/", 1)[1]}
    secrets |= {value for name, value in site.env.items() if name.endswith(("SECRET", "SECRET_KEY", "TOKEN_KEYS"))}

    logs = "".join(site.log(name) for name in ("web", "worker", "beat"))

    assert len(secrets) >= 6
    assert [secret for secret in secrets if len(secret) > 8 and secret in logs] == []
