"""A TV of 2018: its whole day in a real Chromium 68, with a supervisor in a browser of today."""

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.alerts.test_alert_flow import START
from tests.harness.browser import Pages
from tests.harness.old_chromium import OldChromium, OldPage, running_old_chromium
from tests.harness.signing_in import sign_in
from tests.harness.site import Site, running_site
from wallboard.boards import time_zones

pytestmark = pytest.mark.one_database

SHOTS = Path(__file__).resolve().parent.parent / "screenshots"
MEASURE = (Path(__file__).resolve().parent.parent / "boards/wall_measure.js").read_text()
LIVE = "document.querySelector('.queue-card[data-level]:not([data-level=unknown])')"
FORMAT = Path(__file__).resolve().parents[2] / "static/js/lib/format.js"
REFUSED = "{ try { return !new Intl.DateTimeFormat('en', { timeZone: zone }); } catch (error) { return true; } }"
ROTATION = """
from dataclasses import replace
from accounts.models import Domain
from wallboard.boards import editing
from wallboard.boards.models import Board
from wallboard.screens import rotations
domain = Domain.objects.get()
second = editing.create(domain, editing.BoardInput("Second board"))
main = Board.objects.get(slug="main")
editing.update(main, replace(editing.current_input(main), name="Main board"))
steps = ((main, 5), (second, 5))
rotations.save(domain, rotations.RotationInput("Both boards", steps))
"""
AWAY = "ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|WebSocket|503"  # what the console says while the server is away


@pytest.fixture(scope="module")
def old_chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OldChromium]:
    with running_old_chromium(tmp_path_factory.mktemp("chromium")) as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An installation of its own, to be stopped and renewed. Extension 101 is a supervisor."""
    with running_site(tmp_path_factory.mktemp("site"), {}, {}) as own:
        own.manage("person", "101", "--role", "supervisor")
        own.manage("shell", "-v0", "-c", ROTATION)
        yield own


@pytest.fixture
def tv(old_chromium: OldChromium, site: Site) -> Iterator[OldPage]:
    """A TV that shows a code to be paired with."""
    with old_chromium.page() as page:
        page.goto(f"{site.url}/pair/")
        page.wait("document.querySelector('.pair-code')")
        yield page


def pair(tv: OldPage, pages: Pages, site: Site, name: str, shows: str) -> Page:
    """Pair it as a supervisor does; that supervisor's page of screens."""
    supervisor = sign_in(pages, site, "101")
    supervisor.goto(f"{site.url}/screens/?code={tv.text('.pair-code').replace(' ', '')}")
    form = supervisor.locator("form", has_text="Pair a TV")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Shows").select_option(shows)
    supervisor.get_by_role("button", name="Pair", exact=True).click()
    tv.wait("location.pathname === '/screen/'")
    tv.wait(LIVE)
    return supervisor


def test_it_is_paired_and_its_board_lives_and_is_loaded_anew_by_a_supervisor(
    tv: OldPage, pages: Pages, site: Site
) -> None:
    assert "68." in tv.evaluate("navigator.userAgent")
    tv.screenshot(SHOTS / "tv-of-2018-pair.png")
    supervisor = pair(tv, pages, site, "Hall", "Main board")

    site.simulator.control("call", {"from_number": "+442079469851", "to_user": "104", "ring_seconds": 20})
    tv.wait_for_text(".calls-list .call", "51", 5)
    tv.wait_for_text(".foot-screen", "Hall")
    tv.screenshot(SHOTS / "tv-of-2018.png")
    assert tv.evaluate(f"({MEASURE})(23.5)") == []

    row = supervisor.locator(".screen-row", has=supervisor.locator('input[value="Hall"]'))
    expect(row.locator(".screen-state")).to_have_text("live", timeout=10_000)
    tv.evaluate("window.isOld = true")
    supervisor.get_by_role("button", name="Reload Hall").click()
    tv.wait("!window.isOld", 10)
    tv.wait(LIVE)
    assert tv.complaints == []


def test_zones_whose_names_it_refuses_have_their_time_there(old_chromium: OldChromium) -> None:
    script = base64.b64encode(FORMAT.read_bytes()).decode()
    moments = [datetime(datetime.now(UTC).year, month, 15, 12, tzinfo=UTC) for month in (1, 7)]

    with old_chromium.page() as page:
        page.goto("about:blank")
        refused = page.evaluate(f"{json.dumps(time_zones.names())}.filter((zone) => {REFUSED})")
        asked = json.dumps({zone: [moment.timestamp() * 1000 for moment in moments] for zone in refused})
        written = "each[1].map((ms) => format.time(ms, each[0]))"
        load = f"import('data:text/javascript;base64,{script}')"
        shown = page.evaluate(f"{load}.then((format) => Object.entries({asked}).map((each) => {written}))")

    right = {zone: [f"{moment.astimezone(ZoneInfo(zone)):%H:%M}" for moment in moments] for zone in refused}
    right["America/Nuuk"][1] = right["America/Nuuk"][0]  # no zone that it knows has that summer time
    assert dict(zip(refused, shown, strict=True)) == right
    assert "Europe/Kyiv" in refused


def test_it_turns_its_boards_and_shows_an_alert(tv: OldPage, pages: Pages, site: Site) -> None:
    pair(tv, pages, site, "Foyer", "Both boards")
    tv.evaluate("window.isTheSamePage = true")

    tv.wait_for_text("h1", "Second board", 15)
    tv.wait_for_text("h1", "Main board", 15)
    site.manage("shell", "-v0", "-c", START)
    tv.wait_for_text(".alert", "Late")
    tv.wait("document.querySelector('.queue-card[data-level=late]')")

    assert tv.evaluate("window.isTheSamePage")
    assert tv.complaints == []


@pytest.mark.console_may_say(AWAY)
def test_it_says_that_figures_are_old_and_takes_a_new_release(tv: OldPage, pages: Pages, site: Site) -> None:
    pair(tv, pages, site, "Stairs", "Main board")
    tv.evaluate("window.isOld = true")

    site.kill("web")
    tv.wait_for_text(".alert-line", "No connection to the server", 30)
    tv.wait(f"!{LIVE}")
    tv.screenshot(SHOTS / "tv-of-2018-stale.png")
    manifest = Path(site.env["STATIC_ROOT"]) / "staticfiles.json"
    manifest.write_text(manifest.read_text() + "\n")  # as another release would
    site.restart("web")

    tv.wait("!window.isOld", 60)
    tv.wait(LIVE)
    assert [each for each in tv.complaints if not any(word in each for word in AWAY.split("|"))] == []
