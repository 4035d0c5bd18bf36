"""Who waits to be called back for longer than calls are looked at is asked for once, and done under the same call."""

import json
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Domain, Person
from tests.calls.conftest import Deliver
from tests.calls.events import event
from tests.notifications.channels.receivers import Receiver
from tests.outgoing.conftest import Listen, work
from tests.outgoing.test_calls_told import SETTLED
from wallboard.desk import callbacks
from wallboard.outgoing import kinds
from wallboard.queues.models import Queue

CALLER = "+15552345678"


def in_vain(deliver: Deliver, clock: Any, call: str, queue: str = "600") -> None:
    """They call a queue and give up."""
    leg: dict[str, Any] = {"call": call, "leg": f"leg of {call}", "user": queue, "is_human": False}
    deliver(event("active", **leg))
    clock.shift(timedelta(seconds=20))
    deliver(event("ended", **leg))
    clock.shift(SETTLED)
    told()


def told() -> None:
    """What is decided in one round is sent in it or the next."""
    work()
    work()


@pytest.mark.parametrize("hours_between", [12, 60])
def test_a_wait_beyond_three_days_is_one_wait(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any, domain: Domain, hours_between: int
) -> None:
    Queue.objects.create(domain=domain, number="600", name="Sales")
    ada = Person.objects.create(domain=domain, extension="101", name="Ada")
    listen(*kinds.OF_CALL_BACKS)
    work()
    in_vain(deliver, clock, "first")
    clock.shift(timedelta(hours=hours_between))
    in_vain(deliver, clock, "second")
    clock.shift(callbacks.LOOKBACK - timedelta(hours=hours_between - 1))
    told()
    assert callbacks.change(domain, ada, CALLER, "done")
    told()

    posts = [json.loads(each.body) for each in receiver.received]  # too old by now for a look at their signatures
    found = [(each["type"], each["data"]["call"]) for each in posts]
    assert found == [(kinds.ASKED, "first"), (kinds.DONE, "first")]
