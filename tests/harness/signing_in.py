"""Signing in as a person does: at our page, then at the provider's, and back."""

from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.harness.browser import Pages
from tests.harness.running_demo import RunningDemo
from tests.harness.site import Site


def sign_in(
    pages: Pages, site: Site | RunningDemo, extension: str, path: str = "/boards/main/", **options: Any
) -> Page:
    """A page at that path, signed in as the person with the extension; further options are those of `Pages.open`."""
    page = pages.open(site.url + path, **options)
    page.locator("a.button").first.click()
    if page.locator("#find").count():
        page.fill("#find", extension)
        page.press("#find", "Enter")
    page.click(f"button[name=extension][value='{extension}']")
    page.wait_for_url(lambda url: urlsplit(url).path == path)
    return page
