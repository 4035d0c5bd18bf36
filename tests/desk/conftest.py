"""A small company, and calls as the provider's events leave them."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.access import Viewer
from accounts.models import Domain, Person, User
from tests.desk.desk_site import DeskSite
from tests.desk.locators import SHOTS
from tests.harness.database import own_database
from wallboard.calls.models import Leg
from wallboard.queues.models import Queue

HANNA = "+4930901820"


@dataclass
class Company:
    """One domain with Mia (102) at the desk, Ana (101) beside her, and the queue Support (800)."""

    domain: Domain
    mia: Person
    ana: Person
    legs: int = field(default=0)

    def viewer(self, person: Person) -> Viewer:
        return Viewer(self.domain.pk, person.role, person.pk, person.extension, person.user_id)

    def leg(self, to: str = "102", *, call: str = "", minutes_ago: float = 0, **known: Any) -> Leg:
        """A leg that rings `to` since that long; `talked` and `rang` are seconds, with either it is over."""
        self.legs += 1
        began = timezone.now() - timedelta(minutes=minutes_ago)
        talked, rang = known.pop("talked", None), known.pop("rang", None)
        times: dict[str, Any] = {"first_seen_at": began, "ringing_at": began, "heard_at": began}
        state = "ringing"
        if talked is not None:
            ended = began + timedelta(seconds=talked)
            times |= {"active_at": began, "ended_at": ended, "heard_at": ended, "is_answered": True}
            state = "ended"
        elif rang is not None:
            times["ended_at"] = times["heard_at"] = began + timedelta(seconds=rang)
            state = "ended"
        fields = {
            "from_call_id": call or f"caller-{self.legs}",
            "to_call_id": f"callee-{self.legs}",
            "from_state": state,
            "to_state": state,
            "to_user": to,
            "from_number": HANNA,
            "from_name": "Hanna Brandt",
            "caller_e164": HANNA,
            "on_net": False,
            "version": self.legs,
        }
        return Leg.objects.create(domain=self.domain, **(fields | times | known))

    def answer(self, leg: Leg, when: datetime | None = None) -> None:
        """The person picks up."""
        leg.active_at = when or timezone.now()
        leg.is_answered, leg.to_state = True, "active"
        leg.save()

    def end(self, leg: Leg) -> None:
        """Either side hangs up."""
        leg.ended_at = leg.heard_at = timezone.now()
        leg.from_state = leg.to_state = "ended"
        leg.save()


def make_company(slug: str) -> Company:
    domain = Domain.objects.create(
        slug=slug, name=slug, base_url="http://provider.test", client_id="c", client_secret="s",
        time_zone="Europe/Berlin", country="DE",
    )  # fmt: skip
    Queue.objects.create(domain=domain, number="800", name="Support")
    people = [
        Person.objects.create(
            domain=domain, extension=extension, name=name, user=User.objects.create(username=f"{slug}-{extension}")
        )
        for extension, name in (("101", "Ana"), ("102", "Mia"))
    ]
    return Company(domain, mia=people[1], ana=people[0])


@pytest.fixture(autouse=True)
def _plain_static_files(settings: Any) -> None:
    """Nothing is collected for these tests: pages name their files plainly, WhiteNoise gets an empty folder."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


@pytest.fixture
def company(db: None) -> Company:
    return make_company("brandt")


@pytest.fixture
def neighbours(db: None) -> Company:
    """Another company, with the same extensions."""
    return make_company("neighbours")


@pytest.fixture
def signed_in(db: None) -> Callable[[Person], Client]:
    """A browser in which that person is signed in."""

    def sign_in(person: Person) -> Client:
        client = Client()
        assert person.user is not None
        client.force_login(person.user)
        return client

    return sign_in


@pytest.fixture(scope="session")
def desk_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskSite]:
    """One running desk for all browser tests; each makes calls of its own."""
    settings = {name: os.environ[name] for name in ("SECRET_KEY", "TOKEN_KEYS")}
    settings["OUTBOUND_ALLOWED_NETWORKS"] = "127.0.0.1"  # where programs of the company run in tests
    with own_database() as database_url:
        running = DeskSite(tmp_path_factory.mktemp("desk"), database_url, settings)
        try:
            running.start()
            yield running
        finally:
            running.stop()


@pytest.fixture
def mia(desk_site: DeskSite) -> str:
    """The extension of an agent whom no other test rings."""
    SHOTS.mkdir(exist_ok=True)
    return next(desk_site.agents)
