"""Subscriptions, statement by statement of the provider's document."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from tests.simulator.conftest import SUBSCRIPTIONS, Provider, Receiver

pytestmark = pytest.mark.flow
NOWHERE = "http://127.0.0.1:9/hook/"
PATH = "/api/subscriptions/"


def service_time(provider: Provider) -> datetime:
    return datetime.fromisoformat(provider.control("clock", seconds=0)["now"]).replace(tzinfo=None)


def test_the_create_answer_has_a_string_id_and_one_event_object(provider: Provider) -> None:
    answer = provider.subscribe(provider.company_token(), NOWHERE)

    created = answer.json()
    assert answer.status_code == 201
    assert set(created) == {"id", "post_uri", "expires", "events"}
    assert isinstance(created["id"], str)
    assert created["post_uri"] == NOWHERE
    assert created["events"] == {"type": "calls"}


def test_the_read_answer_has_an_integer_id_and_an_array_of_type_and_user(provider: Provider) -> None:
    token = provider.company_token()
    created = provider.subscribe(token, NOWHERE, user="101").json()

    answer = provider.read(token, created["id"])

    assert answer.status_code == 200
    assert answer.json() == {
        "id": int(created["id"]),
        "post_uri": NOWHERE,
        "expires": created["expires"],
        "events": [{"type": "calls", "user": "101"}],
    }


def test_both_kinds_can_be_subscribed_to_at_once(provider: Provider) -> None:
    token = provider.company_token()
    created = provider.subscribe(token, NOWHERE, cdrs=True).json()

    assert created["events"] == [{"type": "calls"}, {"type": "cdrs"}]
    kinds = [event["type"] for event in provider.read(token, created["id"]).json()["events"]]
    assert kinds == ["calls", "cdrs"]


def test_cdrs_alone_can_be_subscribed_to(provider: Provider) -> None:
    created = provider.subscribe(provider.company_token(), NOWHERE, calls=False, cdrs=True).json()

    assert created["events"] == {"type": "cdrs"}


@pytest.mark.parametrize("expires_in", [1, 3600, 604_800, "3600", "604800"])
def test_expires_in_is_a_number_or_a_numeric_string_up_to_604800(provider: Provider, expires_in: int | str) -> None:
    answer = provider.subscribe(provider.company_token(), NOWHERE, expires_in=expires_in)

    expected = service_time(provider) + timedelta(seconds=int(expires_in))
    assert answer.status_code == 201
    assert abs(datetime.fromisoformat(answer.json()["expires"]) - expected) < timedelta(seconds=3)


@pytest.mark.parametrize("expires_in", [0, -1, 604_801, "604801", "ten", "", 1.5, True, [], "1e3", "١٢"])
def test_expires_in_beyond_its_bounds_is_refused(provider: Provider, expires_in: object) -> None:
    answer = provider.subscribe(provider.company_token(), NOWHERE, expires_in=expires_in)

    assert (answer.status_code, answer.json()["error"]) == (422, "unprocessable")


@pytest.mark.parametrize(
    "fields",
    [
        {"post_uri": None},
        {"post_uri": "not an address"},
        {"post_uri": "ftp://127.0.0.1/"},
        {"post_uri": "http:///path"},
        {"post_uri": "http://[::1/"},
        {"post_uri": "http://h:99999/"},
        {"post_uri": 5},
        {"calls": False},
        {"calls": None},
        {"calls": "true"},
        {"calls": 1},
        {"user": "999"},
        {"user": 101},
        {"user": ["101", 5]},
        {"user": {"a": "b"}},
    ],
)
def test_a_request_that_makes_no_sense_is_unprocessable(provider: Provider, fields: dict[str, object]) -> None:
    answer = provider.subscribe(provider.company_token(), **({"post_uri": NOWHERE} | fields))  # type: ignore[arg-type]

    assert (answer.status_code, answer.json()["error"]) == (422, "unprocessable")


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 30_000, "application/json", 400),
        (b"[]", "application/json", 422),
        (b"null", "application/json", 422),
        (b"post_uri=http://x/&calls=true", "application/x-www-form-urlencoded", 415),
        (b"{}", "text/plain", 415),
        (b" " * 70_000, "application/json", 413),
    ],
)
def test_a_body_that_is_no_json_object_is_refused(provider: Provider, body: bytes, kind: str, status: int) -> None:
    answer = provider.call(
        "POST", PATH, provider.company_token(), SUBSCRIPTIONS, data=body, headers={"Content-Type": kind}
    )

    assert answer.status_code == status
    assert answer.json()["error"]


def test_user_can_be_given_once_or_many_times(provider: Provider) -> None:
    token = provider.company_token()
    raw = b'{"post_uri": "http://127.0.0.1:9/", "calls": true, "user": "101", "user": "102", "user": "103"}'
    kind = {"Content-Type": "application/json"}

    once = provider.subscribe(token, NOWHERE, user="101").json()
    listed = provider.subscribe(token, NOWHERE, user=["102", "101"]).json()
    repeated = provider.call("POST", PATH, token, SUBSCRIPTIONS, data=raw, headers=kind).json()

    def users(created: dict[str, str]) -> list[str]:
        return [event["user"] for event in provider.read(token, created["id"]).json()["events"]]

    assert users(once) == ["101"]
    assert users(listed) == ["101", "102"]
    assert users(repeated) == ["101", "102", "103"]


def test_renewal_by_the_same_request_keeps_the_id_and_sets_a_new_expiry(provider: Provider) -> None:
    token = provider.company_token()
    first = provider.subscribe(token, NOWHERE, expires_in=600, user=["101", "102"])
    provider.control("clock", seconds=500)

    again = provider.subscribe(token, NOWHERE, expires_in=900, user=["102", "101"])

    assert again.json()["id"] == first.json()["id"]
    assert again.json()["expires"] > first.json()["expires"]
    provider.control("clock", seconds=800)
    assert provider.read(token, first.json()["id"]).status_code == 200


@pytest.mark.parametrize("other", [{"user": "102"}, {"cdrs": True}, {"post_uri": f"{NOWHERE}other/"}])
def test_another_request_makes_another_subscription(provider: Provider, other: dict[str, object]) -> None:
    token = provider.company_token()
    fields: dict[str, object] = {"post_uri": NOWHERE, "user": "101"}

    first = provider.subscribe(token, **fields).json()  # type: ignore[arg-type]
    second = provider.subscribe(token, **(fields | other)).json()  # type: ignore[arg-type]

    assert first["id"] != second["id"]


def test_it_ends_at_its_expiry_and_the_same_request_makes_a_new_one(provider: Provider) -> None:
    token = provider.company_token()
    first = provider.subscribe(token, NOWHERE, expires_in=60).json()

    provider.control("clock", seconds=61)

    assert provider.read(token, first["id"]).status_code == 404
    assert provider.subscribe(token, NOWHERE, expires_in=60).json()["id"] != first["id"]


def test_delete_ends_it_with_204_and_no_body(provider: Provider) -> None:
    token = provider.company_token()
    created = provider.subscribe(token, NOWHERE).json()

    answer = provider.delete(token, created["id"])

    assert (answer.status_code, answer.content) == (204, b"")
    assert provider.read(token, created["id"]).status_code == 404
    assert provider.delete(token, created["id"]).status_code == 404


def test_after_delete_nothing_more_is_delivered(
    provider: Provider, receiver: Receiver, make_receiver: Callable[..., Receiver]
) -> None:
    token, other = provider.company_token(), make_receiver()
    created = provider.subscribe(token, receiver.url).json()
    provider.subscribe(token, other.url)
    receiver.wait_ready()
    other.wait_ready()
    provider.delete(token, created["id"])

    placed = provider.place_call("101")

    other.wait_ended(placed["from_call_id"])
    assert receiver.messages() == []


def test_after_expiry_nothing_more_is_delivered(
    provider: Provider, receiver: Receiver, make_receiver: Callable[..., Receiver]
) -> None:
    token, other = provider.company_token(), make_receiver()
    provider.subscribe(token, receiver.url, expires_in=60)
    provider.subscribe(token, other.url)
    receiver.wait_ready()
    other.wait_ready()
    provider.control("clock", seconds=61)

    placed = provider.place_call("101")

    other.wait_ended(placed["from_call_id"])
    assert receiver.messages() == []


def test_preparing_then_ready_are_posted_in_order_after_a_short_while(provider: Provider, receiver: Receiver) -> None:
    provider.subscribe(provider.company_token(), receiver.url)
    assert receiver.states() == []

    receiver.wait_ready()

    assert receiver.states() == ["preparing", "ready"]
    assert all(set(body) == {"msg", "state"} and isinstance(body["msg"], str) for body in receiver.bodies)
    assert receiver.headers[0]["Content-Type"] == "application/json"


def test_renewal_does_not_prepare_again(provider: Provider, receiver: Receiver) -> None:
    token = provider.company_token()
    provider.subscribe(token, receiver.url)
    receiver.wait_ready()

    answer = provider.subscribe(token, receiver.url)

    placed = provider.place_call("101")
    receiver.wait_ended(placed["from_call_id"])
    assert answer.status_code == 200
    assert receiver.states() == ["preparing", "ready"]


def test_no_call_message_comes_before_ready(provider: Provider, receiver: Receiver) -> None:
    provider.subscribe(provider.company_token(), receiver.url)
    early = provider.place_call("102", ring_seconds=2.0)

    receiver.wait_ended(early["from_call_id"])

    kinds = ["state" if "msg" in body else "calls" for body in receiver.bodies]
    assert kinds[:2] == ["state", "state"]
    assert "state" not in kinds[2:]


def test_a_users_token_acts_for_that_user_alone(provider: Provider) -> None:
    token = provider.user_token("105")

    created = provider.subscribe(token, NOWHERE)

    assert created.status_code == 201
    assert provider.read(token, created.json()["id"]).json()["events"] == [{"type": "calls", "user": "105"}]
    assert provider.subscribe(token, NOWHERE, user="105").json()["id"] == created.json()["id"]
    assert provider.subscribe(token, NOWHERE, user="101").status_code == 403
    assert provider.subscribe(token, NOWHERE, user=["105", "101"]).status_code == 403


def test_nobody_sees_the_subscriptions_of_others(provider: Provider) -> None:
    company, user, other = provider.company_token(), provider.user_token("101"), provider.user_token("102")
    of_company, of_user = (provider.subscribe(token, NOWHERE).json()["id"] for token in (company, user))

    assert [provider.read(token, of_company).status_code for token in (company, user, other)] == [200, 404, 404]
    assert [provider.read(token, of_user).status_code for token in (company, user, other)] == [404, 200, 404]
    assert provider.delete(other, of_user).status_code == 404


@pytest.mark.parametrize("subscription_id", ["0", "abc", "-1", "1" * 40, "%2e%2e", "१"])
def test_an_unknown_id_is_not_found(provider: Provider, subscription_id: str) -> None:
    assert provider.read(provider.company_token(), subscription_id).status_code == 404


@pytest.mark.parametrize(("method", "path"), [("POST", PATH), ("GET", f"{PATH}1/"), ("DELETE", f"{PATH}1/")])
def test_token_and_version_1_2_0_are_required(provider: Provider, method: str, path: str) -> None:
    token = provider.company_token()

    assert provider.call(method, path, None, SUBSCRIPTIONS).status_code == 401
    assert provider.call(method, path, token, "application/vnd.service.v1.4.0+json").status_code == 406
    assert provider.call(method, path, token, "application/json").status_code == 406


@pytest.mark.parametrize(("method", "path"), [("GET", PATH), ("PUT", f"{PATH}1/"), ("POST", f"{PATH}1/")])
def test_other_methods_are_refused(provider: Provider, method: str, path: str) -> None:
    assert provider.call(method, path, provider.company_token(), SUBSCRIPTIONS).status_code == 405
