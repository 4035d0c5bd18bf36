"""Subscriptions are created, renewed, found missing and made again, and their troubles are told."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
import responses
from django.utils import timezone

from accounts.leases import HeldLease
from accounts.models import Domain
from tests.calls.conftest import START, arrival, of_kind, say_ready
from tests.calls.events import event
from tests.calls.fake_provider import FakeProvider, post_uri
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import health, maintenance
from wallboard.calls.webhooks import intake
from wallboard.queues.models import PollState
from wallboard.telephony.client import Client
from wallboard.telephony.errors import NotAuthorized, RateLimited, Unreachable


def test_a_new_domain_gets_one_subscription_per_kind_with_secrets_of_their_own(
    domain: Domain, provider: FakeProvider, settings: Any
) -> None:
    maintenance.check(domain)

    calls, records = provider.bodies
    assert (b'"calls":true' in calls, b'"cdrs":true' in calls) == (True, False)
    assert (b'"calls":true' in records, b'"cdrs":true' in records) == (False, True)
    assert b'"expires_in":604800' in calls
    assert post_uri(calls) != post_uri(records)
    assert post_uri(calls).startswith(f"{settings.PUBLIC_URL}/hooks/")
    assert {row.state for row in Subscription.objects.all()} == {"created"}


def test_ready_may_come_before_the_answer_to_the_create(domain: Domain, provider: FakeProvider) -> None:
    really_create = provider.create_subscription

    def create(body: bytes, known_id: str = "") -> Any:
        say_ready("calls" if b'"calls"' in body else "cdrs")
        return really_create(body, known_id)

    provider.create_subscription = create  # type: ignore[method-assign]
    maintenance.check(domain)

    assert {row.state for row in Subscription.objects.all()} == {"ready"}
    assert health.of(domain.pk).state == "live"


def test_a_renewal_at_half_life_sends_the_same_bytes_and_keeps_the_id(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    first = list(provider.bodies)
    known = of_kind("calls").provider_id

    clock.move_to(START + timedelta(days=3.4))
    maintenance.check(domain)
    assert provider.bodies == first

    clock.move_to(START + timedelta(days=3.6))
    maintenance.check(domain)
    assert provider.bodies == first * 2
    assert of_kind("calls").provider_id == known
    assert of_kind("calls").expires_at == START + timedelta(days=10.6)


def test_the_provider_is_asked_at_most_once_per_check_interval(
    domain: Domain, provider: FakeProvider, clock: Any, settings: Any
) -> None:
    maintenance.check(domain)
    say_ready()

    for _ in range(13):
        clock.shift(settings.CHECK_SECONDS / 6)
        maintenance.check(domain)

    assert (len(provider.bodies), len(provider.reads)) == (2, 4)


def test_one_that_vanished_is_made_again_with_the_same_address(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    provider.live.clear()

    clock.shift(61)
    maintenance.check(domain)

    assert provider.bodies[2:] == provider.bodies[:2]
    assert (of_kind("calls").provider_id, of_kind("calls").state) == ("3", "created")
    assert health.of(domain.pk).state == "starting"
    say_ready()
    assert health.of(domain.pk).state == "live"


def test_a_healed_poll_brings_the_check_forward(domain: Domain, provider: FakeProvider, clock: Any) -> None:
    maintenance.check(domain)
    say_ready()
    poll = PollState.objects.create(domain=domain, failing_since=timezone.now(), failure="unreachable")
    provider.failing = Unreachable("down")
    clock.shift(5)
    maintenance.check(domain)
    assert health.of(domain.pk).state == "down"

    provider.failing = None
    provider.live.clear()
    PollState.objects.filter(pk=poll.pk).update(failing_since=None, failure="")
    clock.shift(5)
    maintenance.check(domain)

    assert len(provider.bodies) == 4


def test_an_outage_costs_one_check_of_each_subscription(domain: Domain, provider: FakeProvider, clock: Any) -> None:
    """Ten minutes of trouble may cost the provider thirty requests in all, and the polls need most of them."""
    maintenance.check(domain)
    say_ready()
    PollState.objects.create(domain=domain, failing_since=timezone.now(), failure="unreachable")
    provider.failing = Unreachable("down")

    failures = []
    for _ in range(20):
        clock.shift(30)
        if maintenance.is_due(domain, is_healed=False):
            maintenance.check(domain)
        failures.append(sum(row.failures for row in domain.subscriptions.all()))

    assert failures[-1] == 2


def test_who_lost_the_lease_asks_the_provider_nothing_more(
    domain: Domain, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_ours = iter([True, False])  # before the first exchange, and before the second
    monkeypatch.setattr(HeldLease, "renew", lambda *_, **__: next(is_ours))

    maintenance.check(domain)

    assert len(provider.bodies) == 1


def test_another_id_in_a_renewal_is_taken_over(domain: Domain, provider: FakeProvider, clock: Any) -> None:
    maintenance.check(domain)
    say_ready()
    provider.live = {"x" + key: body for key, body in provider.live.items()}

    clock.shift(4 * 86_400)
    maintenance.check(domain)

    assert of_kind("calls").provider_id == "x1"


def test_trouble_with_the_records_does_not_endanger_the_calls(domain: Domain, provider: FakeProvider) -> None:
    provider.failing_for["cdrs"] = NotAuthorized("beta")

    maintenance.check(domain)
    say_ready("calls")

    assert of_kind("cdrs").failure == "not_authorized"
    assert of_kind("calls").state == "ready"
    assert health.of(domain.pk).state == "live"


def test_a_provider_that_is_down_is_asked_ever_more_rarely(
    domain: Domain, provider: FakeProvider, clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    provider.failing = Unreachable("down")
    attempts = 0
    for _ in range(360):
        before = Subscription.objects.filter(kind="calls").values_list("failures", flat=True).first() or 0
        maintenance.check(domain)
        attempts += of_kind("calls").failures - before
        clock.shift(10)

    assert 8 <= attempts <= 25
    assert health.of(domain.pk).state == "down"
    assert [record.message for record in caplog.records if "calls of domain" in record.message] == [
        f"calls of domain {domain.pk}: unreachable; trying again."
    ]


def test_retry_after_is_honoured(domain: Domain, provider: FakeProvider, clock: Any) -> None:
    provider.failing = RateLimited("slow down", 900)
    maintenance.check(domain)

    provider.failing = None
    clock.shift(899)
    maintenance.check(domain)
    assert provider.bodies == []

    clock.shift(2)
    maintenance.check(domain)
    assert len(provider.bodies) == 2


def test_a_subscription_that_never_gets_ready_shows_a_problem(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    assert health.of(domain.pk).state == "starting"

    clock.shift(61)
    maintenance.check(domain)
    assert of_kind("calls").failure == "not_ready"
    assert health.of(domain.pk).state == "down"

    say_ready()
    assert (of_kind("calls").failure, health.of(domain.pk).state) == ("", "live")


def test_call_events_are_taken_before_ready(domain: Domain, provider: FakeProvider) -> None:
    maintenance.check(domain)

    told = intake.commit([arrival(of_kind("calls"), event("ringing"))])

    assert len(told[domain.pk].legs) == 1


def test_an_expiry_without_sense_does_not_make_a_storm_of_renewals(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    provider.lives_for = timedelta(hours=-5)
    maintenance.check(domain)

    for _ in range(6):
        clock.shift(1)
        maintenance.check(domain)

    assert len(provider.bodies) == 2


def test_secrets_are_unreadable_in_the_database(domain: Domain, provider: FakeProvider) -> None:
    maintenance.check(domain)

    secret = post_uri(provider.bodies[0]).split("/")[-2]
    columns = str(list(Subscription.objects.values()))
    assert len(secret) >= 43
    assert secret not in columns


def test_a_clock_that_was_set_back_neither_stops_checks_nor_prolongs_a_pause(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    provider.failing = Unreachable("down")
    clock.shift(61)
    maintenance.check(domain)
    provider.failing = None
    reads = len(provider.reads)

    clock.shift(-1200)
    maintenance.check(domain)
    assert len(provider.reads) == reads + 2
    assert of_kind("calls").failure == ""

    clock.shift(-1200)
    maintenance.check(domain)
    assert len(provider.reads) == reads + 4


@pytest.mark.parametrize("told", [{"post_uri": "", "expires": "", "events": {}}, None], ids=["without id", "empty"])
def test_a_renewal_that_names_no_id_leaves_events_live(
    domain: Domain, redis_url: str, clock: Any, monkeypatch: pytest.MonkeyPatch, told: Any
) -> None:
    """The real client over faked HTTP: a provider that names the id once, and shows it when it is read back."""
    asked: dict[str, Any] = {}

    def answer(request: Any) -> Any:
        if request.method == "POST":
            body = json.loads(request.body)
            known = "7" if body.get("calls") else "8"
            is_renewal, asked[known] = known in asked, {**whole(body), "id": int(known)}
            shown = told and {name: asked[known][name] for name in told}
            return 200, {}, (json.dumps(shown) if shown else "") if is_renewal else json.dumps(asked[known])
        return 200, {}, json.dumps(asked[request.url.rstrip("/").rpartition("/")[2]])

    def whole(body: Any) -> Any:
        expires = (timezone.now() + timedelta(days=7)).replace(tzinfo=None).isoformat()
        return {"post_uri": body["post_uri"], "expires": expires, "events": [{"type": "calls", "user": "101"}]}

    client = Client("http://provider.test", lambda _: "t")
    monkeypatch.setattr("accounts.tokens.clients.company_client", lambda _: client)
    with responses.RequestsMock() as http:
        for method in ("GET", "POST"):
            http.add_callback(method, re.compile("http://provider.test/api/subscriptions/.*"), answer)
        maintenance.check(domain)
        say_ready()
        for days in (3.6, 0.001, 3.6, 0.001):
            clock.shift(days * 86_400)
            maintenance.check(domain)
            assert (of_kind("calls").failure, of_kind("calls").provider_id) == ("", "7")
            assert health.of(domain.pk).state == "live"

    assert of_kind("calls").expires_at == timezone.now() + timedelta(days=6.999)
