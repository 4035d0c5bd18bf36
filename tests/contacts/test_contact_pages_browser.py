"""A messy file in a real browser, and whether everybody can use the contact pages."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import HOSTILE, NARROW, SHOTS, WIDE
from tests.harness.axe import violations
from tests.harness.browser import Pages


def supervisor(desk_site: DeskSite, pages: Pages, path: str, **options: Any) -> Page:
    page = pages.open(**options)
    page.context.add_cookies([desk_site.cookie("101")])
    page.goto(f"{desk_site.url}/desk/contacts/{path}")
    return page


def accessible(page: Page) -> None:
    assert violations(page) == []


def test_a_messy_file_is_understood_and_shown_before_anything_is_saved(
    desk_site: DeskSite, pages: Pages, tmp_path: Path
) -> None:
    file = tmp_path / "messy.csv"
    file.write_text(f'Vorname;Nachname;Telefon\n"{HOSTILE.replace(chr(34), "")}";X;030 901820\nBen;Bad;hello\n')
    page = supervisor(desk_site, pages, "import/", **WIDE)
    accessible(page)

    page.get_by_label("CSV file").set_input_files(file)
    page.get_by_role("button", name="Look at it").click()

    expect(page.get_by_label("Column 3")).to_have_value("number")
    expect(page.get_by_text("is no phone number, extension or SIP address")).to_be_visible()
    accessible(page)
    page.screenshot(path=SHOTS / "contacts-import.png", full_page=True)
    page.goto(f"{desk_site.url}/desk/contacts/?q=txt.exe")
    expect(page.get_by_text("Nobody was found")).to_be_visible()


def test_contacts_are_added_found_and_changed_on_a_phone(desk_site: DeskSite, pages: Pages) -> None:
    page = supervisor(desk_site, pages, "add/", **NARROW)
    page.get_by_label("Name").fill("Paul Ochs")
    page.get_by_label("Numbers").fill("0171 7654321\n0171 7654322")
    accessible(page)
    page.get_by_role("button", name="Save").click()

    page.get_by_role("searchbox").fill("7654322")
    page.keyboard.press("Enter")

    expect(page.get_by_role("link", name="Paul Ochs")).to_be_visible()
    accessible(page)
    page.screenshot(path=SHOTS / "contacts-narrow.png", full_page=True)
    page.get_by_role("link", name="Paul Ochs").click()
    expect(page.get_by_label("Numbers")).to_have_value("0171 7654321\n0171 7654322")
