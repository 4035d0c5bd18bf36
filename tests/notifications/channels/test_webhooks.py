"""Webhooks: a receiver checks them with the library's own verifier."""

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from tests.notifications.channels.receivers import MESSAGE, Receiver, answer, drip, receiving, redirecting_to
from wallboard.notifications import outbound
from wallboard.notifications.channels import webhooks
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.messages import Message


@pytest.fixture
def receiver(loopback_allowed: None) -> Iterator[Receiver]:
    with receiving() as running:
        yield running


def test_the_receiver_verifies_and_reads_it(receiver: Receiver) -> None:
    address = webhooks.new_address(receiver.url + "/hook")

    assert webhooks.send(address, MESSAGE) == "204"

    (request,) = receiver.received
    content = Webhook(address["secret"]).verify(request.body, request.headers)
    assert content["type"] == "alerts.raised"
    assert content["data"] == {
        "title": MESSAGE.title,
        "text": MESSAGE.text,
        "url": MESSAGE.url,
        "acknowledge_url": MESSAGE.acknowledge_url,
        "level": "late",
        "alerts": [{"id": 7, "queue": "600"}],
    }
    assert request.headers["Content-Type"].startswith("application/json")


def test_the_id_is_the_same_at_every_try(receiver: Receiver) -> None:
    address = webhooks.new_address(receiver.url)
    receiver.answering = lambda handler: answer(handler, 503, b"later")

    for _ in range(2):
        with pytest.raises(NotSent, match="503 later") as failure:
            webhooks.send(address, MESSAGE)
        assert not failure.value.is_final

    assert [each.headers["webhook-id"] for each in receiver.received] == [MESSAGE.id] * 2


def test_after_a_rotation_both_secrets_verify_for_a_day_and_then_the_new_one(receiver: Receiver) -> None:
    old = webhooks.new_address(receiver.url)
    new = webhooks.rotated(old)
    assert new["secret"] != old["secret"]

    webhooks.send(new, MESSAGE)
    webhooks.send(webhooks.rotated(old, time.time() - webhooks.BOTH_VALID_SECONDS - 1), MESSAGE)

    during, after = receiver.received
    for address in (old, new):
        Webhook(address["secret"]).verify(during.body, during.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(old["secret"]).verify(after.body, after.headers)


def test_each_secret_verifies_for_its_day_however_many_were_made_since(receiver: Receiver) -> None:
    now = time.time()
    first = webhooks.new_address(receiver.url)
    second = webhooks.rotated(first, now - webhooks.BOTH_VALID_SECONDS + 60)
    third = webhooks.rotated(second, now - webhooks.BOTH_VALID_SECONDS + 120)
    late = webhooks.rotated(webhooks.rotated(first, now - webhooks.BOTH_VALID_SECONDS - 1), now - 60)

    webhooks.send(third, MESSAGE)
    webhooks.send(late, MESSAGE)

    whole, without_first = receiver.received
    for address in (first, second, third):
        Webhook(address["secret"]).verify(whole.body, whole.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(first["secret"]).verify(without_first.body, without_first.headers)


def test_old_secrets_are_few_and_the_last_stays_where_the_release_before_looks_for_it() -> None:
    now = datetime.now(UTC)
    made = [webhooks.new_address("https://hooks.example.com/")]
    for _ in range(9):
        made.append(webhooks.rotated(made[-1], now.timestamp()))

    assert len(webhooks.signatures(made[-1], "id", now, "{}").split()) == webhooks.MOST_OLD_SECRETS + 1
    assert made[-1]["old_secret"] == made[-2]["secret"]


def test_a_changed_body_does_not_verify(receiver: Receiver) -> None:
    address = webhooks.new_address(receiver.url)
    webhooks.send(address, MESSAGE)

    (request,) = receiver.received
    with pytest.raises(WebhookVerificationError):
        Webhook(address["secret"]).verify(request.body.replace(b"late", b"fine"), request.headers)


def test_secrets_are_random_and_long() -> None:
    made = {webhooks.new_address("https://hooks.example.com/")["secret"] for _ in range(20)}

    assert len(made) == 20
    assert {len(Webhook(each)._whsecret) for each in made} == {32}


def test_410_is_final_and_a_redirect_is_not_followed(receiver: Receiver) -> None:
    address = webhooks.new_address(receiver.url + "/secret-token-1")
    receiver.answering = lambda handler: answer(handler, 410, b"no /secret-token-1 here")
    with pytest.raises(NotSent) as gone:
        webhooks.send(address, MESSAGE)

    with receiving() as other:
        receiver.answering = redirecting_to(other.url)
        with pytest.raises(NotSent, match="307") as redirected:
            webhooks.send(address, MESSAGE)

    assert (gone.value.is_final, gone.value.reason) == (True, "410 no /••• here")
    assert (redirected.value.is_final, other.received) == (False, [])


def test_a_receiver_that_drips_is_cut_off(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "SECONDS", 0.5)
    receiver.answering = drip
    began = time.monotonic()

    with pytest.raises(NotSent, match="No whole answer"):
        webhooks.send(webhooks.new_address(receiver.url), MESSAGE)

    assert time.monotonic() - began < 2


def test_without_the_operators_word_this_machine_is_no_receiver(receiver: Receiver, settings: Any) -> None:
    address = webhooks.new_address(receiver.url)
    settings.OUTBOUND_ALLOWED_NETWORKS = ()

    with pytest.raises(outbound.Refused):
        webhooks.send(address, MESSAGE)
    with pytest.raises(outbound.Refused):
        webhooks.send({**address, "url": address["url"].replace("http", "https")}, MESSAGE)

    assert receiver.received == []


def test_a_resolved_message_and_a_test_are_told_apart() -> None:
    now = datetime.now(UTC)
    resolved = Message("1", "t", "x", "u", is_resolved=True, data={"alerts": [{"id": 1}]})

    assert webhooks.document(resolved, now)["type"] == "alerts.resolved"
    assert webhooks.document(Message("1", "t", "x", "u"), now)["type"] == "test"
    assert json.dumps(webhooks.document(resolved, now))


def test_people_see_where_it_goes_and_no_secret() -> None:
    address = webhooks.new_address("https://hooks.example.com:8443/services/secret")

    assert webhooks.host_of(address) == "https://hooks.example.com:8443"
