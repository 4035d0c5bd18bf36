"""Web Push: an endpoint that decrypts what comes and checks who signed it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any
from unittest.mock import patch

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command

from accounts.tokens.key_rotation import sealed_columns
from tests.notifications.channels.push_endpoint import PushEndpoint, decoded, push_endpoint
from tests.notifications.channels.receivers import MESSAGE, answer, redirecting_to
from wallboard.management.commands import setup
from wallboard.notifications import outbound, push_keys
from wallboard.notifications.channels import webpush
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.models import PushKey

pytestmark = pytest.mark.django_db


@pytest.fixture
def endpoint(loopback_allowed: None) -> Iterator[PushEndpoint]:
    with push_endpoint() as running:
        running.application_server_key = push_keys.public_key()
        yield running


def test_the_browser_reads_what_was_sent_and_the_service_who_sent_it(endpoint: PushEndpoint) -> None:
    outcome = webpush.send(webpush.address_from(endpoint.subscription), MESSAGE)

    (request,) = endpoint.receiver.received
    assert outcome == "taken by 127.0.0.1"
    assert endpoint.read(request) == {
        "id": MESSAGE.id,
        "title": MESSAGE.title,
        "text": MESSAGE.text,
        "url": MESSAGE.url,
        "acknowledge_url": MESSAGE.acknowledge_url,
        "acknowledge_text": "Acknowledge",
        "level": "late",
        "is_resolved": False,
        "tag": webpush.topic(MESSAGE),
        "alerts": [7],
        "language": "",
    }
    assert (request.headers["TTL"], request.headers["Urgency"]) == ("3600", "high")


def test_what_was_encrypted_is_what_another_implementation_reads(endpoint: PushEndpoint) -> None:
    address = webpush.address_from(endpoint.subscription)

    body = webpush.encrypted(b"hello", address)

    assert http_ece.decrypt(body, private_key=endpoint.key, auth_secret=endpoint.auth) == b"hello"
    assert webpush.encrypted(b"hello", address) != body


def test_the_test_endpoint_reads_the_example_of_rfc_8291() -> None:
    """Appendix A: so that what the other tests decrypt is the standard and not an agreement with ourselves."""
    private = int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    key = ec.derive_private_key(private, ec.SECP256R1())
    body = decoded(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95b"
        "Qpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )

    plain = PushEndpoint(None, key, decoded("BTBZMqHH6r4Tts7J_aSIgg")).decrypted(body)  # type: ignore[arg-type]

    assert plain == b"When I grow up, I want to be a watermelon"


def test_messages_about_the_same_alerts_replace_each_other() -> None:
    resolved = replace(MESSAGE, id="another", is_resolved=True)
    other = replace(MESSAGE, data={"alerts": [{"id": 8}]})

    assert webpush.topic(resolved) == webpush.topic(MESSAGE) != webpush.topic(other)
    assert len(webpush.topic(MESSAGE)) <= 32
    assert webpush.topic(replace(MESSAGE, id="1", data={})) != webpush.topic(replace(MESSAGE, id="2", data={}))


def test_a_long_text_is_cut_to_what_push_services_take(endpoint: PushEndpoint) -> None:
    webpush.send(webpush.address_from(endpoint.subscription), replace(MESSAGE, text="Schlange “Ü”\n" * 2_000))

    content = endpoint.read(endpoint.receiver.received[0])
    assert content["text"].startswith("Schlange “Ü”\nSchlange")
    assert content["text"].endswith("…")
    assert len(content["text"]) > 1_500


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_final(endpoint: PushEndpoint, status: int) -> None:
    endpoint.receiver.answering = lambda handler: answer(handler, status)

    with pytest.raises(NotSent, match="given up") as failure:
        webpush.send(webpush.address_from(endpoint.subscription), MESSAGE)

    assert failure.value.is_final


@pytest.mark.parametrize("status", [400, 403, 413, 429, 500, 307])
def test_any_other_refusal_is_said_and_tried_again(endpoint: PushEndpoint, status: int) -> None:
    endpoint.receiver.answering = lambda handler: answer(handler, status, b"not subscription-1")

    with pytest.raises(NotSent, match=rf"^127\.0\.0\.1 answers: {status} not •••$") as failure:
        webpush.send(webpush.address_from(endpoint.subscription), MESSAGE)

    assert not failure.value.is_final


def test_a_redirect_leads_nowhere(endpoint: PushEndpoint) -> None:
    with push_endpoint() as other:
        endpoint.receiver.answering = redirecting_to(other.receiver.url)
        with pytest.raises(NotSent):
            webpush.send(webpush.address_from(endpoint.subscription), MESSAGE)

    assert other.receiver.received == []


def test_a_browser_cannot_name_an_endpoint_inside_the_house(endpoint: PushEndpoint, settings: Any) -> None:
    settings.OUTBOUND_ALLOWED_NETWORKS = ()
    subscription = endpoint.subscription
    subscription["endpoint"] = subscription["endpoint"].replace("http:", "https:")

    with pytest.raises(outbound.Refused, match="private network"):
        webpush.send(webpush.address_from(subscription), MESSAGE)

    assert endpoint.receiver.received == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("p256dh", "BAAA"),
        ("p256dh", "B" + "A" * 86),
        ("p256dh", 7),
        ("auth", "AAAA"),
        ("auth", None),
        ("endpoint", None),
        ("endpoint", "file:///etc/passwd"),
    ],
)
def test_what_is_no_subscription_is_refused(endpoint: PushEndpoint, name: str, value: Any) -> None:
    subscription = json.loads(json.dumps(endpoint.subscription))
    (subscription if name == "endpoint" else subscription["keys"])[name] = value

    with pytest.raises((webpush.BadSubscription, outbound.Refused)):
        webpush.address_from(subscription)


@pytest.mark.parametrize("subscription", [None, [], "x", {}, {"endpoint": "https://a.example", "keys": None}])
def test_what_has_no_such_shape_is_refused(subscription: Any) -> None:
    with pytest.raises(webpush.BadSubscription):
        webpush.address_from(subscription)


def test_the_key_is_made_once_and_stored_sealed() -> None:
    first = push_keys.public_key()

    stored = PushKey.objects.get()
    assert push_keys.public_key() == first
    assert len(decoded(first)) == 65
    assert stored.private_key.open() not in str(stored.private_key)
    assert (PushKey, "private_key") in set(sealed_columns())


def test_setup_makes_the_key() -> None:
    with patch.object(setup.Command, "_migrate"), patch.object(setup.Command, "_collect"):
        call_command("setup", stdout=StringIO())

    assert PushKey.objects.count() == 1
