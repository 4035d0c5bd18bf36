"""A passkey in a real browser, by Chromium's virtual authenticator: the first administrator makes one and signs in."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.harness.axe import violations
from tests.harness.bare_site import BareSite
from tests.harness.browser import Pages
from tests.harness.database import own_database
from wallboard.setup import first_key

pytestmark = pytest.mark.one_database

SHOTS = Path(__file__).resolve().parent.parent / "screenshots"
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def seed() -> None:
    """Run inside the installation: prints where the first administrator begins."""
    print(first_key.issue())


class PasskeySite(BareSite):
    """At localhost: browsers know no passkeys at an address without a name."""

    seed = "tests.accounts.test_passkeys_browser"

    def __init__(self, folder: Path, database_url: str) -> None:
        keys = {name: os.environ[name] for name in ("SECRET_KEY", "TOKEN_KEYS")}
        super().__init__(folder, database_url, keys)
        self.url = self.env["PUBLIC_URL"] = f"http://localhost:{self.port}"
        self.first = ""

    def take(self, told: str) -> None:
        self.first = told.split()[-1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PasskeySite]:
    SHOTS.mkdir(exist_ok=True)
    with own_database() as url:
        site = PasskeySite(tmp_path_factory.mktemp("site"), url)
        try:
            site.start()
            yield site
        finally:
            site.stop()


def authenticator(cdp: CDPSession, **options: object) -> str:
    """Plug a key in; its id."""
    return str(cdp.send("WebAuthn.addVirtualAuthenticator", {"options": {**KEY, **options}})["authenticatorId"])


def sign_in(page: Page, site: PasskeySite) -> None:
    page.goto(f"{site.url}/accounts/password/?next=/accounts/")
    page.get_by_role("button", name="Sign in with a passkey").click()


def test_a_key_that_verifies_nobody_gets_nobody_in(site: PasskeySite, pages: Pages) -> None:
    page = pages.open(site.first)
    cdp = page.context.new_cdp_session(page)
    cdp.send("WebAuthn.enable")
    authenticator(cdp, hasUserVerification=False, isUserVerified=False)

    page.get_by_role("button", name="Use a passkey instead").click()

    page.get_by_text("No passkey was used").wait_for()
    assert "/setup/first/" in page.url


def test_the_first_administrator_needs_no_password(site: PasskeySite, pages: Pages) -> None:
    page = pages.open(site.first)
    cdp = page.context.new_cdp_session(page)
    cdp.send("WebAuthn.enable")
    laptop = authenticator(cdp)

    page.get_by_role("button", name="Use a passkey instead").click()
    page.wait_for_url("**/setup/start/**")
    page.goto(f"{site.url}/accounts/")
    expect(page.locator(".accounts-key")).to_have_count(1)
    page.get_by_role("button", name="Sign out here").click()

    sign_in(page, site)  # without a name
    page.wait_for_url("**/accounts/")

    page.get_by_role("button", name="Add a passkey").click()  # the same once more
    page.get_by_text("No passkey was used").wait_for()
    cdp.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": laptop})
    authenticator(cdp, transport="usb")
    page.get_by_label("Name of the passkey").fill("Key ring")
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_text("The passkey is added").wait_for()
    assert violations(page) == []
    page.screenshot(path=SHOTS / "passkeys.png", full_page=True)

    page.locator(".accounts-key").first.get_by_role("button", name="Remove").click()
    page.get_by_text("The passkey is removed").wait_for()
    page.get_by_role("button", name="Sign out here").click()
    sign_in(page, site)  # with the other one
    page.wait_for_url("**/accounts/")
    expect(page.locator(".accounts-key input[name=name]")).to_have_value("Key ring")
