"""Names that want to be more than text stay text, clipped, on every page of the desk and the contacts."""

from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.desk.desk_site import DeskSite
from tests.desk.locators import HOSTILE, NARROW, SHOTS, name
from tests.harness.axe import violations
from tests.harness.browser import Pages

RIGHT_TO_LEFT = "\u202e\u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627"
EMOJI = "\U0001f469\u200d\U0001f4bb\U0001f3f3\ufe0f\u200d\U0001f308"
BACKWARDS = f"{RIGHT_TO_LEFT} <b>bold</b> {EMOJI}"
ENDLESS = "W" * 4000


def harmless(page: Page, dialogs: list[str]) -> None:
    assert dialogs == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("main img, main script, main b > b").count() == 0


def watched(page: Page) -> list[str]:
    dialogs: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    return dialogs


@pytest.mark.parametrize("said", [HOSTILE, BACKWARDS, ENDLESS], ids=["script", "backwards", "endless"])
def test_on_the_desk(desk_site: DeskSite, pages: Pages, mia: str, said: str) -> None:
    page = desk_site.desk(pages, mia, **NARROW)
    dialogs = watched(page)
    call = desk_site.ring(mia, name=said)
    expect(name(page)).to_contain_text(said.strip("\u202e")[:20])
    assert name(page).bounding_box()["height"] < 90
    harmless(page, dialogs)
    desk_site.event("ended", call, mia)
    page.get_by_role("button", name="No card for this number").click()
    expect(page.locator("#toast")).to_be_visible()
    harmless(page, dialogs)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#day-calls li")).to_have_count(1)
    harmless(page, dialogs)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_the_contact_pages(desk_site: DeskSite, pages: Pages, mia: str, scheme: str, tmp_path: Path) -> None:
    page = pages.open(**NARROW, color_scheme=scheme, reduced_motion="reduce")
    page.context.add_cookies([desk_site.cookie("101")])
    dialogs = watched(page)
    for number, written in enumerate((HOSTILE[:118], BACKWARDS)):
        page.goto(f"{desk_site.url}/desk/contacts/add/")
        page.get_by_label("Name").fill(f"Zz{written}")
        page.get_by_label("Company").fill("Zz" + "W" * 118)
        page.get_by_label("Numbers").fill(f"0171 765{number}321\n0171 7659999")
        page.get_by_role("button", name="Save").click()
    page.goto(f"{desk_site.url}/desk/contacts/?q=zz")
    shown(page, dialogs, f"contacts-{scheme}")
    page.locator("tbody a").first.click()
    shown(page, dialogs, f"contact-{scheme}")
    page.get_by_role("link", name="Merge with another contact").click()
    shown(page, dialogs, f"contacts-merge-{scheme}")
    page.get_by_role("link", name="Choose").first.click()
    shown(page, dialogs, f"contacts-merge-preview-{scheme}")
    page.get_by_role("button", name="Merge").click()
    expect(page.get_by_text("Both are one contact now.")).to_be_visible()
    page.get_by_role("button", name="Remove this contact").click()

    file = tmp_path / "hostile.csv"
    file.write_text(f'Name;Phone\n"{BACKWARDS}";0171 1\n{ENDLESS};0171 7650001\n=HYPERLINK(1);0171 7650002\n')
    page.goto(f"{desk_site.url}/desk/contacts/import/")
    shown(page, dialogs, f"import-{scheme}")
    page.get_by_label("CSV file").set_input_files(file)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_text("is too long")).to_be_visible()
    shown(page, dialogs, f"import-preview-{scheme}")


def shown(page: Page, dialogs: list[str], shot: str) -> None:
    """Nothing ran, nothing sticks out, axe is content, and there is a picture of it."""
    harmless(page, dialogs)
    assert violations(page) == []
    page.screenshot(path=SHOTS / f"{shot}.png", full_page=True)
