"""Call messages and call detail records as they are posted, statement by statement of the provider's document."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from tests.simulator.conftest import Provider, Receiver

pytestmark = pytest.mark.flow
SOURCE = {"id", "call_id", "user", "domain", "state", "name"}
TARGET = {"id", "call_id", "user", "domain", "state", "is_human"}
SAMPLE_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
ORDER = ("progressing", "ringing", "active", "ended")


@pytest.fixture
def listening(provider: Provider, receiver: Receiver) -> Receiver:
    """A ready subscription of the whole domain to both kinds."""
    provider.subscribe(provider.company_token(), receiver.url, cdrs=True)
    receiver.wait_ready()
    return receiver


def states(messages: list[dict[str, Any]], user: str) -> list[tuple[str, str]]:
    return [(call["from"]["state"], call["to"]["state"]) for call in messages if call["to"]["user"] == user]


def test_the_body_has_one_key_calls_with_the_documented_fields(provider: Provider, listening: Receiver) -> None:
    placed = provider.place_call("101", name="Tara Brandt")
    messages = listening.wait_ended(placed["from_call_id"])

    assert all(set(body) == {"calls"} for body in listening.bodies if isinstance(body, dict) and "msg" not in body)
    for call in messages:
        assert set(call) == {"on_net", "from", "to", "time_start", "time_answer", "by_call_id"}
        assert set(call["from"]) == SOURCE
        assert set(call["to"]) == TARGET
        assert call["from"]["name"] == "Tara Brandt"
        assert call["from"]["id"] == "+442079460012"
        assert isinstance(call["to"]["call_id"], str)
        assert call["to"]["is_human"] is True
        assert call["on_net"] is False
        assert call["by_call_id"] is None


def test_a_message_comes_for_every_change_of_either_endpoint(provider: Provider, listening: Receiver) -> None:
    answered = provider.place_call("101")
    unanswered = provider.place_call("102", answer=False)

    ended = [("ended", "ended")]
    ringing = [("progressing", "ringing")]
    assert states(listening.wait_ended(answered["from_call_id"]), "101") == [*ringing, ("active", "active"), *ended]
    assert states(listening.wait_ended(unanswered["from_call_id"]), "102") == ringing + ended


def test_endpoint_ids_are_e164_numbers_or_sip_addresses(provider: Provider, listening: Receiver) -> None:
    placed = provider.place_call("101")

    call = listening.wait_ended(placed["from_call_id"])[0]

    assert call["from"]["id"] == "+442079460012"
    assert call["to"]["id"].startswith("sip:101@")
    assert (call["to"]["user"], call["from"]["user"]) == ("101", None)
    assert (call["to"]["domain"], call["from"]["domain"]) == (call["to"]["id"].partition("@")[2], None)


def test_a_withheld_number_has_no_id(provider: Provider, listening: Receiver) -> None:
    placed = provider.place_call("101", from_number="")

    call = listening.wait_ended(placed["from_call_id"])[0]

    assert call["from"]["id"] is None
    assert call["from"]["name"] == "Anonymous"


def test_times_have_the_form_of_the_sample_and_time_answer_is_null_before_answer(
    provider: Provider, listening: Receiver
) -> None:
    placed = provider.place_call("101", ring_seconds=1.2, talk_seconds=0.2)
    ringing, active, ended = listening.wait_ended(placed["from_call_id"])

    assert ringing["time_answer"] is None
    for call in (ringing, active, ended):
        assert SAMPLE_TIME.fullmatch(call["time_start"])
        assert call["time_start"] == ringing["time_start"]
    assert SAMPLE_TIME.fullmatch(active["time_answer"])
    assert ended["time_answer"] == active["time_answer"] > ringing["time_start"]


def test_a_queue_call_rings_people_under_the_same_caller(provider: Provider, listening: Receiver) -> None:
    placed = provider.place_call("4002", ring_seconds=0.3)
    messages = listening.wait_ended(placed["from_call_id"])

    queue_legs = [call for call in messages if call["to"]["user"] == "4002"]
    people = {call["to"]["user"] for call in messages} - {"4002"}
    assert [call["to"]["state"] for call in queue_legs] == ["ringing", "active", "ended"]
    assert all(call["to"]["is_human"] is False for call in queue_legs)
    assert len(people) > 1  # this queue rings all
    assert len({call["to"]["call_id"] for call in messages}) == 1 + len(people)
    took = [user for user in people if ("active", "active") in states(messages, user)]
    assert len(took) == 1
    for user in people - set(took):
        assert [state for _, state in states(messages, user)] == ["ringing", "ended"]
        assert states(messages, user)[-1] == ("active", "ended")


def test_states_only_move_forward_for_each_endpoint(provider: Provider, listening: Receiver) -> None:
    placed = provider.place_call("4002")
    seen: dict[str, list[str]] = {}

    for call in listening.wait_ended(placed["from_call_id"]):
        for side in ("from", "to"):
            seen.setdefault(call[side]["call_id"], []).append(call[side]["state"])

    assert all([*map(ORDER.index, states)] == sorted(map(ORDER.index, states)) for states in seen.values())


def test_detail_records_come_as_an_array_shortly_after_the_end(provider: Provider, listening: Receiver) -> None:
    placed = provider.place_call("101", name="Tara Brandt", talk_seconds=1.1)
    listening.wait_ended(placed["from_call_id"])
    assert listening.records(placed["from_call_id"]) == []

    listening.wait(lambda: bool(listening.records(placed["from_call_id"])))

    [record] = listening.records(placed["from_call_id"])
    assert set(record) == {"start_time", "answer_time", "end_time", "duration", "from", "to"}
    assert set(record["from"]) == {"call_id", "domain", "id", "user", "name"}
    assert set(record["to"]) == {"call_id", "domain", "id", "user"}
    assert record["from"]["name"] == "Tara Brandt"
    assert record["to"]["user"] == "101"
    assert type(record["duration"]) is int


def test_record_times_have_their_own_format(provider: Provider, listening: Receiver) -> None:
    placed = provider.place_call("101", ring_seconds=1.1, talk_seconds=1.1)
    listening.wait(lambda: bool(listening.records(placed["from_call_id"])), 10)

    [record] = listening.records(placed["from_call_id"])
    form = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000"
    for name in ("start_time", "answer_time", "end_time"):
        assert re.fullmatch(form, record[name])
    start, answer, end = (parsedate_to_datetime(record[name]) for name in ("start_time", "answer_time", "end_time"))
    assert start < answer < end
    assert record["duration"] == (end - start).total_seconds()
    message = listening.messages(placed["from_call_id"])[-1]
    assert datetime.fromisoformat(message["time_start"]).replace(tzinfo=UTC) == start


def test_notifications_are_limited_to_the_chosen_users(
    provider: Provider, listening: Receiver, make_receiver: Callable[..., Receiver]
) -> None:
    chosen, own = make_receiver(), make_receiver()
    provider.subscribe(provider.company_token(), chosen.url, cdrs=True, user=["101", "103"])
    provider.subscribe(provider.user_token("102"), own.url)
    chosen.wait_ready()
    own.wait_ready()

    placed = [provider.place_call(user) for user in ("101", "102", "103")]
    for each in placed:
        listening.wait(lambda each=each: bool(listening.records(each["from_call_id"])))  # type: ignore[misc]
    chosen.wait(lambda: len(chosen.records()) == 2)

    assert {call["to"]["user"] for call in listening.messages()} == {"101", "102", "103"}
    assert {call["to"]["user"] for call in chosen.messages()} == {"101", "103"}
    assert {record["to"]["user"] for record in chosen.records()} == {"101", "103"}
    assert {call["to"]["user"] for call in own.messages()} == {"102"}


def test_only_what_was_chosen_is_sent(
    provider: Provider, listening: Receiver, make_receiver: Callable[..., Receiver]
) -> None:
    calls_only, records_only = make_receiver(), make_receiver()
    provider.subscribe(provider.company_token(), calls_only.url)
    provider.subscribe(provider.company_token(), records_only.url, calls=False, cdrs=True)
    calls_only.wait_ready()
    records_only.wait_ready()

    placed = provider.place_call("101")
    records_only.wait(lambda: bool(records_only.records(placed["from_call_id"])))

    assert records_only.messages() == []
    assert calls_only.records() == []
    assert len(calls_only.messages(placed["from_call_id"])) == 3


@pytest.mark.parametrize("status", [200, 204])
def test_the_endpoint_may_answer_200_or_204(
    provider: Provider, make_receiver: Callable[..., Receiver], status: int
) -> None:
    receiver = make_receiver(status=status)
    created = provider.subscribe(provider.company_token(), receiver.url).json()
    receiver.wait_ready()

    deliveries = provider.deliveries(subscription=created["id"])

    assert [(each["status"], each["acknowledged"]) for each in deliveries] == [(status, True)] * 2
