import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from wallboard.telephony import messages
from wallboard.telephony.errors import BadMessage
from wallboard.telephony.messages import CallEvent, CallRecord, Endpoint, Initialization

FROM = {"id": "+4930123456", "call_id": "f1", "user": None, "domain": "acme", "state": "progressing", "name": "Ana"}
TO = {"id": "101", "call_id": "t1", "user": "101", "domain": "acme", "state": "ringing", "is_human": True}
CALL = {
    "on_net": False, "from": FROM, "to": TO,
    "time_start": "2020-05-05 12:00:00", "time_answer": None, "by_call_id": None,
}  # fmt: skip
RECORD = {
    "start_time": "Tue, 05 May 2020 12:00:00 +0000", "answer_time": None, "end_time": "Tue, 05 May 2020 12:01:00 +0000",
    "duration": 60, "from": {"call_id": "f1", "id": "+49", "name": "Ana"}, "to": {"call_id": "t1", "user": "101"},
}  # fmt: skip
ANA = Endpoint("f1", "+4930123456", "", "acme", "progressing", "Ana")


def read(message: Any) -> Any:
    return messages.read(message if isinstance(message, bytes) else json.dumps(message).encode())


def test_a_call_event_is_read() -> None:
    assert read({"calls": CALL}) == CallEvent(
        ANA, Endpoint("t1", "101", "101", "acme", "ringing", "", True), False, "2020-05-05 12:00:00", "", ""
    )


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        ({"call_id": 12, "user": 101, "id": None}, Endpoint("12", "", "101")),
        ({"call_id": "t", "state": "Parked"}, Endpoint("t", state="parked")),
        ({"call_id": "t", "name": "a\0b", "is_human": None, "more": [1]}, Endpoint("t", name="ab")),
        ({"call_id": "t", "name": "x" * 9999}, Endpoint("t", name="x" * 200)),
        ({}, Endpoint("")),
        (None, Endpoint("")),
    ],
    ids=["numbers", "unknown state", "NUL and unknown field", "long name", "empty", "null"],
)
def test_endpoints_are_read_in_every_form(to: Any, expected: Any) -> None:
    event = read({"calls": {**CALL, "to": to}})

    assert isinstance(event, CallEvent)
    assert event.to == expected


@pytest.mark.parametrize("odd", [{}, [], [1], True, 3.5, "x", None], ids=repr)
def test_what_nobody_follows_a_call_by_may_be_anything(odd: Any) -> None:
    call = {**CALL, "on_net": odd, "time_start": odd, "time_answer": odd, "by_call_id": odd}
    event = read({"calls": {**call, "to": {**TO, "name": odd, "is_human": odd}}})
    [record] = read([{**RECORD, "start_time": odd, "answer_time": odd, "end_time": odd, "duration": odd}])

    assert (event.from_, event.to.call_id, event.to.state) == (ANA, "t1", "ringing")
    assert record.to.call_id == "t1"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [(True, True), ("true", True), (1, True), ("False", False), (0, False), ("no", None), ({}, None), (None, None)],
)
def test_flags_are_read_in_every_form(raw: Any, expected: Any) -> None:
    event = read({"calls": {**CALL, "on_net": raw, "to": {**TO, "is_human": raw, "domain": 7}}})

    assert (event.on_net, event.to.is_human, event.to.domain) == (expected, expected, "7")


@pytest.mark.parametrize("state", ["preparing", "ready", "Ready"])
def test_an_initialization_is_read(state: Any) -> None:
    assert read({"msg": "Subscription", "state": state}) == Initialization(state.lower(), "Subscription")


@pytest.mark.parametrize("message", [{"calls": CALL}, {"msg": "Subscription", "state": "ready"}, [RECORD]], ids=type)
@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n", b" \n"], ids=repr)
def test_a_byte_order_mark_does_no_harm(message: Any, before: bytes) -> None:
    assert read(before + json.dumps(message).encode()) == read(message)


def test_records_are_read() -> None:
    assert read([RECORD, {**RECORD, "duration": "61"}]) == (
        CallRecord(
            Endpoint("f1", "+49", name="Ana"), Endpoint("t1", user="101"),
            "Tue, 05 May 2020 12:00:00 +0000", "", "Tue, 05 May 2020 12:01:00 +0000", 60,
        ),
        CallRecord(
            Endpoint("f1", "+49", name="Ana"), Endpoint("t1", user="101"),
            "Tue, 05 May 2020 12:00:00 +0000", "", "Tue, 05 May 2020 12:01:00 +0000", 61,
        ),
    )  # fmt: skip
    assert read([]) == ()
    assert read(b" \n[]") == ()


def test_a_record_of_nonsense_spoils_only_itself() -> None:
    records = read([{"from": 3}, RECORD, None, {**RECORD, "duration": -5}])

    assert isinstance(records, tuple)
    assert [record.duration_seconds for record in records] == [60, None]


@pytest.mark.parametrize(
    "body",
    [
        b"", b"x", b"\xff", b"{}", b"null", b"7", b'"calls"', b'{"calls": []}', b'{"calls": null}', b'{"calls": {}}',
        b'{"msg": "x"}', b'{"state": ""}', b'{"calls": {"from": {}, "to": {}}}', b'{"calls": {"from": [], "to": {}}}',
        b'{"calls": {"from": {"call_id": "a", "state": 5}}}', b'{"calls": {"from": {"call_id": NaN}}}',
        b'{"calls": {"from": {"call_id": "\\ud800"}}}', b'{"calls": {"from": {"call_id": "' + b"x" * 201 + b'"}}}',
        b"[1]", b"[" * 100_000, b'{"a":' * 100_000, b"[" * 60_000 + b"]" * 60_000, b"[{}, {}]",
    ],
)  # fmt: skip
def test_nonsense_is_a_bad_message(body: Any) -> None:
    with pytest.raises(BadMessage) as caught:
        read(body)

    assert str(caught.value) == "not a message that the provider documents"
    assert caught.value.__cause__ is None


def test_depth_within_an_unknown_field_does_no_harm() -> None:
    deep = b'{"calls": {"from": {"call_id": "a"}, "extra": ' + b"[" * 50_000 + b"]" * 50_000 + b"}}"

    with pytest.raises(BadMessage):
        messages.read(deep)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("2020-05-05 12:00:00", datetime(2020, 5, 5, 10, 0, tzinfo=UTC)),
        ("Tue, 05 May 2020 12:00:00 +0000", datetime(2020, 5, 5, 12, 0, tzinfo=UTC)),
        ("", None),
        ("noon", None),
    ],
)
def test_times_are_read_in_the_zone_that_is_meant(raw: Any, expected: Any) -> None:
    assert messages.parse_time(raw, ZoneInfo("Europe/Berlin")) == expected
