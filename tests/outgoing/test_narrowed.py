"""A webhook that is changed to hear of less hears of no more than that, whatever waits or is asked for once more."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Domain
from tests.calls.conftest import Deliver
from tests.notifications.channels.receivers import Receiver
from tests.outgoing.conftest import Listen, heard, work
from tests.outgoing.test_limited_call_backs import queues as queues
from tests.outgoing.test_long_waits import in_vain
from wallboard.outgoing import endpoints, kinds
from wallboard.outgoing.endpoints import EndpointInput
from wallboard.outgoing.models import Delivery

NARROW = [EndpointInput("", "", (kinds.ENDED,), ("600",)), EndpointInput("", "", (kinds.RINGING,))]


@pytest.mark.parametrize("wanted", NARROW, ids=["queues", "kinds"])
def test_what_waits_is_not_sent_beyond_what_it_hears_now(
    wanted: EndpointInput, listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any
) -> None:
    endpoint = listen(kinds.ENDED, kinds.MISSED)
    endpoints.pause(endpoint, paused=True)
    in_vain(deliver, clock, "c1", queue="601")
    endpoints.change(endpoint, wanted)
    endpoints.pause(endpoint, paused=False)

    work()

    assert heard(receiver, endpoint) == []
    assert {each.outcome for each in Delivery.objects.all()} == {"this webhook does not hear of it any more"}


def test_nor_is_it_sent_again(listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any, domain: Domain) -> None:
    endpoint = listen(kinds.ENDED)
    in_vain(deliver, clock, "c1", queue="601")
    in_vain(deliver, clock, "c2", queue="600")
    before = len(heard(receiver, endpoint))
    endpoints.change(endpoint, NARROW[0])

    endpoints.send_again(endpoint, since=timezone.now() - timedelta(hours=1))
    work()

    assert before == 2
    assert [each["data"]["via"] for each in heard(receiver, endpoint)[before:]] == [["600"]]
