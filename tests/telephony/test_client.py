"""The client against faked answers: what it asks, what it makes of each status, and what it never says."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
import requests
import responses

from wallboard.telephony import errors, resources
from wallboard.telephony.client import Client, retry_after_seconds

BASE_URL = "https://provider.test"
STATS = f"{BASE_URL}/api/call_queues/stats/live/"
SUBSCRIPTIONS = f"{BASE_URL}/api/subscriptions/"
CANARY = "canary-9f2e"


@pytest.fixture
def http() -> Iterator[Any]:
    with responses.RequestsMock() as mock:
        yield mock


class Tokens:
    """Gives `first`, and another one once the first was rejected; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str | None] = []

    def __call__(self, rejected: Any) -> Any:
        self.asked.append(rejected)
        return f"{CANARY}-token-{len([each for each in self.asked if each])}"


@pytest.fixture
def tokens() -> Any:
    return Tokens()


@pytest.fixture
def client(tokens: Tokens) -> Any:
    return Client(BASE_URL + "/", tokens)


def test_queue_stats_asks_with_the_exact_headers(client: Client, http: responses.RequestsMock) -> None:
    http.get(STATS, json=[{"queue": "8001", "calls_waiting": 3}], status=201)

    stats = client.queue_stats()

    request = http.calls[0].request
    assert stats == [resources.QueueStats("8001", 3)]
    assert request.headers["Accept"] == "application/vnd.service.v1.4.0+json"
    assert request.headers["Authorization"] == f"Bearer {CANARY}-token-0"


def test_subscriptions_are_created_read_and_deleted_at_their_version(
    client: Client, http: responses.RequestsMock
) -> None:
    body = resources.subscription_request("https://us.test/hooks/x/", 3600, calls=True)
    http.post(SUBSCRIPTIONS, json={"id": "7", "events": {"type": "calls"}}, status=201)
    http.get(f"{SUBSCRIPTIONS}7/", json={"id": 7, "events": [{"type": "calls", "user": "101"}]})
    http.delete(f"{SUBSCRIPTIONS}7/", status=204)

    created = client.create_subscription(body)
    kept = client.read_subscription(created.id)
    client.delete_subscription(kept.id)

    assert created.id == kept.id == "7"
    assert http.calls[0].request.body == body
    assert http.calls[0].request.headers["Content-Type"] == "application/json"
    assert {call.request.headers["Accept"] for call in http.calls} == {"application/vnd.service.v1.2.0+json"}


RENEWED = {"post_uri": "https://us.test/hooks/x/", "expires": "2026-03-01T12:00:00.5", "events": {"type": "calls"}}


@pytest.mark.parametrize(
    ("answer", "expires_at"),
    [
        ({"json": RENEWED}, datetime(2026, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC)),
        ({"json": {**RENEWED, "id": None}}, datetime(2026, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC)),
        ({"body": b""}, None),
        ({"body": b"", "status": 204}, None),
        ({"body": b"null"}, None),
        ({"json": {}}, None),
    ],
    ids=str,
)
def test_a_renewal_keeps_its_id_where_the_answer_names_none(
    client: Client, http: responses.RequestsMock, answer: Any, expires_at: Any
) -> None:
    http.post(SUBSCRIPTIONS, **answer)

    assert (client.create_subscription(b"{}", "7").id, client.create_subscription(b"{}", "7").expires_at) == (
        "7",
        expires_at,
    )
    with pytest.raises(errors.BadResponse):
        client.create_subscription(b"{}")


def test_a_read_without_id_is_about_the_one_that_was_asked_for(client: Client, http: responses.RequestsMock) -> None:
    http.get(f"{SUBSCRIPTIONS}7/", json=RENEWED)
    http.get(f"{SUBSCRIPTIONS}8/", json={})

    assert client.read_subscription("7").id == "7"
    with pytest.raises(errors.BadResponse):
        client.read_subscription("8")


def test_an_id_stays_within_its_path(client: Client, http: responses.RequestsMock) -> None:
    http.get(f"{SUBSCRIPTIONS}..%2F..%2Fx%3Fy/", json={"id": 1})

    assert client.read_subscription("../../x?y").id == "1"


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_token_is_met_with_one_other_token_and_one_more_try(
    client: Client, http: responses.RequestsMock, tokens: Tokens, status: int
) -> None:
    http.get(STATS, status=status)
    http.get(STATS, json=[])

    assert client.queue_stats() == []
    assert tokens.asked == [None, f"{CANARY}-token-0"]
    assert http.calls[1].request.headers["Authorization"] == f"Bearer {CANARY}-token-1"


@pytest.mark.parametrize("status", [401, 403])
def test_a_second_refusal_is_the_end(client: Client, http: responses.RequestsMock, tokens: Tokens, status: int) -> None:
    http.get(STATS, status=status)

    with pytest.raises(errors.NotAuthorized):
        client.queue_stats()

    assert (len(http.calls), len(tokens.asked)) == (2, 2)


def test_where_no_other_token_is_to_be_had_the_refused_one_is_not_sent_again(http: responses.RequestsMock) -> None:
    http.get(STATS, status=401)

    with pytest.raises(errors.TokenRejected):
        Client(BASE_URL, lambda _: "t").queue_stats()

    assert len(http.calls) == 1


def test_a_refusal_to_give_another_token_is_passed_on(http: responses.RequestsMock) -> None:
    def get_token(rejected: Any) -> Any:
        if rejected:
            raise errors.GrantRefused("over")
        return "t"

    http.get(STATS, status=401)

    with pytest.raises(errors.GrantRefused):
        Client(BASE_URL, get_token).queue_stats()


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (301, errors.BadResponse, "bad_response"),
        (307, errors.BadResponse, "bad_response"),
        (400, errors.RequestRefused, "request_refused"),
        (401, errors.TokenRejected, "token_refused"),
        (403, errors.Forbidden, "token_refused"),
        (404, errors.NotFound, "not_found"),
        (408, errors.InTrouble, "in_trouble"),
        (410, errors.NotFound, "not_found"),
        (422, errors.RequestRefused, "request_refused"),
        (429, errors.RateLimited, "rate_limited"),
        (500, errors.InTrouble, "in_trouble"),
        (502, errors.InTrouble, "in_trouble"),
        (503, errors.Unavailable, "unavailable"),
        (504, errors.InTrouble, "in_trouble"),
    ],
)
def test_each_status_is_one_named_error_that_tells_no_secret(
    client: Client, http: responses.RequestsMock, status: Any, error: Any, kind: Any
) -> None:
    http.get(STATS, status=status, body=f'{{"detail": "{CANARY}"}}', headers={"Location": f"https://{CANARY}.test/"})

    with pytest.raises(error) as caught:
        client.queue_stats()

    assert caught.value.kind == kind
    assert str(caught.value) == f"GET /api/call_queues/stats/live/: status {status}"
    assert CANARY not in repr(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>" + CANARY.encode(),
        b"[NaN]",
        b"{}",
        b"null",
        b"3",
        b'["\xff"]',
        b"[" * 200_000,
        b'[{"queue": "' + CANARY.encode(),
    ],
)
def test_nonsense_with_a_good_status_is_a_bad_response(client: Client, http: responses.RequestsMock, body: Any) -> None:
    http.get(STATS, body=body)

    with pytest.raises(errors.BadResponse) as caught:
        client.queue_stats()

    assert CANARY not in repr(caught.value)


@pytest.mark.parametrize(
    "trouble",
    [requests.ConnectionError(CANARY), requests.Timeout(CANARY), requests.exceptions.SSLError(CANARY), OSError(CANARY)],
)
def test_trouble_on_the_way_is_unreachable(client: Client, http: responses.RequestsMock, trouble: Any) -> None:
    http.get(STATS, body=trouble)

    with pytest.raises(errors.Unreachable) as caught:
        client.queue_stats()

    assert CANARY not in repr(caught.value)


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_told(client: Client, http: responses.RequestsMock, status: Any) -> None:
    http.get(STATS, status=status, headers={"Retry-After": "17"})

    with pytest.raises(errors.RateLimited) as caught:
        client.queue_stats()

    assert caught.value.retry_after_seconds == 17


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        (" 30 ", 30),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1e3", None),
        ("٣", None),
        ("9" * 400, None),
        ("Wed, 99 Oct 2015 07:28:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_or_nothing(value: Any, seconds: Any) -> None:
    assert retry_after_seconds(value) == seconds


def test_a_retry_after_date_is_counted_from_now() -> None:
    in_ten_minutes = format_datetime(datetime.now(UTC) + timedelta(minutes=10), usegmt=True)

    assert retry_after_seconds(in_ten_minutes) == pytest.approx(600, abs=20)
