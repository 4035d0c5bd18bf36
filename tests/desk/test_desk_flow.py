"""The desk in a whole installation: the provider's POST, the door, the feed, the socket, the card; and an import."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.desk.locators import SHOTS
from tests.harness.browser import Pages
from tests.harness.signing_in import sign_in
from tests.harness.site import Site, running_site

CALLS = 10
AGENT, SUPERVISOR = "101", "102"
MESSY = """Vorname;Nachname;Firma;Telefon;Mobil;E-Mail
Jürgen;Groß;"Groß; Söhne";+49 30 901820;+49-171-1234567;j.gross@example.test

Ada;;;+49 (30) 90/18-21;;
Ben;Bad;;hello;;
"Zoë
Two Lines";Ünal;;tel:+4930901822;;
Jürgen;Groß;;+4930901820;+49 171 7654321;
=1+1;Formula;;+4930901823;;
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A quiet installation for both tests."""
    with running_site(tmp_path_factory.mktemp("site"), {"load": 0, "agents": 4, "queues": 1}, {}) as running:
        running.manage("person", SUPERVISOR, "--role", "supervisor")
        yield running


@pytest.mark.console_may_say("favicon.ico")
def test_each_of_the_providers_posts_becomes_a_card(site: Site, pages: Pages) -> None:
    page = sign_in(pages, site, AGENT, "/desk/", width=1280, height=800)
    page.wait_for_selector("#queue-rows li")

    for number in range(CALLS):
        wanted = f"Caller {number}"
        call = {"from_number": "+4930901899", "to_user": AGENT, "name": wanted, "ring_seconds": 0.3}
        site.simulator.control("call", {**call, "answer": False})
        site.wait(page.locator(".desk-card .desk-name", has_text=wanted).is_visible)
        expect(page.locator(".desk-card .desk-band-state")).to_have_text("Missed")
        page.locator('.desk-card [data-act="close"]').click()


@pytest.mark.console_may_say("favicon.ico")
def test_a_messy_file_is_imported_whole_or_not_at_all(site: Site, pages: Pages, tmp_path: Path) -> None:
    SHOTS.mkdir(exist_ok=True)
    file = tmp_path / "messy.csv"
    file.write_bytes(MESSY.encode("cp1252"))
    page = sign_in(pages, site, SUPERVISOR, "/desk/contacts/import/", width=1280, height=800)
    page.get_by_label("CSV file").set_input_files(file)
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name="Import 6 lines").click()

    expect(page.get_by_text("Nothing is saved: 1 line cannot be read")).to_be_visible(timeout=20_000)
    expect(page.get_by_role("row", name="5 “hello” is no phone number")).to_be_visible()
    page.screenshot(path=SHOTS / "contacts-import-faulty.png", full_page=True)
    page.get_by_role("button", name="Import the other 5 lines").click()
    expect(page.get_by_text("The file is in.")).to_be_visible(timeout=20_000)

    page.get_by_role("link", name="To the contacts").click()
    expect(page.locator("tbody tr")).to_have_count(4)
    page.get_by_role("searchbox").fill("jurgen gro")
    page.keyboard.press("Enter")
    row = page.locator("tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("171 7654321")
    expect(row).to_contain_text("Groß; Söhne")
