"""Where things stand on the desk, for the browser tests."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SHOTS = Path(__file__).resolve().parent.parent / "screenshots"
WIDE: Any = {"width": 1280, "height": 800}
NARROW: Any = {"width": 360, "height": 740}
HOSTILE = "<img src=x onerror=alert(1)>\"'><script>alert(2)</script>{{7*7}}\u202etxt.exe " + "long " * 60


def name(page: Page) -> Any:
    return page.locator(".desk-card .desk-name")


def band(page: Page) -> Any:
    return page.locator(".desk-card .desk-band-state")


def note(page: Page) -> Any:
    return page.locator(".desk-card textarea")


def close_card(page: Page) -> None:
    """Put the large card away."""
    page.locator('.desk-card [data-act="close"]').click()
