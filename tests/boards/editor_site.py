"""A running editor without a provider: web and Redis as real processes, a company and two supervisors."""

import json
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import requests
from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import Domain, Person, User
from tests.desk.stage import session_of
from tests.harness.browser import Pages
from tests.harness.setting_up import set_up
from tests.harness.site import bare_environment
from wallboard import redis_server
from wallboard.processes import BASE_DIR, Child, free_port, procfile, wait_until
from wallboard.queues.models import PollState, Queue, Sample

SUPERVISORS = {"101": "Ana", "102": "Ben"}
QUEUES = {"501": "Support", "502": "Sales", "503": "Billing"}


class EditorSite:
    """Every test makes a board of its own with `board`."""

    def __init__(self, folder: Path, database_url: str, settings: dict[str, str]) -> None:
        self.port, self.redis_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = bare_environment(
            **settings,
            PUBLIC_URL=self.url,
            REDIS_URL=f"redis://127.0.0.1:{self.redis_port}/0",
            DATABASE_URL=database_url or f"sqlite:///{folder / 'editor.sqlite3'}",
            STATIC_ROOT=str(folder / "static"),
        )
        self.redis = redis_server.child(self.redis_port, folder)
        self.web = Child("web", procfile(self.port)["web"], folder / "web.log", self.env)
        self.sessions: dict[str, str] = {}

    def start(self) -> None:
        """Bring it up."""
        self.redis.start()
        assert wait_until(lambda: redis_server.answers(self.redis_port), 10), self.redis.tail()
        set_up(self.env)
        seeded = self._manage("shell", "-v0", "-c", "from tests.boards.editor_site import seed; seed()")
        self.sessions = json.loads(seeded)
        self.web.start()
        assert wait_until(self._answers, 20), self.web.tail()

    def stop(self) -> None:
        """End both processes."""
        self.web.stop()
        self.redis.stop()

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

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.url}/healthz", timeout=2).ok
        except requests.RequestException:
            return False

    def _manage(self, *arguments: str) -> str:
        command = [sys.executable, str(BASE_DIR / "manage.py"), *arguments]
        done = subprocess.run(command, env=self.env, cwd=BASE_DIR, capture_output=True, text=True, timeout=90)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


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
