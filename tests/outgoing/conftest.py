"""A company whose calls are told to a program that really listens."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from standardwebhooks import Webhook

from accounts.models import Domain
from tests.boards.conftest import plain_static_files as plain_static_files
from tests.boards.conftest import sign_in as sign_in
from tests.calls.conftest import deliver as deliver
from tests.calls.conftest import domain as domain
from tests.calls.conftest import subscription as subscription
from tests.notifications.channels.receivers import Receiver, receiving
from wallboard.outgoing import endpoints, kinds
from wallboard.outgoing.deciding import following
from wallboard.outgoing.endpoints import EndpointInput
from wallboard.outgoing.models import Endpoint
from wallboard.outgoing.sending import deliveries, pool

Listen = Callable[..., Endpoint]
SECRETS: dict[int, str] = {}


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel("2026-11-20T12:00:00+00:00", tick=False) as travel:
        yield travel


@pytest.fixture
def receiver(loopback_allowed: None) -> Iterator[Receiver]:
    with receiving() as running:
        yield running


@pytest.fixture
def listen(clock: Any, domain: Domain, receiver: Receiver) -> Listen:
    """A program that hears of everything, or of these kinds."""

    def add(*chosen: str, url: str = "", **more: Any) -> Endpoint:
        wanted = EndpointInput("Dialler", url or receiver.url + "/hook", chosen or tuple(kinds.KINDS), **more)
        endpoint, secret = endpoints.add(domain, wanted)
        SECRETS[endpoint.pk] = secret
        return endpoint

    return add


def work() -> int:
    """What the worker does: follow what happened, and send what is due; gives how many were tried."""
    following.follow_calls()
    following.follow_the_rest()
    return sum(pool.send_all(number) for number in deliveries.due_endpoints((), 40))


def heard(receiver: Receiver, endpoint: Endpoint) -> list[dict[str, Any]]:
    """What the receiver got, each verified as the library verifies it."""
    verifier = Webhook(SECRETS[endpoint.pk])
    return [_verified(verifier, each) for each in receiver.received]


def _verified(verifier: Webhook, request: Any) -> dict[str, Any]:
    told: dict[str, Any] = verifier.verify(request.body, request.headers)
    return told
