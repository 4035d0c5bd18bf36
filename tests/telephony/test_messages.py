import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from wallboard.telephony import messages
from wallboard.telephony.errors import BadMessage
from wallboard.telephony.messages import CallEvent, CallRecord, CallRecords, Endpoint, Initialization

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


@pytest.mark.parametrize(
    "never",
    ["0000-00-00 00:00:00", "0001-01-01T00:00:00", "1970-01-01 00:00:00", "Thu, 01 Jan 1970 00:00:00 +0000", 0, "0"],
)
def test_the_zero_of_a_clock_is_no_time(never: Any) -> None:
    event = read({"calls": {**CALL, "time_answer": never}})
    [record] = read([{**RECORD, "answer_time": never}])

    assert (event.time_start, event.time_answer) == ("2020-05-05 12:00:00", "")
    assert (record.start_time, record.answer_time) == (RECORD["start_time"], "")


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
        b'{"calls": {"from": {"call_id": NaN}}}', b'{"calls": {"from": {"call_id": "\\ud800", "id": 1e400}}}',
        b'{"calls": {"from": {"call_id": "\\ud800", "id": -Infinity}}}', b'["\\ud800"]', b'"\\ud800"',
        b"[1]", b"[" * 100_000, b'{"a":' * 100_000, b"[" * 60_000 + b"]" * 60_000, b"[{}, {}]",
    ],
)  # fmt: skip
def test_nonsense_is_a_bad_message(body: Any) -> None:
    with pytest.raises(BadMessage) as caught:
        read(body)

    assert str(caught.value) == "not a message that the provider documents"
    assert caught.value.__cause__ is None


def described(event: Any) -> list[str]:
    assert isinstance(event, CallEvent)
    return list(event.problems)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"state": {}}, "to.state: neither text nor a number"),
        ({"user": ["101"]}, "to.user: neither text nor a number"),
        ({"user": "1" * 65}, "to.user: no user name"),
        ({"call_id": True}, "to.call_id: neither text nor a number"),
        ({"id": "\ud800"}, "to.id: not Unicode"),
    ],
    ids=str,
)
def test_a_bad_part_is_named_and_the_rest_is_read(change: Any, problem: str) -> None:
    event = read({"calls": {**CALL, "to": {**TO, **change}}})

    assert described(event) == [problem]
    assert (event.from_, event.to.domain, event.time_start) == (ANA, "acme", CALL["time_start"])


def test_a_side_that_is_no_object_is_named_and_the_other_is_read() -> None:
    event = read({"calls": {**CALL, "to": [1]}})

    assert described(event) == ["to: no object"]
    assert (event.from_, event.to) == (ANA, Endpoint(""))


@pytest.mark.parametrize("raw", [b"\\ud800", b"\xed\xa0\x80", b"\xff"], ids=repr)
def test_what_unicode_does_not_know_is_written_out_so_that_it_can_be_stored(raw: bytes) -> None:
    body = json.dumps({"calls": {**CALL, "to": {**TO, "call_id": "t-HERE", "name": "HERE"}}}).encode()
    event, other = read(body.replace(b"HERE", raw)), read(body.replace(b"HERE", b"\\udfff"))

    assert described(event) == ["to.call_id: not Unicode", "to.name: not Unicode"]
    assert event.to.call_id.encode().startswith(b"t-\\")
    assert event.to.call_id != other.to.call_id
    assert event.from_ == ANA


def test_pairs_of_surrogates_are_ordinary_text() -> None:
    event = read(b'{"calls": {"from": {"call_id": "a", "name": "\\ud83d\\ude00", "id": "\\ud800"}}}')

    assert (event.from_.name, described(event)) == ("\U0001f600", ["from.id: not Unicode"])


def test_long_ids_of_calls_are_shortened_alike_and_stay_different() -> None:
    ids = ["x" * 200, "x" * 201, "x" * 5000, "x" * 5000 + "y"]
    events = [read({"calls": {**CALL, "to": {**TO, "call_id": each}, "by_call_id": each}}) for each in ids]
    shortened = [event.to.call_id for event in events]

    assert shortened[0] == ids[0]
    assert len(set(shortened)) == 4
    assert max(map(len, shortened)) <= 200
    assert [event.by_call_id for event in events] == shortened
    assert described(events[0]) == []
    assert described(events[2]) == ["to.call_id: 5000 characters", "by_call_id: 5000 characters"]
    assert read({"calls": {**CALL, "to": {**TO, "call_id": ids[2]}}}).to.call_id == shortened[2]


def test_a_body_of_a_megabyte_is_read() -> None:
    records = read([RECORD] * 4500)
    event = read({"calls": {**CALL, "to": {**TO, "name": "x" * 1_000_000}}})

    assert isinstance(records, CallRecords)
    assert len(json.dumps([RECORD] * 4500)) > 1_000_000
    assert (len(records), records.skipped, records[0].from_.call_id) == (4500, 0, "f1")
    assert (event.to.call_id, len(event.to.name)) == ("t1", 200)


def test_records_name_their_own_problems_and_those_beyond_reading_are_counted() -> None:
    body = json.dumps([RECORD, {**RECORD, "to": {"call_id": "\ud800"}}, {"from": {}}]).encode()
    records = read(body)

    assert isinstance(records, CallRecords)
    assert [record.problems for record in records] == [(), ("to.call_id: not Unicode",)]
    assert (records[1].to.call_id, records.skipped) == ("\\ud800", 1)


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
