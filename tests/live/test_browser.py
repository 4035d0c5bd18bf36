"""The page's half of the socket, in a real browser against real servers."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from accounts.limits import set_limit
from accounts.models import Domain, Person
from accounts.people import change_role
from tests.harness.browser import Pages
from tests.harness.redis import running_redis
from tests.live.serving import Server, serving, signed_in
from wallboard.live import control, feeds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.console_may_say("WebSocket|ERR_|favicon")]

OPEN = """async ([query]) => {
  const { LiveSocket } = await import("/static/js/live/socket.js");
  window.news = [];
  window.statuses = [];
  window.live = new LiveSocket(query, {
    onNews: (feed, keys) => window.news.push([feed, keys]),
    onStatus: (status) => window.statuses.push(status),
  });
}"""


@pytest.fixture
def server(tmp_path: Path, settings: Any) -> Iterator[Server]:
    with running_redis(tmp_path) as redis:
        settings.REDIS_URL = redis.url
        with serving("daphne", redis, tmp_path, DEBUG="1") as running:
            yield running


def opened(pages: Pages, server: Server, cookie: str) -> Page:
    """A page of the site with a live socket that holds its feeds."""
    page = pages.open(bypass_csp=True)  # Playwright's waiting needs eval, which our pages forbid
    name, _, value = cookie.partition("=")
    page.context.add_cookies([{"name": name, "value": value, "url": server.origin}])
    page.clock.install()
    page.goto(f"{server.origin}/healthz")
    page.evaluate(OPEN, ["board=main"])
    page.wait_for_function("live.store.positions().length === 5")
    return page


def shows(page: Page, key: str, value: str, seconds: float = 10) -> None:
    """Wait until the page's queue has this document."""
    says = "([key, value]) => live.store.docs('queues').get(key) === value"
    page.wait_for_function(says, arg=[key, value], timeout=seconds * 1000)


def test_news_arrive_with_the_keys_that_changed(pages: Pages, server: Server, domain: Domain) -> None:
    page = opened(pages, server, signed_in(domain)[1])

    feeds.queues(domain.pk).publish({"a": (1, "x"), "b": (1, "y")})
    shows(page, "a", "x")
    feeds.queues(domain.pk).publish({"a": (2, None)})
    page.wait_for_function("!live.store.docs('queues').has('a')")

    heard = [keys for feed, keys in page.evaluate("news") if feed == "queues"]
    assert heard[0] is None
    assert [sorted(keys) for keys in heard[1:] if keys] == [["a", "b"], ["a"]]
    assert page.evaluate("live.status.open && !live.status.isSilent && live.status.release") == "unhashed"
    assert abs(page.evaluate("live.serverNow() - Date.now()")) < 1000


def test_a_restarted_server_is_found_again_and_only_what_was_missed_is_sent(
    pages: Pages, server: Server, domain: Domain
) -> None:
    page = opened(pages, server, signed_in(domain)[1])
    server.child.kill()
    page.wait_for_function("!live.status.open")
    server.child.stop()
    feeds.queues(domain.pk).publish({"missed": (1, "x")})
    server.start()

    # Told, even where the server has meanwhile found in the database that there is no such document.
    page.wait_for_function(
        "news.some(([feed, keys]) => feed === 'queues' && keys && keys.includes('missed'))", timeout=30_000
    )

    snapshots = [feed for feed, keys in page.evaluate("news") if keys is None]
    assert len(snapshots) == len(set(snapshots)) == 5


def test_a_frozen_server_is_noticed_and_found_again(pages: Pages, server: Server, domain: Domain) -> None:
    page = opened(pages, server, signed_in(domain)[1])
    server.child.kill(signal.SIGSTOP)
    try:
        page.clock.fast_forward(12_000)
        page.wait_for_function("live.status.isSilent", timeout=3000)
    finally:
        server.child.kill(signal.SIGCONT)

    feeds.queues(domain.pk).publish({"a": (1, "after")})
    shows(page, "a", "after", 30)
    page.wait_for_function("!live.status.isSilent && live.status.open")


def test_a_server_without_redis_makes_the_page_silent(pages: Pages, server: Server, domain: Domain) -> None:
    page = opened(pages, server, signed_in(domain)[1])

    server.redis.child.kill()
    page.wait_for_function("live.status.open && live.status.isSilent", timeout=15_000)
    assert abs(page.evaluate("live.status.silentSince - live.serverNow()")) < 20_000
    server.redis.child.stop()
    server.redis.start()

    page.wait_for_function("!live.status.isSilent", timeout=30_000)


PROVE = """(age, doubts) => live.hear(JSON.stringify({ ping: Date.now(), release: "", proof_age: age, doubts }))"""
AGED = "([age, doubts]) => (" + PROVE + ")(age, doubts)"


def test_pings_without_a_new_proof_do_not_keep_a_page_live(pages: Pages, server: Server, domain: Domain) -> None:
    page = opened(pages, server, signed_in(domain)[1])
    page.evaluate("live.drop(); live.look = () => live.tellStatus()")  # from now on this test is the server

    page.evaluate(AGED, [4_000, {}])
    assert not page.evaluate("live.status.isSilent")
    page.clock.run_for(7_500)
    page.evaluate(AGED, [11_500, {}])

    assert page.evaluate("live.status.isSilent && live.status.heardAgoMs < 1000")
    page.evaluate(AGED, [0, {}])
    assert not page.evaluate("live.status.isSilent")


def test_a_feed_that_may_lack_something_is_not_live_while_the_others_are(
    pages: Pages, server: Server, domain: Domain
) -> None:
    page = opened(pages, server, signed_in(domain)[1])
    page.evaluate("live.drop(); live.look = () => live.tellStatus()")

    page.evaluate(AGED, [0, {"calls": 12_000}])

    silent = "['calls', 'queues'].map((feed) => live.isSilentAbout(feed))"
    assert page.evaluate(silent) == [True, False]
    page.evaluate(AGED, [0, {}])
    assert page.evaluate(silent) == [False, False]


def test_what_is_held_from_an_earlier_connection_is_not_live_before_it_is_heard_anew(
    pages: Pages, server: Server, domain: Domain
) -> None:
    page = opened(pages, server, signed_in(domain)[1])
    page.evaluate("live.drop(); live.look = () => live.tellStatus()")

    page.evaluate("live.provedAt -= 12000; live.connect(); live.socket.onmessage = null")
    page.evaluate(AGED, [0, {}])
    assert page.evaluate("live.isSilentAbout('calls')")
    page.evaluate("""() => {
      const held = live.store.feeds.get("calls").id;
      live.hear(JSON.stringify({ feed: "calls", id: held, prev: held, set: {}, del: [] }));
    }""")

    assert not page.evaluate("live.isSilentAbout('calls')")


def test_who_is_signed_out_stays_out(pages: Pages, server: Server, domain: Domain) -> None:
    from django.contrib.sessions.models import Session

    person, cookie = signed_in(domain)
    page = opened(pages, server, cookie)

    Session.objects.all().delete()
    control.close_user(person.user_id or 0)
    page.wait_for_function("live.status.closedCode === 4401", timeout=6000)
    page.clock.fast_forward(60_000)
    page.wait_for_timeout(500)

    assert page.evaluate("[live.isOver, live.status.open, live.status.closedCode]") == [True, False, 4401]


def test_what_was_held_under_other_rights_is_forgotten(pages: Pages, server: Server, domain: Domain) -> None:
    person, cookie = signed_in(domain)
    page = opened(pages, server, cookie)

    change_role(person, Person.Role.AGENT)
    page.wait_for_function("live.store.isKnown('wall')")

    assert page.evaluate("[live.hasChanged, live.store.isKnown('calls')]") == [True, False]


@pytest.mark.parametrize("address", ["/boards/main/", "/boards/", "/people/", "/calls/", "/alerts/", "/desk/"])
def test_a_page_is_loaded_anew_when_what_it_may_show_has_changed(
    address: str, pages: Pages, server: Server, domain: Domain
) -> None:
    person, cookie = signed_in(domain)
    page = opened(pages, server, cookie)
    page.goto(server.origin + address)
    page.wait_for_timeout(1_000)  # its socket is open
    page.evaluate("window.isOld = true")

    set_limit(person, ["999"], None)
    page.wait_for_timeout(1_500)
    assert page.evaluate("window.isOld")  # not at once, as it was loaded just now
    page.clock.fast_forward(17_000)

    page.wait_for_function("!window.isOld", timeout=5_000)


def test_a_missing_frame_brings_the_feed_anew(pages: Pages, server: Server, domain: Domain) -> None:
    page = opened(pages, server, signed_in(domain)[1])
    page.evaluate("live.store.feeds.get('queues').id = '9-9'")

    feeds.queues(domain.pk).publish({"a": (1, "x")})
    page.clock.fast_forward(2_000)
    shows(page, "a", "x")

    assert [keys for feed, keys in page.evaluate("news") if feed == "queues"].count(None) == 2


def test_the_page_does_not_grow_over_a_hundred_thousand_frames(pages: Pages, server: Server, domain: Domain) -> None:
    page = opened(pages, server, signed_in(domain)[1])
    page.evaluate("live.onNews = live.onStatus = () => {}; window.news.length = 0")
    session = page.context.new_cdp_session(page)
    play = """(from) => {
      for (let n = from; n < from + 50000; n += 1) {
        const frame = { feed: "calls", id: n + "-1", prev: live.store.feeds.get("calls").id, set: {}, del: [] };
        frame.set["leg" + n] = { id: n, from: { name: "Somebody " + n } };
        if (n > 50) frame.del.push("leg" + (n - 50));
        live.hear(JSON.stringify(frame));
      }
    }"""

    used = []
    for start in (1, 50_001, 100_001):
        page.evaluate(play, start)
        session.send("HeapProfiler.collectGarbage")
        used.append(session.send("Runtime.getHeapUsage")["usedSize"])

    assert used[2] - used[0] < 1_000_000
    assert page.evaluate("live.store.docs('calls').size") == 51  # with the word about events


def test_a_clock_that_is_set_back_does_not_make_old_news_look_fresh(
    pages: Pages, server: Server, domain: Domain
) -> None:
    page = opened(pages, server, signed_in(domain)[1])
    now = page.evaluate("Date.now()")

    page.clock.set_system_time(now / 1000 - 3600)
    page.clock.run_for(1_500)

    assert page.evaluate("live.status.heardAgoMs") < 60_000
    page.wait_for_function("now => Math.abs(live.serverNow() - now) < 30000", arg=now, timeout=15_000)
