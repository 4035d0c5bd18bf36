"""A running desk without a provider: web and Redis as real processes, and call events posted as one would."""

import json
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import requests
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from playwright.sync_api import Page

from accounts.encryption import sealed
from accounts.models import Domain, Person, User
from tests.harness.bare_site import BareSite
from tests.harness.browser import Pages
from wallboard.calls.models import Subscription
from wallboard.calls.webhooks import hook_secrets
from wallboard.queues.models import PollState, Queue

REGULARS = [f"+493090182{number}" for number in range(10)]  # each has the same history with the company
SWITCHBOARD = "+498910002000"  # two contacts have it
AGENTS = [str(extension) for extension in range(201, 300)]
SECRET = "the-secret-of-the-desk-tests-0123456789"


class DeskSite(BareSite):
    """A company whose call events we post. Every test takes an agent and a caller of its own."""

    seed = "tests.desk.desk_site"

    def __init__(self, folder: Path, database_url: str, settings: dict[str, str]) -> None:
        super().__init__(folder, database_url, settings)
        self.domain_id, self.sessions = 0, dict[str, str]()
        self.agents, self.regulars = iter(AGENTS), iter(REGULARS)
        self._calls, self._callers = 0, dict[str, tuple[str | None, str]]()

    def take(self, told: str) -> None:
        seeded = json.loads(told)
        self.domain_id, self.sessions = seeded["domain"], seeded["sessions"]

    def desk(self, pages: Pages, extension: str, **options: Any) -> Page:
        """The desk of that person in a browser of its own, once it is connected."""
        page = pages.open(**options)
        page.context.add_cookies([self.cookie(extension)])
        page.goto(f"{self.url}/desk/")
        connected(page)
        return page

    def ring(self, *extensions: str, caller: str | None = "", name: str = "Some Caller", queue: str = "") -> str:
        """A new call that rings these people, from a number nobody knows unless one is given; gives its id."""
        self._calls += 1
        call = f"live-{self.port}-{self._calls}"
        self._callers[call] = f"+4989{2400000 + self._calls}" if caller == "" else caller, name
        if queue:
            self.event("active", call, queue)
        for extension in extensions:
            self.event("ringing", call, extension)
        return call

    def event(self, state: str, call: str, extension: str, leg: str = "") -> None:
        """What the provider posts when that person's phone comes into a state; `leg` where it rings once more."""
        caller, name = self._callers[call]
        source = {"id": caller, "call_id": call, "user": None, "domain": None, "state": state, "name": name}
        target = {"id": extension, "call_id": leg or f"{call}-{extension}", "user": extension, "domain": "d"}
        answered = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()) if state == "active" else None
        self.post(source, target | {"state": state}, answered)

    def post(self, source: dict[str, Any], target: dict[str, Any], answered: str | None = None) -> None:
        """Deliver one call event between these two endpoints."""
        times = {"time_start": None, "time_answer": answered}
        message = {"on_net": False, "from": source, "to": target, "by_call_id": None, **times}
        answer = requests.post(f"{self.url}/hooks/{SECRET}/", json={"calls": message}, timeout=10)
        assert answer.status_code == 204, answer.text

    def cookie(self, extension: str) -> Any:
        """The session of that person, for a browser."""
        return {"name": "sessionid", "value": self.sessions[extension], "url": self.url}


def connected(page: Page) -> None:
    """Wait until the page has heard the feeds."""
    page.wait_for_selector("#people-rows li")


def seed() -> None:
    """Run inside the installation: the company, what happened before, and everybody's session as JSON on stdout."""
    from tests.desk.conftest import make_company
    from wallboard.contacts import address_book
    from wallboard.contacts.models import Link, LinkHost
    from wallboard.desk import notes
    from wallboard.desk.models import Outcome

    company = make_company("brandt")
    now = timezone.now()
    Subscription.objects.create(
        domain=company.domain, kind="calls", state="ready", secret=sealed(SECRET),
        secret_hash=hook_secrets.hash_of(SECRET), ready_at=now, heard_at=now, checked_at=now,
        expires_at=now + timedelta(days=7),
    )  # fmt: skip
    for extension, name in (("103", "Farid"), ("104", "Deniz"), ("105", "Jonas Weiß"), ("106", "Lucía")):
        Person.objects.create(domain=company.domain, extension=extension, name=name)
    Queue.objects.create(domain=company.domain, number="801", name="Orders", order=1)
    read_queues(company.domain)
    for order, outcome in enumerate(("Solved", "Order placed", "Call back later")):
        Outcome.objects.create(domain=company.domain, name=outcome, order=order)
    LinkHost.objects.create(domain=company.domain, host="crm.test")
    Link.objects.create(domain=company.domain, name="CRM", template="https://crm.test/?q={e164}")
    for name in ("Reception", "Ute Lang"):
        address_book.save(company.domain, address_book.ContactInput(name, "Lang & Söhne", numbers=(SWITCHBOARD,)))
    deniz = Person.objects.get(extension="104")
    for number in REGULARS:
        theirs: dict[str, Any] = {"from_number": number, "caller_e164": number}
        monday = company.leg("101", minutes_ago=2 * 1440 + 149, talked=380, **theirs)
        notes.save(company.ana, monday, "waiting for the replacement drill, promised by Friday", 1)
        notes.save(deniz, company.leg("104", minutes_ago=9 * 1440, talked=125, **theirs), "address changed", 1)
        company.leg("800", minutes_ago=1188, rang=48, queue="800", **theirs)
    Person.objects.filter(pk=company.ana.pk).update(role=Person.Role.SUPERVISOR)
    agents = [new_agent(company.domain, extension) for extension in AGENTS]
    sessions = {person.extension: session_of(person.user) for person in [*agents, company.ana]}
    print(json.dumps({"domain": company.domain.pk, "sessions": sessions}))


def new_agent(domain: Domain, extension: str) -> Person:
    """Mia once more; hidden, so that the other tests' agents are nobody's colleagues."""
    user = User.objects.create(username=extension)
    return Person.objects.create(domain=domain, extension=extension, name="Mia", user=user, is_hidden=True)


def session_of(user: User | None) -> str:
    """The key of a new session of that user."""
    assert user is not None
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def read_queues(domain: Domain) -> None:
    """One reading of both queues, as a poll leaves it; the next is due in an hour."""
    domain.poll_seconds = 3600
    domain.save()
    now = int(time.time() * 1000)
    quiet = {"agents": 4, "available": 2, "unavailable": 2, "reason": "", "since": now, "missing_since": None}
    busy = {"waiting": 3, "longest_wait": 94, "average_wait": 40, "level": "watch"} | quiet | {"reason": "longest_wait"}
    calm = {"waiting": 0, "longest_wait": 0, "average_wait": 0, "level": "normal"} | quiet
    figures: Any = {"800": (1, busy), "801": (1, calm)}
    PollState.objects.create(domain=domain, version=1, read_at=timezone.now(), tried_at=timezone.now(), figures=figures)
