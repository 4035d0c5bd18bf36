"""Subscriptions whose address changes are replaced with an overlap; unwanted ones are deleted at the provider."""

from typing import Any

from accounts.models import Domain
from tests.calls.conftest import of_kind, say_ready
from tests.calls.fake_provider import FakeProvider, post_uri
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import maintenance


def test_a_new_public_address_gets_a_new_subscription_and_the_old_one_stays_until_it_works(
    domain: Domain, provider: FakeProvider, clock: Any, settings: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    settings.PUBLIC_URL = "https://elsewhere.example.org"

    clock.shift(10)
    maintenance.check(domain)
    assert post_uri(provider.bodies[2]).startswith("https://elsewhere.example.org/hooks/")
    assert (provider.deleted, Subscription.objects.filter(state="retired").count()) == ([], 0)

    say_ready()
    clock.shift(10)
    maintenance.check(domain)
    assert sorted(provider.deleted) == ["1", "2"]
    assert {post_uri(body) for body in provider.live.values()} == {post_uri(body) for body in provider.bodies[2:]}


def test_a_rotated_address_replaces_the_old_one_with_an_overlap(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    old = of_kind("calls")

    maintenance.rotate(domain, "calls")
    maintenance.check(domain)
    assert Subscription.objects.get(pk=old.pk).state == "ready"

    say_ready()
    clock.shift(10)
    maintenance.check(domain)
    old.refresh_from_db()
    assert (old.state, old.provider_id) == ("retired", "")
    assert provider.deleted == ["1"]
    assert of_kind("calls").secret_hash != old.secret_hash


def test_the_id_of_one_that_is_still_wanted_is_never_deleted(
    domain: Domain, provider: FakeProvider, clock: Any
) -> None:
    maintenance.check(domain)
    say_ready()
    maintenance.rotate(domain, "calls")
    maintenance.check(domain)
    say_ready()
    Subscription.objects.filter(kind="calls").update(provider_id="1")

    clock.shift(10)
    maintenance.check(domain)

    assert provider.deleted == []


def test_a_domain_that_is_switched_off_is_told_to_the_provider(domain: Domain, provider: FakeProvider) -> None:
    maintenance.check(domain)
    domain.is_active = False
    domain.save()

    maintenance.check(domain)

    assert provider.live == {}
    assert {row.state for row in Subscription.objects.all()} == {"retired"}
