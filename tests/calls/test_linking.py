"""Which calls count as dialling a number that was shown, however the provider words them."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.encryption import sealed
from accounts.models import Domain, Grant, LinkNumber, Person, User
from accounts.signin import linking as numbers
from tests.calls.conftest import Deliver, arrival, make_subscription
from tests.calls.events import event, record
from wallboard.calls import linking, publisher, tasks
from wallboard.calls.models import Leg, Subscription
from wallboard.calls.webhooks import intake
from wallboard.queues.models import Queue

pytestmark = pytest.mark.usefixtures("redis_url")


@pytest.fixture
def shown(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> LinkNumber:
    """The number 4711, shown a minute ago."""
    monkeypatch.setattr(numbers, "NUMBERS", [4711])
    user = User.objects.create(username="waiting", link_code="1000")
    Grant.objects.create(domain=domain, user=user, access_token=sealed("t"), refresh_token=sealed("t"))
    row = numbers.issue_number(user, domain, ())
    LinkNumber.objects.update(shown_at=timezone.now() - timedelta(minutes=1))
    return row


def dialled(state: Any = "progressing", **more: Any) -> bytes:
    """Extension 101 dials 4711, which leads nowhere."""
    usual = {"caller": "sip:101@example.org", "caller_user": "101", "user": None, "number": "4711", "on_net": True}
    return event(state, **(usual | more))


def heard() -> str:
    return LinkNumber.objects.get().extension


@pytest.mark.parametrize(
    "shape",
    [
        {"number": "4711"},
        {"number": "sip:4711@example.org"},
        {"number": "<sip:4711@example.org;user=phone>"},
        {"number": "tel:4711"},
        {"number": "+4711"},
        {"number": None, "user": "4711"},
        {"number": "sip:announcement@example.org", "user": "4711"},
        {"number": "4711", "on_net": None},
        {"number": "4711", "on_net": False},
        {"number": "4711", "caller": "101"},
        {"number": "4711", "caller": None},
        {"number": "4711", "caller": "sip:101-kitchen@example.org"},
        {"number": "4711", "is_human": False},
    ],
)
def test_the_number_counts_wherever_it_stands(shown: LinkNumber, deliver: Deliver, shape: dict[str, Any]) -> None:
    publisher.publish_changes(deliver(dialled(**shape)))

    assert heard() == "101"
    assert set(Person.objects.values_list("extension", flat=True)) == {"101"}


@pytest.mark.parametrize("state", ["progressing", "ringing", "active", "ended", "queued", ("progressing", "ringing")])
def test_any_state_counts(shown: LinkNumber, deliver: Deliver, state: Any) -> None:
    publisher.publish_changes(deliver(dialled(state)))

    assert heard() == "101"


@pytest.mark.parametrize(
    "shape",
    [
        {"number": "4712"},
        {"number": "47110"},
        {"number": "+494711"},
        {"caller_user": None, "caller": "+4930901820"},
        {"caller_user": "800"},
        {"by_call_id": "another-phone"},
        {"caller": "+4930901820", "on_net": False},
        {"caller": "+4930901820", "on_net": None},
        {"caller": "sip:+15552345678@example.org", "on_net": False},
        {"caller": "sip:+15552345678@example.org", "on_net": None},
        {"caller": "15552345678", "on_net": True},
        {"caller": "1012345678", "on_net": None},
        {"caller": "sip:105@example.org"},
        {"caller": "sip:anonymous@anonymous.invalid"},
    ],
)
def test_what_is_no_own_dialling_of_it_counts_nothing(
    shown: LinkNumber, deliver: Deliver, domain: Domain, shape: dict[str, Any]
) -> None:
    Queue.objects.create(domain=domain, number="800")

    publisher.publish_changes(deliver(dialled(**shape)))

    assert heard() == ""


def test_a_call_that_was_somewhere_else_first_counts_nothing(shown: LinkNumber, deliver: Deliver) -> None:
    """A phone that sends its callers on to the number would link whoever rings it."""
    deliver(dialled(user="105", number="sip:105@example.org"), at=timezone.now() - timedelta(seconds=5))

    publisher.publish_changes(deliver(dialled(leg="l2")))

    assert heard() == ""


def test_a_call_that_was_there_before_the_number_counts_nothing(shown: LinkNumber, deliver: Deliver) -> None:
    deliver(dialled(), at=timezone.now() - timedelta(minutes=2))

    publisher.publish_changes(deliver(dialled("ended")))

    assert heard() == ""


def test_a_record_that_comes_late_counts_nothing(shown: LinkNumber, domain: Domain) -> None:
    cdrs = make_subscription(domain, "cdrs")
    body = record(answered=False).replace(b'"id": "101", "user": "101"', b'"id": "4711", "user": null')
    body = body.replace(b'"user": null, "name": "Ana Lima"', b'"user": "101", "name": ""')

    publisher.publish_changes(intake.commit([arrival(cdrs, body)]))

    assert Leg.objects.get().from_user == "101"
    assert heard() == ""


def test_a_call_from_another_company_at_the_provider_counts_nothing(
    shown: LinkNumber, domain: Domain, deliver: Deliver
) -> None:
    Domain.objects.update(provider_domain="example.org")
    body = dialled().replace(b'"user": "101", "domain": null', b'"user": "101", "domain": "stranger.example"')

    publisher.publish_changes(deliver(body))

    assert heard() == ""


def test_while_our_domain_is_not_known_no_domain_counts(
    shown: LinkNumber, domain: Domain, deliver: Deliver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wallboard.calls.linking.provider_domain.learn", lambda domain: "")
    body = dialled().replace(b'"user": "101", "domain": null', b'"user": "101", "domain": "example.org"')

    publisher.publish_changes(deliver(body))
    assert heard() == ""

    Domain.objects.update(provider_domain="Example.org")
    publisher.publish_changes(deliver(body.replace(b'"c1"', b'"c2"')))
    assert heard() == "101"


def test_the_same_number_of_another_company_counts_nothing(shown: LinkNumber, domain: Domain) -> None:
    other = Domain.objects.create(slug="other", name="Other", base_url="http://127.0.0.1:2", client_secret=sealed("s"))
    theirs = make_subscription(other, "calls", "another-secret-0123456789abcdefghijklmn")

    publisher.publish_changes(intake.commit([arrival(theirs, dialled())]))

    assert heard() == ""


def test_a_second_phone_is_told_of_too(shown: LinkNumber, deliver: Deliver) -> None:
    publisher.publish_changes(
        deliver(dialled(), dialled(call="c2", leg="l2", caller="sip:105@example.org", caller_user="105"))
    )

    assert LinkNumber.objects.get().outcome == LinkNumber.Outcome.TWO_PHONES


def test_what_nobody_could_be_told_of_is_found_by_the_sweeper(shown: LinkNumber, deliver: Deliver) -> None:
    deliver(dialled())
    assert heard() == ""

    tasks.sweep()

    assert heard() == "101"


def test_a_dialled_number_makes_no_person_later_either(
    shown: LinkNumber, deliver: Deliver, subscription: Subscription
) -> None:
    deliver(dialled(user="4711"))
    numbers.number_dialled(subscription.domain_id, "4711", "101", timezone.now())
    LinkNumber.objects.update(outcome="linked")

    deliver(dialled("ended", user="4711"))

    assert not Person.objects.filter(extension="4711").exists()


def test_queues_are_taken_numbers(domain: Domain) -> None:
    Queue.objects.create(domain=domain, number="4001")

    assert linking.taken(domain) == {"4001"}


def test_ordinary_calls_ask_the_database_nothing(
    domain: Domain, deliver: Deliver, django_assert_num_queries: Any
) -> None:
    changed = [Leg(pk=1, domain=domain, from_user="101", to_user="102"), Leg(pk=2, domain=domain, to_number="4711")]

    with django_assert_num_queries(0):
        linking.notice(domain.pk, changed)
