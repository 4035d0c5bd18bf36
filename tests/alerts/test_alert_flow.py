"""An alert in a whole installation: a queue turns late, two supervisors see it, one of them takes it for both."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.harness.browser import Pages
from tests.harness.signing_in import sign_in
from tests.harness.site import Site

START = """
from accounts.models import Domain
from wallboard.alerts import rules
from wallboard.queues import editing
from wallboard.queues.models import Queue
domain = Domain.objects.get()
rules.save(domain, {None: rules.RuleInput(stays_seconds=1, cooldown_seconds=0)})
queue = Queue.objects.filter(domain=domain).order_by("number").first()
editing.set_targets(domain, queue, {"waiting_late": 0})
"""
STOP = """
from accounts.models import Domain
from wallboard.alerts import rules
from wallboard.queues import editing
from wallboard.queues.models import Target
editing.drop_targets(Target.objects.exclude(queue=None).get())
"""
USUAL = """
from accounts.models import Domain
from wallboard.alerts import rules
rules.save(Domain.objects.get(), {None: rules.RuleInput()})
"""


@pytest.fixture
def trouble(site: Site) -> Iterator[None]:
    """The first queue of the shared installation is late from the next reading on; afterwards it is as it was."""
    for extension in ("101", "102"):
        site.manage("person", extension, "--role", "supervisor")
    site.manage("shell", "-v0", "-c", START)
    yield
    site.manage("shell", "-v0", "-c", USUAL)


@pytest.mark.usefixtures("trouble")
def test_an_alert_is_raised_taken_by_one_for_all_and_kept(site: Site, pages: Pages) -> None:
    ana, ben = sign_in(pages, site, "101"), sign_in(pages, site, "102")
    ours, theirs = ana.locator(".alert").first, ben.locator(".alert").first
    expect(ours).to_have_attribute("data-level", "late", timeout=20_000)
    expect(theirs).to_have_attribute("data-acknowledged", "false", timeout=5000)
    name = ours.locator(".alert-name").inner_text()
    head = ours.locator(".alert-head").text_content() or ""
    ours, theirs = (page.locator(".alert", has_text=head) for page in (ana, ben))  # wherever they stand then

    ana.get_by_role("button", name=f"Acknowledge {name}").click()

    expect(theirs.locator(".alert-acknowledged")).to_contain_text("Acknowledged by", timeout=5000)
    expect(theirs.locator(".alert-act")).to_be_hidden()

    ben.goto(f"{site.url}/alerts/")
    expect(ben.locator(".alert-name").first).to_have_text(name)
    ana.goto(f"{site.url}/alerts/")
    expect(ana.locator(".alert-name").first).to_have_text(name)
    ana.fill("#mute-reason", "fire drill")
    site.manage("shell", "-v0", "-c", STOP)
    expect(ben.locator("tbody th", has_text=name).first).to_be_visible(timeout=20_000)
    expect(ben.locator("tbody tr", has_text="normal again").first).to_contain_text("after 0:")
    ana.wait_for_timeout(3_000)
    assert ana.input_value("#mute-reason") == "fire drill"


def badge(page: Page) -> Locator:
    return page.locator("#alert-badge")


def sockets_for_alerts(page: Page) -> list[str]:
    """The addresses of sockets that only follow alerts, from now on."""
    found: list[str] = []
    page.on("websocket", lambda socket: found.append(socket.url) if "alerts=1" in socket.url else None)
    return found


COUNT_SOUNDS = "window.sounded = 0; document.addEventListener('sounded', () => { window.sounded += 1; });"


@pytest.mark.usefixtures("trouble")
def test_every_page_counts_open_alerts_over_one_socket_and_one_tab_sounds(site: Site, pages: Pages) -> None:
    first = sign_in(pages, site, "101", "/reports/")
    first.context.add_init_script(COUNT_SOUNDS)
    others = [first.context.new_page() for _ in range(2)]
    opened = [sockets_for_alerts(page) for page in others]
    first.goto(f"{site.url}/alerts/")
    for page, path in zip(others, ("/people/", "/calls/"), strict=True):
        page.goto(site.url + path)
        expect(badge(page)).to_have_attribute("data-state", "open", timeout=20_000)
        expect(badge(page).locator(".badge-words")).to_have_text(re.compile(r"\d+ open alerts?"))
        assert re.match(r"\(\d+\) ", page.title())
    assert sum(len(each) for each in opened) == 1

    first.locator("#sound").click()
    expect(first.locator("#sound")).to_have_text("Sound on")
    for page in others:
        page.locator("h1").click()  # browsers play nothing before
    first.close()

    # The tab that sounded is gone: one of the others takes its turn, and only one.
    for _ in range(100):
        others[0].wait_for_timeout(250)
        sounded = [page.evaluate("window.sounded") for page in others]
        if any(sounded):
            break
    assert sorted(map(bool, sounded)) == [False, True]

    others[opened.index([]) - 1].close()
    [rest] = [page for page in others if not page.is_closed()]
    rest.wait_for_timeout(2000)
    expect(badge(rest)).to_have_attribute("data-state", "open")


def test_a_tab_that_is_signed_out_leaves_the_alerts_to_one_that_signed_in_again(site: Site, pages: Pages) -> None:
    site.manage("person", "101", "--role", "supervisor")
    first = sign_in(pages, site, "101", "/reports/")
    expect(badge(first)).not_to_have_attribute("data-state", "unknown", timeout=20_000)
    second = first.context.new_page()
    second.goto(f"{site.url}/accounts/")
    second.get_by_role("button", name="Sign out here").click()

    expect(first.get_by_role("alert")).to_contain_text("You are signed out.", timeout=20_000)

    second.goto(f"{site.url}/reports/")
    second.locator("a.button").first.click()
    second.click("button[name=extension][value='101']")
    expect(badge(second)).not_to_have_attribute("data-state", "unknown", timeout=20_000)
    expect(second.get_by_role("alert")).to_have_count(0)
