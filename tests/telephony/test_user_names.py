"""One reading of user names for all places that get them from the provider."""

import json

import pytest

from wallboard.telephony import messages, resources, user_names
from wallboard.telephony.oauth import Token
from wallboard.telephony.user_names import UserName

FORMS = ["201@example.test", "sip:201@example.test", "<SIPS:201:pw@Example.Test:5061;transport=tls?x=y>"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("201", UserName("201")),
        (" 201 ", UserName("201")),
        *((form, UserName("201", "example.test")) for form in FORMS),
        ("sip:201", UserName("201")),
        ("sip:201;user=phone", UserName("201")),
        ("sip:201@[2001:db8::1]:5060", UserName("201", "[2001:db8::1]")),
        ("front;desk", UserName("front;desk")),
        ("Ana", UserName("Ana")),
        ("", UserName()),
        ("@example.test", UserName()),
        ("sip:", UserName()),
        ("x" * 65, UserName()),
    ],
)
def test_a_user_name_is_read_in_every_form(text: str, expected: UserName) -> None:
    assert user_names.read(text) == expected


@pytest.mark.parametrize("form", FORMS)
def test_every_place_reads_a_user_name_alike(form: str) -> None:
    call = {"from": {"call_id": "a", "user": form}, "to": {"call_id": "b", "user": form, "domain": "acme"}}
    event = messages.read(json.dumps({"calls": call}).encode())
    answer = {"id": 7, "events": {"type": "calls", "user": form}}
    [subscribed] = resources.subscription(json.dumps(answer).encode()).events
    token = Token("t", None, fields={"sub": form})  # type: ignore[arg-type]

    assert isinstance(event, messages.CallEvent)
    assert (event.from_.user, event.from_.domain) == ("201", "example.test")
    assert (event.to.user, event.to.domain) == ("201", "acme")  # the field beside it says which domain handled the call
    assert (subscribed.user, subscribed.domain) == ("201", "example.test")
    assert token.user("sub") == UserName("201", "example.test")
    assert token.user("") == token.user("missing") == UserName()


def test_a_user_without_a_domain_may_be_anybodys() -> None:
    assert UserName("201").is_of("acme")
    assert UserName("201", "acme.test").is_of("ACME.test")
    assert not UserName("201", "acme.test").is_of("other.test")
    assert not UserName("201", "acme.test").is_of("")
