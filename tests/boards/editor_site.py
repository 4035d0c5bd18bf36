"""A running editor without a provider: web and Redis as real processes, a company and two supervisors."""

import json
import time
from datetime import timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import Domain, Person, User
from tests.desk.desk_site import session_of
from tests.harness.bare_site import BareSite
from tests.harness.browser import Pages
from wallboard.queues.models import PollState, Queue, Sample

SUPERVISORS = {"101": "Ana", "102": "Ben"}
QUEUES = {"501": "Support", "502": "Sales", "503": "Billing"}


class EditorSite(BareSite):
    """Every test makes a board of its own with `board`."""

    seed = "tests.boards.editor_site"

    def take(self, told: str) -> None:
        self.sessions: dict[str, str] = json.loads(told)

    def page(self, pages: Pages, extension: str, path: str, **options: Any) -> Page:
        """A page at that path in a browser of its own, signed in as that supervisor."""
        page = pages.open(**options)
        page.context.add_cookies([{"name": "sessionid", "value": self.sessions[extension], "url": self.url}])
        page.goto(self.url + path)
        return page

    def board(self, page: Page, name: str, starter: str = "empty") -> str:
        """Make a board on the page; the page is then its editor. Gives its address."""
        page.goto(f"{self.url}/boards/new/")
        page.get_by_label("Name", exact=True).fill(name)
        page.locator(f"input[value={starter}]").check(force=True)
        page.get_by_role("button", name="Make board").click()
        page.wait_for_selector(".editor:not([hidden])")
        return page.url.removeprefix(self.url).removesuffix("edit/")


def seed() -> None:
    """Run inside the installation: the company, and the sessions of its supervisors as JSON on stdout."""
    domain = Domain.objects.create(
        slug="brandt", name="Brandt", base_url="http://127.0.0.1:1", client_id="id", client_secret="secret",
        time_zone="Europe/Berlin", country="DE", poll_seconds=3600,
    )  # fmt: skip
    for order, (number, name) in enumerate(QUEUES.items()):
        group = "Front" if number in ("501", "502") else ""
        Queue.objects.create(domain=domain, number=number, name=name, order=order, group=group)
    sessions = {}
    for extension, name in SUPERVISORS.items():
        user = User.objects.create(username=extension)
        Person.objects.create(domain=domain, extension=extension, name=name, role=Person.Role.SUPERVISOR, user=user)
        sessions[extension] = session_of(user)
    for extension, name in (("103", "Farid"), ("104", "Deniz"), ("105", "Lucía"), ("106", "Mia")):
        Person.objects.create(domain=domain, extension=extension, name=name)
    read_queues(domain)
    sample_queues(domain)
    print(json.dumps(sessions))


def read_queues(domain: Domain) -> None:
    """One reading of the queues, as a poll leaves it; the next is due in an hour."""
    now = int(time.time() * 1000)
    same = {"agents": 4, "available": 2, "unavailable": 2, "since": now, "missing_since": None}
    busy = {"waiting": 3, "longest_wait": 94, "average_wait": 40, "level": "watch", "reason": "longest_wait"} | same
    calm = {"waiting": 0, "longest_wait": 0, "average_wait": 0, "level": "normal", "reason": ""} | same
    figures: Any = {number: (1, busy if number == "501" else calm) for number in QUEUES}
    PollState.objects.create(domain=domain, version=1, read_at=timezone.now(), tried_at=timezone.now(), figures=figures)


def sample_queues(domain: Domain) -> None:
    """What the last hour's readings of the first queue were, minute by minute; most waited at once: 7."""
    first = Queue.objects.get(domain=domain, number="501")
    now = timezone.now().replace(second=0, microsecond=0)
    for minute in range(1, 61):
        Sample.objects.create(
            queue=first, minute=now - timedelta(minutes=minute), readings=12, waiting=minute % 4,
            most_waiting=7 if minute == 5 else 3, longest_wait_seconds=60, watch_seconds=0, late_seconds=0,
            nobody_seconds=0,
        )  # fmt: skip
