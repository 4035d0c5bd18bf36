"""The report in a real browser: every size and theme, the map by pointer and keyboard, and one printed sheet."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client
from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import Domain
from tests.accounts.test_pages_browser import too_wide
from tests.boards.conftest import SignIn
from tests.harness.answers import show_answer
from tests.harness.axe import violations
from tests.harness.browser import Pages
from tests.reports.usual_week import ADDRESS, AFTER, NAMES, usual_week
from wallboard.queues.models import Queue, Sample
from wallboard.reports.comparison import sides

SIZES = ((390, 844), (1280, 800), (1920, 1080), (3840, 2160))
A4 = ViewportSize(width=703, height=1035)  # within the margins, at 96 px an inch
PICTURES = os.environ.get("WALLBOARD_PICTURES", "")  # a folder for pictures of every size

CUT = """() => [...document.querySelectorAll(".heat-map :is(th, td) > span")].filter((node) => {
  const [text, cell] = [document.createRange(), node.parentElement.getBoundingClientRect()];
  text.selectNodeContents(node);
  const { left, right } = text.getBoundingClientRect();
  return left < cell.left - 0.5 || right > cell.right + 0.5;
}).map((node) => node.textContent)"""


@pytest.fixture
def week(domain: Domain) -> list[Queue]:
    return usual_week(domain)


@pytest.fixture
def client(sign_in: SignIn) -> Client:
    return sign_in("supervisor")


def opened(pages: Pages, client: Client, address: str = ADDRESS, **size: Any) -> Page:
    """The report as a browser of that size shows it."""
    page = pages.open(locale="en-GB", bypass_csp=True, **size)
    with time_machine.travel(AFTER, tick=False):
        answer = client.get(address)
    show_answer(page, answer)
    return page


def the_week_before(week: list[Queue]) -> None:
    """Every tenth minute of it, a little other than this one."""
    rows = list(Sample.objects.filter(queue__in=week[:4])[::10])
    for row in rows:
        row.pk, row.minute = None, row.minute - sides.A_WEEK
        row.late_seconds = 200 - 3 * row.late_seconds if row.most_waiting > 1 else 0
    Sample.objects.bulk_create(rows)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_fits_every_size_in_both_themes(
    pages: Pages, client: Client, week: list[Queue], scheme: Any
) -> None:
    the_week_before(week)
    page = opened(pages, client, f"{ADDRESS}&beside=before", color_scheme=scheme)
    page.locator("#beside summary").click()

    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        if PICTURES:
            page.screenshot(path=Path(PICTURES) / f"report-{width}-{scheme}.png", full_page=True)
        assert too_wide(page) == [], width
        assert page.evaluate(CUT) == [], width
        assert violations(page) == [], width


@pytest.mark.parametrize("width", [390, 1280])
def test_a_map_of_all_hours_has_room_for_the_longest_waits(
    pages: Pages, client: Client, week: list[Queue], width: int
) -> None:
    Sample.objects.filter(queue=week[0]).update(most_waiting=3, longest_wait_seconds=1439)
    page = opened(pages, client, f"{ADDRESS}&figure=longest", width=width, height=844)

    cells = page.locator("#heat tbody td")

    assert cells.count() == 7 * 24
    assert cells.first.inner_text() == "23:59"
    assert page.evaluate(CUT) == []
    assert too_wide(page) == []


@pytest.mark.usefixtures("week")
@pytest.mark.parametrize(
    ("width", "right", "down"), [(1280, "ArrowRight", "ArrowDown"), (390, "ArrowDown", "ArrowRight")]
)
def test_every_hour_tells_its_figures_to_pointer_and_keyboard(
    pages: Pages, client: Client, width: int, right: str, down: str
) -> None:
    page = opened(pages, client, width=width, height=844)
    tip, cells = page.locator("#heat-tip"), page.locator("#heat tbody td")

    cells.nth(4).hover()
    expect(tip).to_contain_text("Monday 2 March, 12:00–13:00: 12 min over target, longest wait 4:53, at most 7 waiting")
    cells.first.focus()
    expect(tip).to_contain_text("Monday 2 March, 08:00–09:00: 10 min over target")
    for key in (right, right, down):
        page.keyboard.press(key)
    expect(tip).to_contain_text("Tuesday 3 March, 10:00–11:00: 4 min over target")
    page.keyboard.press("End")
    expect(tip).to_contain_text("Tuesday 3 March, 16:00–17:00")
    page.keyboard.press(right)
    expect(tip).to_contain_text("Tuesday 3 March, 16:00–17:00")
    assert page.locator("#heat [tabindex='0']").count() == 1


@pytest.mark.usefixtures("week")
def test_a_chart_tells_each_bar_by_pointer_and_keyboard(pages: Pages, client: Client) -> None:
    page = opened(pages, client, width=1280, height=800)
    chart = page.locator(".trend svg").first
    value, highest = page.locator(".trend-value").first, page.locator(".trend-value + .soft").first
    bars = page.locator(".trend").first.locator(".trend-bar")
    before = highest.inner_text()

    chart.focus()
    expect(chart).to_have_attribute("aria-valuetext", re.compile(r"\d"))
    first = chart.get_attribute("aria-valuetext")
    expect(value).to_have_text(str(first))
    page.keyboard.press("ArrowRight")
    second = chart.get_attribute("aria-valuetext")
    assert second != first
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(chart).to_have_attribute("aria-valuenow", str(bars.count()))
    page.keyboard.press("Home")
    expect(value).to_have_text(str(first))
    page.keyboard.press("Tab")
    expect(highest).to_have_text(before)

    bars.nth(1).hover()
    expect(value).to_have_text(str(second))
    page.locator("h1").hover()
    expect(highest).to_be_visible()
    assert violations(page) == []


@pytest.mark.usefixtures("week")
def test_the_map_and_the_trends_are_large_enough_to_be_read(pages: Pages, client: Client) -> None:
    page = opened(pages, client, width=1280, height=800)

    charts = [box for each in page.locator(".trend svg").all() if (box := each.bounding_box())]

    assert len(charts) == 5
    assert min(box["height"] for box in charts) >= 150
    expect(page.locator(".trends-empty")).to_have_text("Nothing above zero in Billing.")
    assert page.locator("#heat").is_visible()
    assert page.locator("#map [aria-current]").inner_text() == "Minutes over target"


@pytest.mark.parametrize(
    "days",
    [
        "first=2026-03-02&last=2026-03-02",
        "first=2026-01-01&last=2026-03-31",
        "first=2025-03-03&last=2025-03-04",
    ],
)
def test_a_day_and_a_quarter_fit_as_well(pages: Pages, client: Client, week: list[Queue], days: str) -> None:
    page = opened(pages, client, f"/reports/?{days}")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if PICTURES:
            page.screenshot(path=Path(PICTURES) / f"report-{days[6:16]}-{width}.png", full_page=True)

        assert too_wide(page) == [], width
        assert page.evaluate(CUT) == [], width
        assert violations(page) == [], width


def printed(page: Page, file: Path) -> tuple[int, str]:
    """How many sheets the page makes, and the text that is drawn on them."""
    content = page.pdf(path=file, prefer_css_page_size=True)
    if PICTURES:
        subprocess.run(["pdftoppm", "-r", "110", "-png", file, Path(PICTURES) / file.stem], check=True)
    page.emulate_media(media="print")
    page.set_viewport_size(A4)
    return len(re.findall(rb"/Type\s*/Page\b", content)), page.locator("body").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("hours", ["office", "all"])
def test_a_usual_week_is_printed_on_one_sheet(
    pages: Pages, client: Client, week: list[Queue], tmp_path: Path, hours: str, scheme: Any
) -> None:
    client.post("/brand/theme/", {"theme": scheme})
    if hours == "all":
        Sample.objects.update(most_waiting=3, longest_wait_seconds=1439)
    page = opened(pages, client, ADDRESS + "&figure=longest" * (hours == "all"), color_scheme=scheme)

    sheets, text = printed(page, tmp_path / f"print-{hours}-{scheme}.pdf")
    colours = page.evaluate(
        "(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))"
    )

    assert sheets == 1
    assert text.startswith("Brandt Werkzeuge · 2 – 8 March 2026 · Europe/Berlin\n\nSupport was late for 108 minutes")
    assert all(name in text for name in (*NAMES, "Mon 2 Mar", "Minutes on watch"))
    left_out = ("Sign out", "Download CSV", "Last 7 days", "Calls from outside", "arrow keys")
    assert [name for name in left_out if name in text] == []
    assert page.evaluate(CUT) == []
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]


@pytest.mark.usefixtures("week")
def test_the_button_prints(pages: Pages, client: Client) -> None:
    page = opened(pages, client)
    page.evaluate("window.print = () => { window.wasPrinted = true; }")

    page.get_by_role("button", name="Print").click()

    assert page.evaluate("window.wasPrinted")
