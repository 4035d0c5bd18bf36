"""A company with two queues, three people and some calls, and programs that ask about it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Domain, Person, Team
from tests.boards.conftest import domain as domain
from tests.boards.conftest import plain_static_files as plain_static_files
from tests.boards.conftest import sign_in as sign_in
from wallboard.api import tokens
from wallboard.api.models import Token
from wallboard.api.scopes import SCOPES
from wallboard.api.tokens import TokenInput
from wallboard.calls.models import Leg, Presence
from wallboard.queues.figures import QueueDocument
from wallboard.queues.models import PollState, Queue


@dataclass
class Program:
    """Somebody's script with a token."""

    token: Token
    text: str

    def ask(self, path: str, method: str = "GET", **options: Any) -> Any:
        """The answer to a request below /api/v1/; `headers` and `json` as one would expect."""
        headers = {"Authorization": f"Bearer {self.text}", **options.pop("headers", {})}
        if "json" in options:
            options |= {"data": msgspec.json.encode(options.pop("json")), "content_type": "application/json"}
        client = Client(raise_request_exception=False)
        if method == "GET":
            return client.get(f"/api/v1/{path}", headers=headers, **options)
        return client.generic(method, f"/api/v1/{path}", headers=headers, **options)


MakeProgram = Callable[..., Program]


@pytest.fixture
def make_program(floor: Domain) -> MakeProgram:
    """A program with these scopes, all of them by default, and with these limits."""

    def make(*scopes: str, queues: tuple[str, ...] | None = None, team: Team | None = None) -> Program:
        return Program(*tokens.make(floor, TokenInput("Report script", scopes or tuple(SCOPES), queues, team)))

    return make


@pytest.fixture
def program(make_program: MakeProgram) -> Program:
    return make_program()


@pytest.fixture
def floor(domain: Domain) -> Domain:
    """The company: queue 800 is late; a stranger talks to 301 through it, another one rings 302 directly."""
    now = timezone.now()
    for number, name in (("800", "Orders"), ("801", "Returns")):
        Queue.objects.create(domain=domain, number=number, name=name)
    for extension, name in (("301", "Ada"), ("302", "Ben")):
        Presence.objects.create(person=Person.objects.create(domain=domain, extension=extension, name=name))
    documents = {
        number: (1, QueueDocument(waiting=3, longest_wait=70, average_wait=40, agents=4, available=1, level=level))
        for number, level in (("800", "late"), ("801", "normal"))
    }
    figures = msgspec.to_builtins(documents)
    PollState.objects.create(domain=domain, version=1, read_at=now, tried_at=now, figures=figures)
    make_leg(domain, "one", to_user="800", queue="800", from_number="+4930901837", ended_at=now)
    make_leg(domain, "one", to_user="301", from_number="+4930901837", active_at=now, is_answered=True)
    make_leg(domain, "two", to_user="302", from_number="+4930901820")
    return domain


def make_leg(domain: Domain, call: str, **more: Any) -> Leg:
    """A call at one phone, from a stranger."""
    now = timezone.now()
    fixed = {
        "from_call_id": call,
        "to_call_id": f"{call}-{more['to_user']}",
        "from_state": "active",
        "to_state": "active" if "active_at" in more else "ringing",
        "from_name": "Carla Caller",
        "caller_e164": more["from_number"],
        "first_seen_at": now - timedelta(seconds=30),
        "ringing_at": now - timedelta(seconds=30),
        "heard_at": now,
        "version": 1,
    }
    return Leg.objects.create(domain=domain, **{**fixed, **more})


def problem(answer: Any) -> tuple[int, str]:
    """Status of an error that is written as RFC 9457 says, and its detail."""
    assert answer.headers["Content-Type"] == "application/problem+json"
    told = msgspec.json.decode(answer.content)
    assert told["status"] == answer.status_code
    assert told["type"] == "about:blank"
    return answer.status_code, told.get("detail", "")
