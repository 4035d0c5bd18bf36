"""Call messages in other dialects."""

import pytest

from tests.simulator.dialect.runs import PlacedCall, calls
from wallboard.simulator.floor.company import DOMAIN, MAIN_NUMBER

QUEUE_ADDRESS = f"sip:4001@{DOMAIN}"


@pytest.mark.parametrize(
    ("form", "user", "endpoint_id"),
    [
        ("user", "4001", QUEUE_ADDRESS),
        ("user_only", "4001", MAIN_NUMBER),
        ("id", None, "4001"),
        ("address", None, QUEUE_ADDRESS),
    ],
)
def test_queue_legs(form: str, user: str | None, endpoint_id: str) -> None:
    call = PlacedCall(queue_legs=form)

    for leg in (call.messages[0], call.records[0]):
        to = leg["to"]
        assert (to["user"], to["id"]) == (user, endpoint_id)
    assert {each["to"]["user"] for each in call.messages} == {user, "101"}


def test_queue_legs_can_be_hidden() -> None:
    call = PlacedCall(queue_legs="hidden")

    assert {each["to"]["user"] for each in call.messages} == {"101"}
    assert [each["to"]["user"] for each in call.records] == ["101"]


@pytest.mark.parametrize("state", ["ringing", "progressing"])
def test_queue_leg_state(state: str) -> None:
    answered, abandoned = (PlacedCall(answer=answer, queue_leg_state=state) for answer in (True, False))

    assert answered.states("4001") == [("progressing", state), ("active", "ended")]
    assert answered.states("101") == [("progressing", "ringing"), ("active", "active"), ("ended", "ended")]
    assert {each["time_answer"] for each in answered.messages if each["to"]["user"] == "4001"} == {None}
    assert abandoned.states("4001") == [("progressing", state), ("ended", "ended")]


def test_caller_call_id() -> None:
    shared, per_leg = PlacedCall(), PlacedCall(caller_call_id="per_leg")

    assert len({each["from"]["call_id"] for each in shared.messages}) == 1
    pairs = {(each["from"]["call_id"], each["to"]["call_id"]) for each in per_leg.messages}
    assert len({source for source, _ in pairs}) == len({target for _, target in pairs}) == len(pairs) == 2
    recorded = {(each["from"]["call_id"], each["to"]["call_id"]) for each in per_leg.records}
    assert recorded == pairs


def test_by_call_id() -> None:
    transfers, never, every_leg = (calls(900, by_call_id=form) for form in ("transfers", "never", "every_leg"))

    assert {each["by_call_id"] is None for each in transfers} == {True, False}
    assert {each["by_call_id"] for each in never} == {None}
    queue_legs = {
        each["to"]["call_id"] for each in every_leg if each["to"]["user"] and each["to"]["user"].startswith("40")
    }
    rings = [each for each in every_leg if each["from"]["state"] == "active" and each["to"]["state"] == "ringing"]
    assert {each["by_call_id"] is None for each in rings} == {False}
    assert sum(each["by_call_id"] in queue_legs for each in rings) > len(rings) / 2


@pytest.mark.parametrize(
    ("form", "queue", "voicemail"),
    [
        ("false_for_machines", False, False),
        ("false_for_voicemail", True, False),
        ("false_for_queues", False, True),
        ("always_true", True, True),
        ("missing", None, None),
    ],
)
def test_is_human(form: str, queue: bool | None, voicemail: bool | None) -> None:
    to = [each["to"] for each in calls(900, is_human=form)]

    assert {each.get("is_human") for each in to if each["user"] == "4001"} == {queue}
    assert {each.get("is_human") for each in to if str(each["id"]).startswith("sip:vm-")} == {voicemail}
    assert {each.get("is_human") for each in to if str(each["id"]).startswith("sip:1")} == {
        None if form == "missing" else True
    }


@pytest.mark.parametrize(
    ("form", "ordinary", "forwarded"), [("missing", 0, 0), ("missing_if_forwarded", 1, 0), ("sent", 1, 1)]
)
def test_on_net(form: str, ordinary: int, forwarded: int) -> None:
    seen = calls(900, on_net=form, forwarded_share=0.5)

    is_forwarded = {each["from"]["user"] is not None and str(each["from"]["id"]).startswith("+") for each in seen}
    assert is_forwarded == {True, False}
    for each in seen:
        from_user, from_id = each["from"]["user"], str(each["from"]["id"])
        assert ("on_net" in each) == (forwarded if from_user and from_id.startswith("+") else ordinary)


@pytest.mark.parametrize(
    ("form", "sides"), [("from", (True, False)), ("both", (True, True)), ("missing", (False, False))]
)
def test_names(form: str, sides: tuple[bool, bool]) -> None:
    call = PlacedCall("101", names=form)

    for each in (*call.messages, *call.records):
        assert ("name" in each["from"], "name" in each["to"]) == sides
    if sides[1]:
        assert call.messages[0]["to"]["name"] == "Ana Albers"


def test_user_form() -> None:
    call = PlacedCall(user_form="address")

    users = {each["to"]["user"] for each in (*call.messages, *call.records)}
    assert users == {f"4001@{DOMAIN}", f"101@{DOMAIN}"}
    assert {each["from"]["user"] for each in call.messages} == {None}


def test_called_user() -> None:
    answered, missed = (PlacedCall("101", answer=answer, called_user="once_answered") for answer in (True, False))

    assert [(each["to"]["state"], each["to"]["user"]) for each in answered.messages] == [
        ("ringing", None),
        ("active", "101"),
        ("ended", "101"),
    ]
    assert {each["to"]["user"] for each in (*missed.messages, *missed.records)} == {None}
    assert {each["to"]["id"] for each in (*answered.messages, *missed.messages)} == {f"sip:101@{DOMAIN}"}


@pytest.mark.parametrize(
    ("form", "number"),
    [("e164", "+12125550188"), ("sip", "sip:+12125550188@carrier.example"), ("without_plus", "12125550188")],
)
def test_caller_id_form(form: str, number: str) -> None:
    call = PlacedCall("101", caller_id_form=form)

    assert {each["from"]["id"] for each in (*call.messages, *call.records)} == {number}
    assert {each["to"]["id"] for each in call.messages} == {f"sip:101@{DOMAIN}"}
