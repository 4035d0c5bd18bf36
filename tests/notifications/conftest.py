"""A company with two queues, people, a mail server that is real, and readings that raise alerts."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Browser, Playwright

from accounts.models import Domain, Person, User
from tests.alerts.conftest import (  # noqa: F401
    Read,
    acknowledge,
    ana,
    clock,
    domain,
    patient_redis,
    plain_static_files,
    read,
    sales,
    support,
)
from tests.harness.browser import launched, program
from tests.harness.mail import MailServer, running_mail_server
from wallboard.alerts.models import Rule
from wallboard.notifications import destinations, routes
from wallboard.notifications.deciding import planning
from wallboard.notifications.models import Channel, Destination, Route
from wallboard.notifications.routes import StepInput
from wallboard.notifications.sending import deliveries
from wallboard.notifications.sending.deliveries import Busy
from wallboard.queues.models import Queue

Work = Callable[[], int]
MakeRoute = Callable[..., Route]


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The installed Chromium: the headless shell shows no notifications."""
    with launched(playwright, program()) as running:
        yield running


@pytest.fixture
def mail_server(settings: Any) -> Iterator[MailServer]:
    """The installation's mail server."""
    with running_mail_server() as server:
        settings.SMTP, settings.MAIL_FROM = urlsplit(server.url), "wall@example.com"
        yield server


@pytest.fixture
def ana_mail(ana: Person) -> Destination:  # noqa: F811
    return destinations.add(ana.domain, Channel.EMAIL, "ana@example.com", "ana@example.com", ana)


@pytest.fixture
def make_route(domain: Domain) -> MakeRoute:  # noqa: F811
    """A route to these receivers, and to those of `escalation` after so many seconds."""

    def make(
        to: tuple[Person | Destination, ...],
        after: int = 0,
        escalation: tuple[Person | Destination, ...] = (),
        escalated_after: int = 600,
        **values: Any,
    ) -> Route:
        steps = [step(after, to), *([step(escalated_after, escalation)] if escalation else [])]
        return routes.save(domain, {"name": "Floor", **values}, steps)

    return make


@pytest.fixture
def at_once(domain: Domain) -> None:  # noqa: F811
    """A queue that is late raises an alert with the first reading."""
    Rule.objects.create(domain=domain, stays_seconds=0, cooldown_seconds=0)


@pytest.fixture
def as_ana(ana: Person) -> Client:  # noqa: F811
    """Ana's browser."""
    client = Client()
    client.force_login(ana.user or User())
    return client


@pytest.fixture
def as_admin(domain: Domain) -> Client:  # noqa: F811
    """The browser of an administrator, Eva."""
    user = User.objects.create(username="eva")
    Person.objects.create(domain=domain, extension="109", name="Eva", role="administrator", user=user)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def told(
    read: Read,  # noqa: F811
    work: Work,
    make_route: MakeRoute,
    support: Queue,  # noqa: F811
    ana_mail: Destination,
    mail_server: MailServer,
) -> MailServer:
    """Ana has a mail about a late queue."""
    make_route((ana_mail.person,))
    read(q501="late")
    work()
    return mail_server


def signed_in(domain: Domain, extension: str, name: str = "") -> Person:  # noqa: F811
    """A supervisor who signs in."""
    user = User.objects.create(username=f"user {extension}")
    return Person.objects.create(domain=domain, extension=extension, name=name, role="supervisor", user=user)


def step(after: int, receivers: tuple[Person | Destination, ...]) -> StepInput:
    return StepInput(
        after,
        [each for each in receivers if isinstance(each, Person)],
        destinations=[each for each in receivers if isinstance(each, Destination)],
    )


@pytest.fixture
def work(domain: Domain) -> Work:  # noqa: F811
    """What a worker does: decide, and send all that is due, one after the other; gives how many were tried."""

    def once() -> int:
        planning.run(domain)
        tried = 0
        while claimed := deliveries.claim(50, Busy()):
            for each in claimed:
                deliveries.deliver(each)
            tried += len(claimed)
        return tried

    return once
