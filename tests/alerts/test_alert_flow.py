"""An alert in a whole installation: a queue turns late, two supervisors see it, one of them takes it for both."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

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

    ana.get_by_role("button", name=f"Acknowledge {name}").click()

    expect(theirs.locator(".alert-acknowledged")).to_contain_text("Acknowledged by", timeout=5000)
    expect(theirs.locator(".alert-act")).to_be_hidden()

    ben.goto(f"{site.url}/alerts/")
    expect(ben.locator(".alert-name").first).to_have_text(name)
    site.manage("shell", "-v0", "-c", STOP)
    expect(ben.locator("tbody th", has_text=name).first).to_be_visible(timeout=20_000)
    expect(ben.locator("tbody tr", has_text="normal again").first).to_contain_text("after 0:")
