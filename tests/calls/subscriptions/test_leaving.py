"""A company that goes to another provider: nothing of the one before is heard, believed or learned again."""

import pytest

from accounts import domains
from accounts.models import AuditEntry, Domain
from tests.calls.conftest import SECRETS, Deliver, make_subscription, of_kind
from tests.calls.events import event
from tests.calls.fake_provider import FakeProvider
from wallboard.calibration import findings
from wallboard.calibration.models import Finding, Progress
from wallboard.calls.models import Leg, Subscription
from wallboard.calls.subscriptions import maintenance, provider_domain
from wallboard.calls.webhooks import hook_secrets

ELSEWHERE = "https://second.example"


def call(number: int, name: str) -> bytes:
    return event("ended", call=f"c{number}", leg=f"l{number}").replace(b"example.org", name.encode())


@pytest.fixture
def left(domain: Domain, deliver: Deliver) -> Domain:
    """The company after it was moved from a provider of which everything was known."""
    deliver(*(call(number, "first.example") for number in range(4)))
    assert provider_domain.learn(domain) == "first.example"
    Subscription.objects.update(provider_id="17", state=Subscription.State.READY)
    Domain.objects.update(hidden_waits="longest", period_waits="longest")
    domain.refresh_from_db()
    findings.update(domain)
    Finding.objects.update_or_create(domain=domain, question="wait_unit", defaults={"verdict": "proven"})
    domains.connect(domain, ELSEWHERE, "new", "new")
    return domain


def test_what_was_learned_of_the_provider_is_forgotten_and_noted(left: Domain) -> None:
    left.refresh_from_db()

    assert [getattr(left, name) for name in domains.PROVIDER_COLUMNS] == ["", "", ""]
    noted = AuditEntry.objects.filter(what="company changed").latest("pk").changes
    assert noted["provider_domain"] == ["first.example", ""]
    assert not Finding.objects.exists()
    progress = Progress.objects.get()
    assert progress.delivery_id > 0  # what came before is not looked at again
    findings.update(left)
    assert not Finding.objects.exclude(verdict="unknown").exists()


def test_its_addresses_are_closed_and_others_are_begun(left: Domain, provider: FakeProvider) -> None:
    assert hook_secrets.hash_of(SECRETS["calls"]) not in hook_secrets.from_database()

    maintenance.check(left)

    assert of_kind("calls").secret.open() != SECRETS["calls"]
    assert provider.deleted == []  # the id of the old one means nothing at the new


def test_calls_of_the_new_provider_are_applied_and_teach_its_domain(left: Domain, deliver: Deliver) -> None:
    assert provider_domain.learn(left) == ""
    new = make_subscription(left, "calls", secret="another-secret")

    assert provider_domain.learn(left) == ""
    assert provider_domain.candidates(left) == []
    deliver(*(call(number, "second.example") for number in range(10, 14)), to=new)
    assert Leg.objects.filter(from_call_id="c10").exists()
    assert provider_domain.learn(left) == "second.example"


def test_other_credentials_at_the_same_address_forget_nothing(domain: Domain, deliver: Deliver) -> None:
    deliver(*(call(number, "first.example") for number in range(4)))
    provider_domain.learn(domain)

    domains.connect(domain, domain.base_url, "new", "new")

    domain.refresh_from_db()
    assert domain.provider_domain == "first.example"
    assert hook_secrets.hash_of(SECRETS["calls"]) in hook_secrets.from_database()
