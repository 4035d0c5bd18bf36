"""What a client tells beside its answers: the status and date of a refusal, the provider's clock, its own deadline."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import responses
import time_machine

from wallboard.telephony import errors, transport
from wallboard.telephony.client import Client

BASE_URL = "https://provider.test"
STATS = f"{BASE_URL}/api/call_queues/stats/live/"
SUBSCRIPTIONS = f"{BASE_URL}/api/subscriptions/"
DATE = "Sun, 01 Mar 2026 12:00:00 GMT"
MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def http() -> Iterator[Any]:
    with responses.RequestsMock() as mock:
        yield mock


@pytest.fixture
def client() -> Any:
    return Client(BASE_URL, lambda rejected: "another" if rejected else "token")


@pytest.mark.parametrize(("status", "error"), [(401, errors.TokenRejected), (403, errors.Forbidden)])
@pytest.mark.parametrize(("date", "moment"), [(DATE, MOMENT), ("noon", None), (None, None)])
def test_a_rejected_token_and_a_missing_right_are_told_apart_with_the_providers_time(
    client: Client, http: responses.RequestsMock, status: int, error: Any, date: Any, moment: Any
) -> None:
    http.get(STATS, status=status, headers={"Date": date} if date else {})

    with pytest.raises(errors.NotAuthorized) as caught:
        client.queue_stats()

    assert type(caught.value) is error
    assert (caught.value.status, caught.value.provider_time) == (status, moment)


@pytest.mark.parametrize("answer", [{"status": 500}, {"status": 429}, {"body": b"<html>"}], ids=str)
def test_every_answer_that_fails_carries_its_status_and_time(
    client: Client, http: responses.RequestsMock, answer: Any
) -> None:
    http.get(STATS, headers={"Date": DATE}, **answer)

    with pytest.raises(errors.ProviderError) as caught:
        client.queue_stats()

    assert (caught.value.status, caught.value.provider_time) == (answer.get("status", 200), MOMENT)


def test_without_an_answer_there_is_no_status_and_no_time(client: Client, http: responses.RequestsMock) -> None:
    http.get(STATS, body=OSError())

    with pytest.raises(errors.Unreachable) as caught:
        client.queue_stats()

    assert (caught.value.status, caught.value.provider_time) == (None, None)


def test_a_client_knows_the_providers_clock_from_its_newest_answer(
    client: Client, http: responses.RequestsMock
) -> None:
    http.get(STATS, json=[], headers={"Date": DATE})
    http.delete(f"{SUBSCRIPTIONS}7/", status=204)
    before = client.provider_time, client.clock_ahead_seconds
    with time_machine.travel(MOMENT - timedelta(minutes=5), tick=False):
        client.queue_stats()
    with_date = client.provider_time, client.clock_ahead_seconds
    client.delete_subscription("7")

    assert (before, with_date) == ((None, None), (MOMENT, 300.0))
    assert (client.provider_time, client.clock_ahead_seconds) == (None, None)


def test_no_call_is_begun_after_a_clients_deadline(http: responses.RequestsMock) -> None:
    http.get(STATS, json=[])
    client = Client(BASE_URL, lambda _: "token")
    client.queue_stats()

    with transport.all_within(0), pytest.raises(errors.Unreachable, match="no time was left"):
        client.queue_stats()

    assert len(http.calls) == 1
