"""Live call queue statistics, statement by statement of the provider's document."""

import time

import pytest

from tests.simulator.conftest import STATS, Provider, Receiver

pytestmark = pytest.mark.flow
FIELDS = {"queue", "calls_waiting", "avg_wait", "max_wait", "num_agents", "available_agents", "unavailable_agents"}
PATH = "/api/call_queues/stats/live/"


def entry(provider: Provider, number: str) -> dict[str, int]:
    answer = provider.stats(provider.company_token()).json()
    return dict(next(row for row in answer if row["queue"] == number))


def test_the_answer_is_an_array_with_one_object_per_queue(provider: Provider) -> None:
    answer = provider.stats(provider.company_token())

    assert answer.status_code == 200
    assert [row["queue"] for row in answer.json()] == ["4001", "4002", "4003"]


def test_each_entry_has_the_documented_fields_and_types(provider: Provider) -> None:
    for row in provider.stats(provider.company_token()).json():
        assert set(row) == FIELDS
        assert isinstance(row["queue"], str)
        assert row["queue"].isdigit()
        assert all(type(row[name]) is int for name in FIELDS - {"queue"})


def test_the_figures_are_those_of_the_moment_of_the_request(provider: Provider) -> None:
    before = entry(provider, "4001")
    provider.place_call("4001", answer=False, ring_seconds=3)
    time.sleep(1.2)

    meanwhile = entry(provider, "4001")

    assert (before["calls_waiting"], before["max_wait"], before["avg_wait"]) == (0, 0, 0)
    assert (meanwhile["calls_waiting"], meanwhile["max_wait"], meanwhile["avg_wait"]) == (1, 1, 1)
    time.sleep(2.2)
    assert entry(provider, "4001")["calls_waiting"] == 0


def test_average_and_maximum_are_of_those_who_wait(provider: Provider) -> None:
    provider.place_call("4001", answer=False, ring_seconds=4)
    time.sleep(2.1)
    provider.place_call("4001", answer=False, ring_seconds=2)

    row = entry(provider, "4001")

    assert row["calls_waiting"] == 2
    assert row["max_wait"] == 2
    assert row["avg_wait"] == 1
    time.sleep(2.2)


def test_agents_are_available_or_not(provider: Provider, receiver: Receiver) -> None:
    before = entry(provider, "4001")
    assert before["available_agents"] + before["unavailable_agents"] == before["num_agents"] > 0
    placed = provider.place_call("4001", ring_seconds=0.1, talk_seconds=1.5)
    time.sleep(0.6)

    during = entry(provider, "4001")

    assert placed["to_user"] is not None
    assert during["available_agents"] == before["available_agents"] - 1
    assert during["unavailable_agents"] == before["unavailable_agents"] + 1
    time.sleep(1.5)
    assert entry(provider, "4001") == before


def test_a_token_is_required(provider: Provider) -> None:
    answer = provider.stats(None)

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert provider.stats("made.up").status_code == 401
    assert provider.call("GET", PATH, None, STATS, headers={"Authorization": "Basic eDp5"}).status_code == 401


@pytest.mark.parametrize(
    "accept",
    ["", "*/*", "application/json", "application/vnd.service.v1.2.0+json", "application/vnd.service.v1.4+json"],
)
def test_version_1_4_0_is_required(provider: Provider, accept: str) -> None:
    answer = provider.call("GET", PATH, provider.company_token(), accept)

    assert answer.status_code == 406
    assert answer.json()["error"] == "not_acceptable"


def test_a_users_token_does_not_read_company_wide_figures(provider: Provider) -> None:
    assert provider.stats(provider.user_token("101")).status_code == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_other_methods_are_refused(provider: Provider, method: str) -> None:
    answer = provider.call(method, PATH, provider.company_token(), STATS)

    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]
    assert answer.json()["error"] == "method_not_allowed"


@pytest.mark.parametrize("path", ["/api/call_queues/stats/live", "/api/", "/api/nothing/", "/nothing"])
def test_other_addresses_are_not_found(provider: Provider, path: str) -> None:
    answer = provider.call("GET", path, provider.company_token(), STATS)

    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
