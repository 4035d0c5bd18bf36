"""A look at subscriptions that stand: once a minute at each company, so it asks the database little."""

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Domain
from tests.calls.conftest import say_ready
from tests.calls.fake_provider import FakeProvider
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import maintenance


def test_a_look_at_what_stands_takes_few_statements(domain: Domain, provider: FakeProvider, clock: Any) -> None:
    maintenance.check(domain)
    say_ready()
    clock.shift(100)
    asked_at = timezone.now()

    with CaptureQueriesContext(connection) as asked:
        maintenance.check(domain)

    assert len(asked) <= 15, [each["sql"][:120] for each in asked]
    assert set(Subscription.objects.values_list("checked_at", flat=True)) == {asked_at}
