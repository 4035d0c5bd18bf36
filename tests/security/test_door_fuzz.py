"""Anything at all at the webhook door and the socket: an answer every time, no failure of ours, no growth (S2, S3)."""

import gc
import json
import tracemalloc
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Domain
from tests.calls.conftest import Deliver, arrival, deliver, domain, subscription  # noqa: F401  (fixtures)
from tests.calls.events import event
from wallboard.calls import documents
from wallboard.calls.models import Delivery, Leg, Subscription
from wallboard.calls.webhooks import intake, receive
from wallboard.calls.webhooks.hook_secrets import HookTarget
from wallboard.sockets import socket_access
from wallboard.sockets.socket_access import Refused
from wallboard.telephony import messages
from wallboard.telephony.errors import BadMessage

TEXT = st.text(max_size=40) | st.sampled_from(["", "ringing", "active", "ended", "\0", "<b>", "x" * 5000])
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
ANYTHING = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4))
END = st.fixed_dictionaries({}, optional=dict.fromkeys(("id", "call_id", "user", "domain", "state", "name"), ANYTHING))
ALIKE = st.fixed_dictionaries(
    {"calls": st.fixed_dictionaries({}, optional={"from": END | ANYTHING, "to": END | ANYTHING, "on_net": ANYTHING,
                                                  "time_start": ANYTHING, "by_call_id": ANYTHING})},
)  # fmt: skip
MANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def as_body(value: Any) -> bytes:
    return json.dumps(value).encode()


@given(body=st.binary(max_size=400) | ANYTHING.map(as_body) | ALIKE.map(as_body))
@settings(max_examples=400, deadline=None)
def test_a_body_is_a_message_or_refused(body: bytes) -> None:
    said = ""
    try:
        messages.read(body)
    except BadMessage as error:
        said = str(error)
    assert len(body) < 12 or body.decode("latin-1") not in said


@given(body=st.binary(max_size=200) | ANYTHING.map(as_body) | ALIKE.map(as_body))
@settings(max_examples=300, deadline=None)
def test_whatever_comes_is_kept_as_text_that_a_database_can_hold(body: bytes) -> None:
    made = receive.arrival_of(HookTarget(1, 1), body)

    assert "\0" not in made.body
    try:
        is_plain = "\0" not in body.decode()
    except UnicodeDecodeError:
        is_plain = False
    if made.message is None:
        body = body[: receive.MOST_OF_NONSENSE]  # of what cannot be read, the beginning is kept
    assert made.body.encode() == body or not is_plain


@given(message=ALIKE)
@MANY
def test_whatever_is_taken_in_can_be_applied_and_told(message: Any, deliver: Deliver, domain: Domain) -> None:  # noqa: F811
    deliver(as_body(message))

    assert not Delivery.objects.filter(applied_at=None, problem="").exists()
    msgspec.json.encode(documents.calls(domain.pk))


@pytest.mark.django_db
@given(query=st.binary(max_size=300) | TEXT.map(lambda text: f"board={text}&last={text}:{text}".encode()))
@MANY
def test_any_address_of_the_socket_gets_a_seat_or_a_refusal(query: bytes) -> None:
    try:
        request = socket_access.parse_request(query)
    except Refused:
        return  # more fields than any page sends
    with pytest.raises(Refused):
        socket_access.access_for({"sessionid": query.decode("latin-1"), "screen": query.decode("latin-1")}, request)


def test_nonsense_leaves_nothing_behind_in_memory() -> None:
    bodies = [b"[" * 30_000, b'{"a":' * 10_000, b"x" * 60_000, json.dumps({str(n): n for n in range(5000)}).encode()]
    for body in bodies * 3:
        receive.arrival_of(HookTarget(1, 1), body)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for body in bodies * 50:
        assert receive.arrival_of(HookTarget(1, 1), body).message is None
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert after - before < 100_000


def test_a_capture_that_is_replayed_a_day_later_changes_nothing(
    deliver: Deliver,  # noqa: F811
    subscription: Subscription,  # noqa: F811
) -> None:
    call = [event(state) for state in ("ringing", "active", "ended")]
    began = timezone.now() - timedelta(days=1)
    for body in call:
        deliver(body, at=began)
    before = list(Leg.objects.values_list("from_state", "to_state", "ended_at", "ringing_at"))

    intake.commit([arrival(subscription, body) for body in call])

    assert list(Leg.objects.values_list("from_state", "to_state", "ended_at", "ringing_at")) == before
    assert not [value for _, value in documents.desk(subscription.domain_id, "101").values() if value]
