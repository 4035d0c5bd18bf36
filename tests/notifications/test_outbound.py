"""Where requests to addresses of others may go, and how long and how much they may cost."""

import socket
import time
from pathlib import Path
from typing import Any

import pytest

from tests.notifications.channels.receivers import answer as say
from tests.notifications.channels.receivers import certificate_for, drip, flood, receiving, redirecting_to
from wallboard.notifications import outbound
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.outbound import Refused
from wallboard.notifications.permitted_addresses import networks

LOOPBACK = networks(["127.0.0.0/8"])


@pytest.fixture
def _inside(settings: Any) -> None:
    settings.OUTBOUND_ALLOWED_NETWORKS = LOOPBACK


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """The system's resolver gives these addresses, one list for each time it is asked; answers what it was asked."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET6 if ":" in each else socket.AF_INET, 1, 6, "", (each, port)) for each in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize(
    "url",
    [
        "",
        "mailto:a@example.com",
        "file:///etc/passwd",
        "http://hooks.example.com/",
        "https://",
        "https:///path",
        "https://user@hooks.example.com/",
        "https://user:secret@hooks.example.com/",
        "https://hooks.example.com\\@127.0.0.1/",
        "https://hooks.example.com:0x50/",
        "https://hooks.example.com/a b",
        "https://hooks.example.com/\r\nX: y",
        "https://[::1/",
        "https://" + "a" * 300 + ".example.com/",
        "https://hooks.example.com/" + "a" * 2_000,
    ],
)
def test_an_address_that_cannot_be_used_is_refused_as_it_is_written(url: str) -> None:
    with pytest.raises(Refused):
        outbound.checked(url)


def test_an_address_is_read_whole() -> None:
    target = outbound.checked("https://Bücher.example.com:8443/hook/ä?token=1&x=%20")

    assert (target.host, target.port) == ("xn--bcher-kva.example.com", 8443)
    assert target.path == "/hook/%C3%A4?token=1&x=%20"
    assert target.origin == "https://xn--bcher-kva.example.com:8443"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "[::1]", "0.0.0.0"])
def test_this_machine_is_refused_however_it_is_written(host: str) -> None:
    with pytest.raises(Refused, match="leads to this machine or into a private network"):
        outbound.post(f"https://{host}/", b"", {})


def test_a_name_is_refused_if_one_of_its_addresses_is(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["93.184.215.14", "10.0.0.1"])

    with pytest.raises(Refused):
        outbound.post("https://hooks.example.com/", b"", {})


@pytest.mark.usefixtures("_inside")
def test_an_address_that_the_operator_lists_is_reached_without_tls() -> None:
    with receiving() as receiver:
        answer = outbound.post(receiver.url + "/hook?a=1", b"hello", {"X-Test": "yes"})

    (request,) = receiver.received
    assert answer.status == 204
    assert (request.path, request.body, request.headers["X-Test"]) == ("/hook?a=1", b"hello", "yes")
    assert request.headers["Host"] == receiver.url.removeprefix("http://")
    assert "Authorization" not in request.headers


@pytest.mark.usefixtures("_inside")
def test_without_tls_only_listed_addresses_are_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["93.184.215.14"])

    with pytest.raises(Refused, match="https"):
        outbound.post("http://hooks.example.com/", b"", {})


@pytest.mark.usefixtures("_inside")
def test_a_name_that_changes_its_address_after_the_check_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolving(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])

    with receiving() as receiver:
        outbound.post(receiver.url.replace("127.0.0.1", "hooks.example.com"), b"", {})

    assert asked == ["hooks.example.com"]
    assert receiver.received[0].headers["Host"].startswith("hooks.example.com:")


@pytest.mark.usefixtures("_inside")
def test_with_tls_the_certificate_must_be_for_the_name_and_by_a_known_authority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = certificate_for("hooks.example.com", tmp_path)
    resolving(monkeypatch, ["127.0.0.1"])
    with receiving(certificate=(certificate, key)) as receiver:
        url = receiver.url.replace("127.0.0.1", "hooks.example.com")
        with pytest.raises(NotSent, match=r"certificate of hooks\.example\.com is not valid"):
            outbound.post(url, b"", {})
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
        assert outbound.post(url, b"", {}).status == 204
        with pytest.raises(NotSent, match=r"certificate of other\.example\.com is not valid"):
            outbound.post(url.replace("hooks.", "other."), b"", {})

    assert len(receiver.received) == 1


@pytest.mark.usefixtures("_inside")
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_an_answer_and_is_not_followed(status: int) -> None:
    with receiving() as second, receiving(redirecting_to(second.url, status)) as first:
        answer = outbound.post(first.url, b"", {})

    assert (answer.status, answer.is_success, second.received) == (status, False, [])


@pytest.mark.usefixtures("_inside")
def test_a_server_that_drips_is_cut_off() -> None:
    with receiving(drip) as receiver:
        began = time.monotonic()
        with pytest.raises(NotSent, match="No whole answer within"):
            outbound.post(receiver.url, b"", {}, seconds=0.5)

    assert time.monotonic() - began < 2


@pytest.mark.usefixtures("_inside")
def test_a_name_that_nobody_answers_for_takes_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3))
    began = time.monotonic()

    with pytest.raises(NotSent, match="No whole answer within"):
        outbound.post("https://hooks.example.com/", b"", {}, seconds=0.3)

    assert time.monotonic() - began < 2


@pytest.mark.usefixtures("_inside")
def test_an_answer_without_an_end_is_read_no_further_than_the_limit() -> None:
    with receiving(flood) as receiver:
        answer = outbound.post(receiver.url, b"", {})

    assert len(answer.body) == outbound.MOST_BYTES
    assert answer.in_words() == "200 " + "x" * 200


def test_the_words_of_the_other_side_are_shown_without_what_is_secret() -> None:
    answer = outbound.Answer(403, {}, b"<p>No\r\n\x1b[2Jhook  for /services/T0001/XyZ-secret</p>")

    words = answer.in_words("https://hooks.example.com/services/T0001/XyZ-secret?a=b")

    assert words == "403 <p>No [2Jhook for /•••/T0001/•••</p>"


@pytest.mark.usefixtures("_inside")
def test_proxies_and_netrc_of_the_machine_have_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text("default login someone password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    with receiving() as proxy, receiving() as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        outbound.post(receiver.url, b"", {})

    assert (len(receiver.received), proxy.received) == (1, [])
    assert "Authorization" not in receiver.received[0].headers


@pytest.mark.usefixtures("_inside")
def test_a_closed_port_and_an_unknown_name_are_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(NotSent, match=r"127\.0\.0\.1 takes no connections there"):
            outbound.post(f"http://127.0.0.1:{closed.getsockname()[1]}/", b"", {})

    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(NotSent, match=r"The name hooks\.example\.com is not known"):
        outbound.post("https://hooks.example.com/", b"", {})


@pytest.mark.usefixtures("_inside")
@pytest.mark.parametrize(("most", "is_cut"), [(4, True), (5, False)])
def test_another_method_and_another_size_can_be_asked_for(most: int, *, is_cut: bool) -> None:
    with receiving(lambda handler: say(handler, 200, b"hello")) as receiver:
        request = outbound.Request("PUT", receiver.url + "/a", b"b", {"Depth": "1"})
        answer = outbound.send(request, most_bytes=most)

    assert (answer.body, answer.is_cut) == (b"hello"[:most], is_cut)
    assert (receiver.received[0].body, receiver.received[0].headers["Depth"]) == (b"b", "1")
    assert "secret" not in repr(outbound.Request("GET", "https://a.example/secret", b"", {"Authorization": "secret"}))
