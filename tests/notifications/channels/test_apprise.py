"""Chat, SMS and pagers: messages through a real process with the real library, to receivers on this machine."""

import ast
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.notifications.channels.receivers import Receiver, answer, drip, receiving, redirecting_to
from tests.test_house import imports, modules
from wallboard.notifications import outbound
from wallboard.notifications.channels import apprise
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.messages import Message

MESSAGE = Message(
    id="1",
    title="Late: Support",
    text="4 waiting, longest 2:10",
    url="https://wallboard.example.com/alerts/",
    acknowledge_url="https://wallboard.example.com/a/x/",
    level="late",
)


@pytest.fixture
def receiver(loopback_allowed: None) -> Iterator[Receiver]:
    with receiving(lambda handler: answer(handler, 200)) as running:
        yield running


def address_of(receiver: Receiver, schema: str, path: str = "") -> str:
    return receiver.url.replace("http", schema) + path


def test_a_message_arrives_with_its_links(receiver: Receiver) -> None:
    assert apprise.send(address_of(receiver, "json", "/hook"), MESSAGE) == "taken by JSON"

    (request,) = receiver.received
    content = json.loads(request.body)
    assert (request.path, content["title"], content["type"]) == ("/hook", "Late: Support", "failure")
    assert content["message"].splitlines() == [
        "4 waiting, longest 2:10",
        "Acknowledge: https://wallboard.example.com/a/x/",
        "Open: https://wallboard.example.com/alerts/",
    ]


def test_a_service_of_ones_own_gets_its_own_form(receiver: Receiver) -> None:
    assert apprise.send(address_of(receiver, "ntfy", "/floor"), MESSAGE) == "taken by ntfy"

    content = json.loads(receiver.received[0].body)
    assert (content["topic"], content["title"]) == ("floor", "Late: Support")
    assert "X-Icon" not in receiver.received[0].headers


def test_what_the_other_side_says_is_shown_without_secrets(receiver: Receiver) -> None:
    receiver.answering = lambda handler: answer(handler, 403)

    with pytest.raises(NotSent) as failure:
        apprise.send(address_of(receiver, "ntfy", "/secret-topic-1"), MESSAGE)

    assert "403" in failure.value.reason
    assert "•••" in failure.value.reason
    assert "secret-topic-1" not in failure.value.reason


def test_without_the_operators_word_nothing_inside_is_reached(receiver: Receiver, settings: Any) -> None:
    settings.OUTBOUND_ALLOWED_NETWORKS = ()

    with pytest.raises(outbound.Refused, match="private network"):
        apprise.send(address_of(receiver, "json"), MESSAGE)

    assert receiver.received == []


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    with receiving() as other:
        receiver.answering = redirecting_to(other.url, 307)
        with pytest.raises(NotSent):
            apprise.send(address_of(receiver, "json", "/?redirect=yes"), MESSAGE)

    assert (len(receiver.received), other.received) == (1, [])


def test_a_service_that_drips_is_cut_off(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apprise, "SECONDS", 4.0)
    receiver.answering = drip
    began = time.monotonic()

    with pytest.raises(NotSent, match="No whole answer within 4 seconds"):
        apprise.send(address_of(receiver, "json"), MESSAGE)

    assert time.monotonic() - began < 9


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", "no address"),
        ("file:///etc/passwd", "no address"),
        ("https://www.example.com/", "no address"),
        ("slack://a", "no address"),
        ("json://a" + "a" * 2_000, "no address"),
        ("syslog://", "cannot be sent"),
        ("mailto://user:password@example.com", "cannot be sent"),
        ("apprise://example.com/token", "cannot be sent"),
        ("json://example.com/?verify=no", "verify=no"),
        ("tgram://123456789:abcdefg_hijklmnop/12315544/?template=/etc/passwd", "name of a file"),
    ],
)
def test_what_may_not_be_used_is_refused_when_it_is_entered(address: str, reason: str) -> None:
    with pytest.raises(apprise.NotUnderstood, match=reason):
        apprise.recognized(address)


@pytest.mark.parametrize(
    ("address", "name", "masked"),
    [
        ("slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#floor", "Slack", "slack://T...2/A...D/T...Q/%23floor/"),
        ("https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ", "Slack", "slack://T...2/A...D/T...Q//"),
        ("jsons://user:password@hooks.example.com:8443/secret", "JSON", "jsons://user:****@hooks.example.com:8443"),
    ],
)  # fmt: skip
def test_an_address_is_recognized_and_its_secrets_are_left_out(address: str, name: str, masked: str) -> None:
    assert apprise.recognized(address) == apprise.Service(name, masked)


def test_the_process_gets_nothing_of_ours(receiver: Receiver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    (tmp_path / ".netrc").write_text("default login someone password secret\n")
    monkeypatch.setenv("HOME", str(tmp_path))

    apprise.send(address_of(receiver, "json"), MESSAGE)

    assert "Authorization" not in receiver.received[0].headers


def test_no_server_process_loads_what_only_sending_needs() -> None:
    libraries = {"apprise", "http_ece", "py_vapid", "standardwebhooks"}
    loading = {
        module
        for module, tree in modules().items()
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for target in imports(ast.Module([node], []))
        if target.split(".")[0] in libraries
    }

    assert loading == set()
