"""Tokens that are refused, or end at once: replaced at once, then with patience, until the first success."""

import logging
from datetime import UTC, datetime

import pytest
import requests
import responses
import time_machine

from accounts.models import CompanyToken, Domain
from accounts.tokens import clients
from tests.accounts.conftest import PROVIDER, Provider
from wallboard.telephony import errors
from wallboard.telephony.resources import QueueStatsList

pytestmark = pytest.mark.one_database

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def company(domain: Domain) -> clients.CompanyTokenSource:
    return clients.CompanyTokenSource(CompanyToken.objects.create(domain=domain))


@pytest.mark.parametrize("lifetime", [0, -5, 1])
def test_token_that_ends_at_once_is_tried_for_a_minute(
    company: clients.CompanyTokenSource, provider: Provider, lifetime: int
) -> None:
    provider.extra = {"expires_in": lifetime}
    with time_machine.travel(NOON, tick=False) as clock:
        assert [company(), company()] == ["access-1", "access-1"]

        clock.shift(61)

        assert company() == "access-2"


@pytest.mark.parametrize("lifetime", [0, 1])
def test_tokens_that_end_at_once_cost_one_token_request_a_minute(
    domain: Domain, provider: Provider, http: responses.RequestsMock, lifetime: int
) -> None:
    provider.extra = {"expires_in": lifetime}
    used: set[str] = set()

    def once_each(request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
        token = request.headers["Authorization"]
        is_used = token in used
        used.add(token)
        return (401, {}, "") if is_used else (200, {}, "[]")

    http.add_callback("GET", f"{PROVIDER}/api/call_queues/stats/live/", once_each)
    waits = []
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(300):
            try:
                clients.company_client(domain).queue_stats()
            except errors.ShortLivedToken as error:
                waits.append(error.wait_seconds or 0)
            clock.shift(1)

    assert len(provider.forms) == 5
    assert all(0 < wait <= 60 for wait in waits)


def test_api_that_refuses_every_token_costs_ever_fewer_token_requests(
    domain: Domain, provider: Provider, http: responses.RequestsMock
) -> None:
    http.get(f"{PROVIDER}/api/call_queues/stats/live/", status=401)
    moments = []
    with time_machine.travel(NOON, tick=False) as clock:
        for second in range(600):
            before = len(provider.forms)
            with pytest.raises(errors.TokenRejected):
                clients.company_client(domain).queue_stats()
            moments += [second] * (len(provider.forms) - before)
            clock.shift(1)

    assert moments[:4] == [0, 0, 10, 30]
    assert len(moments) <= 10


def test_calls_that_succeed_in_between_have_tokens_replaced_at_once_again(
    domain: Domain, provider: Provider, http: responses.RequestsMock
) -> None:
    stats = f"{PROVIDER}/api/call_queues/stats/live/"
    with time_machine.travel(NOON, tick=False) as clock:
        for status in (200, 401, 401, 200, 403, 200, 401, 200):
            http.add("GET", stats, status=status, body="[]")
        results: list[QueueStatsList | None] = []
        for _ in range(5):
            try:
                results.append(clients.company_client(domain).queue_stats())
            except errors.NotAuthorized:
                results.append(None)
            clock.shift(2)

    assert results == [[], None, [], [], []]
    assert CompanyToken.objects.get().rejected_since is None
    assert len(provider.forms) == 4


def test_tokens_that_are_refused_again_and_again_are_replaced_once_a_minute_in_the_end(
    company: clients.CompanyTokenSource, provider: Provider
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(600):
            company(company())
            company.record_success()
            clock.shift(1)

    assert 13 <= len(provider.forms) <= 16


def test_call_that_a_token_may_not_make_leaves_the_token_to_others(
    domain: Domain, provider: Provider, http: responses.RequestsMock
) -> None:
    http.get(f"{PROVIDER}/api/call_queues/stats/live/", status=403)
    for _ in range(3):
        with pytest.raises(errors.Forbidden):
            clients.company_client(domain).queue_stats()

    assert clients.CompanyTokenSource(CompanyToken.objects.get())() == "access-2"
    assert len(provider.forms) == 2


@pytest.mark.parametrize("refusal", [(401, {"error": "invalid_client"}), (403, {})])
def test_refused_credentials_are_asked_again_after_2_4_8_and_at_most_60_seconds(
    company: clients.CompanyTokenSource,
    provider: Provider,
    caplog: pytest.LogCaptureFixture,
    refusal: tuple[int, dict[str, object]],
) -> None:
    caplog.set_level(logging.INFO, "accounts.tokens.refresh")
    provider.refusal = refusal
    moments = []
    with time_machine.travel(NOON, tick=False) as clock:
        for second in range(600):
            before = len(provider.forms)
            with pytest.raises(errors.NotAuthorized):
                company()
            moments += [second] * (len(provider.forms) - before)
            clock.shift(1)
        provider.refusal = None
        clock.shift(60)

        assert company() == f"access-{len(moments) + 1}"
    assert moments[:4] == [0, 2, 6, 13] or moments[:4] == [0, 2, 6, 14]
    assert len(moments) <= 20
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_somebody_who_waits_ends_the_pause(
    company: clients.CompanyTokenSource, domain: Domain, provider: Provider
) -> None:
    provider.refusal = 401, {}
    with pytest.raises(errors.NotAuthorized):
        company()
    provider.refusal = None

    clients.try_now(domain)

    assert company() == "access-2"


def test_refused_token_that_cannot_be_replaced_costs_one_request_at_a_time(
    domain: Domain, provider: Provider, http: responses.RequestsMock
) -> None:
    stats = http.get(f"{PROVIDER}/api/call_queues/stats/live/", status=401)
    with time_machine.travel(NOON, tick=False) as clock:
        clients.CompanyTokenSource(CompanyToken.objects.create(domain=domain))()
        provider.refusal = 500, {}
        for _ in range(600):
            with pytest.raises(errors.Unreachable):
                clients.company_client(domain).queue_stats()
            clock.shift(1)

    assert stats.call_count == 1
    assert 10 <= len(provider.forms) <= 30


@pytest.mark.parametrize(("status", "error"), [(429, errors.RateLimited), (503, errors.Unavailable)])
def test_token_endpoint_is_given_the_time_that_it_asks_for(
    company: clients.CompanyTokenSource, http: responses.RequestsMock, status: int, error: type[errors.ProviderError]
) -> None:
    asked = http.post(f"{PROVIDER}/api/oauth/token/", status=status, headers={"Retry-After": "300"})
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(29):
            with pytest.raises(error):
                company()
            clock.shift(10)

    assert asked.call_count == 1
