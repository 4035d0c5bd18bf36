"""Whether a call was answered is said alike by its events, whoever rang whom."""

from datetime import timedelta
from typing import Any

from tests.calls.conftest import Deliver
from tests.calls.events import event
from tests.notifications.channels.receivers import Receiver
from tests.outgoing.conftest import Listen, heard, work
from tests.outgoing.test_calls_told import SETTLED
from wallboard.outgoing import kinds


def test_a_call_from_here_that_is_answered_says_so(
    listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any
) -> None:
    endpoint = listen(*kinds.OF_CALLS)
    outgoing: dict[str, Any] = {"caller": "101", "caller_user": "101", "user": None, "number": "+15552345678"}
    for state in ("ringing", "active"):
        deliver(event(state, **outgoing))
        work()
    clock.shift(timedelta(seconds=60))
    deliver(event("ended", **outgoing))
    clock.shift(SETTLED)
    work()

    told = [each for each in heard(receiver, endpoint) if each["type"] in (kinds.ANSWERED, kinds.ENDED)]
    assert [(each["data"]["direction"], each["data"]["is_answered"]) for each in told] == [("out", True)] * 2


def test_a_voicemail_answers_nobody(listen: Listen, receiver: Receiver, deliver: Deliver, clock: Any) -> None:
    endpoint = listen(*kinds.OF_CALLS)
    deliver(event("active", is_human=False))
    work()
    clock.shift(timedelta(seconds=60))
    deliver(event("ended", is_human=False))
    clock.shift(SETTLED)
    work()

    told = heard(receiver, endpoint)
    assert kinds.MISSED in {each["type"] for each in told}
    assert {(each["data"]["answered_at"], each["data"]["is_answered"]) for each in told} == {(None, False)}
