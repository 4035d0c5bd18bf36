"""A company is paused and resumed by its operator, and the simulated provider holds its subscriptions or does not."""

import pytest
from django.test import Client

from accounts import domains
from accounts.models import Domain, User
from accounts.tokens import clients
from tests.harness.simulator import Simulator
from tests.setup.test_start import provider  # noqa: F401
from wallboard.calls.models import Subscription
from wallboard.calls.subscriptions import maintenance
from wallboard.telephony import connections
from wallboard.telephony.errors import NotFound

pytestmark = pytest.mark.django_db
IN_FORCE = [Subscription.State.NEW, Subscription.State.CREATED, Subscription.State.PREPARING, Subscription.State.READY]


def held(domain: Domain, ids: list[str]) -> list[bool]:
    """Which of these the provider still has."""

    def is_held(subscription: str) -> bool:
        try:
            clients.company_client(domain).read_subscription(subscription)
        except NotFound:
            return False
        return True

    return [is_held(each) for each in ids]


def ids_in_force(domain: Domain) -> list[str]:
    return list(domain.subscriptions.filter(state__in=IN_FORCE).values_list("provider_id", flat=True))


def test_a_pause_deletes_the_subscriptions_and_resuming_makes_them_again(
    provider: Simulator,  # noqa: F811
    redis_url: str,
) -> None:
    connections.session().close()
    domain = Domain.objects.create(slug="acme", name="Acme")
    domains.connect(domain, provider.base_url, provider.client_id, provider.client_secret)
    operator = Client()
    operator.force_login(User.objects.create_user("keeper", is_operator=True))
    page = f"/operator/companies/{domain.pk}/"
    maintenance.check(domain)
    first = ids_in_force(domain)
    before = held(domain, first)

    operator.post(f"{page}pause/")
    domain.refresh_from_db()
    maintenance.check(domain)
    paused, left = held(domain, first), ids_in_force(domain)
    operator.post(f"{page}resume/")
    domain.refresh_from_db()
    maintenance.check(domain)
    second = ids_in_force(domain)

    assert before == [True, True]
    assert (paused, left) == ([False, False], [])
    assert len(second) == 2
    assert not set(first) & set(second)
    assert held(domain, second) == [True, True]
