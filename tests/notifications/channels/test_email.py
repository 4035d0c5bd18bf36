"""E-mail over real SMTP: what arrives, what the server says, and that no server can hold a sender up."""

import socket
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.conf import settings as project_settings

from tests.harness.mail import MailServer, drip, odd_server, running_mail_server
from wallboard.demo.processes import free_port
from wallboard.notifications import mail_servers
from wallboard.notifications.channels import email
from wallboard.notifications.channels.outcomes import NotSent
from wallboard.notifications.mail_servers import Security, ServerSettings
from wallboard.notifications.messages import Message

MESSAGE = Message(
    id="m1",
    title="Late: Sünne\nBcc: x@example.com",
    text="Late: Sünne, since 10:02",
    url="http://wall.test/alerts/",
    acknowledge_url="http://wall.test/notifications/acknowledge/abc/",
)


def server_at(port: int, **values: object) -> ServerSettings:
    usual = {"security": Security.NONE, "sender": "wall@example.com", "is_operators": True}
    return ServerSettings("127.0.0.1", port, **{**usual, **values})  # type: ignore[arg-type]


def failure(server: ServerSettings, to: str = "ana@example.com") -> str:
    with pytest.raises(NotSent) as refused:
        email.send_through(server, to, MESSAGE)
    return refused.value.reason


@pytest.fixture
def mails() -> Iterator[MailServer]:
    with running_mail_server() as server:
        yield server


def test_a_mail_says_what_is_wrong_and_where_to_acknowledge(mails: MailServer) -> None:
    outcome = email.send_through(server_at(mails.port), "ana@example.com", MESSAGE)

    mail = mails.taken[0]
    assert outcome == "250 2.0.0 queued as 1"
    assert (mail.to, mail.letter["From"]) == (["ana@example.com"], "wall@example.com")
    assert mail.letter["Subject"] == "Late: Sünne Bcc: x@example.com"
    assert mail.letter["Bcc"] is None
    assert mail.letter["Auto-Submitted"] == "auto-generated"
    for words in (MESSAGE.text, MESSAGE.url, MESSAGE.acknowledge_url):
        assert words in mail.text


def test_every_try_of_a_message_has_the_same_message_id(mails: MailServer) -> None:
    for _ in range(2):
        email.send_through(server_at(mails.port), "ana@example.com", MESSAGE)

    host = urlsplit(project_settings.PUBLIC_URL).hostname
    assert [mail.letter["Message-ID"] for mail in mails.taken] == [f"<m1@{host}>"] * 2


def test_a_refused_mail_is_told_in_the_servers_words(mails: MailServer) -> None:
    mails.refuses["ana@example.com"] = "550 5.1.1 no such mailbox here"

    assert failure(server_at(mails.port)) == "550 5.1.1 no such mailbox here"


def test_a_sign_in_that_is_refused_shows_no_secret() -> None:
    with running_mail_server(asks_login=True) as server:
        told = failure(server_at(server.port, username="wall", password="wrong-one"))

        assert set(server.logins) == {("wall", "wrong-one")}
        assert told.startswith("535 ")
        assert "wrong-one" not in told
        assert email.send_through(server_at(server.port, username="wall", password="right"), "a@example.com", MESSAGE)


def test_a_server_that_repeats_the_password_is_not_quoted_with_it() -> None:
    def repeat(connection: object) -> None:
        connection.sendall(b"554 go away, hunter22 aHVudGVyMjJodW50ZXIyMmh1bnRlcjIy\r\n")  # type: ignore[attr-defined]

    with odd_server(repeat) as port:
        assert failure(server_at(port, username="wall", password="hunter22")) == "554 go away, ••• •••"


def test_a_server_that_drips_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(email, "TOTAL_SECONDS", 1.0)
    with odd_server(drip) as port:
        began = time.monotonic()

        assert failure(server_at(port)) == "The mail server did not finish within 1 seconds."
        assert time.monotonic() - began < 3


def test_a_server_that_drips_where_tls_is_expected_is_cut_off_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def drip_tls(connection: object) -> None:
        connection.sendall(b"\x16\x03\x03\x40\x00")  # type: ignore[attr-defined]  # the head of a long record
        while True:
            connection.sendall(b"\x00")  # type: ignore[attr-defined]
            time.sleep(0.2)

    monkeypatch.setattr(email, "TOTAL_SECONDS", 1.0)
    with odd_server(drip_tls) as port:
        assert failure(server_at(port, security=Security.TLS)) == "The mail server did not finish within 1 seconds."


def test_nobody_there_and_no_tls_are_told_in_plain_words(mails: MailServer) -> None:
    assert failure(server_at(free_port())) == "127.0.0.1 takes no connections there."
    assert failure(server_at(mails.port, security=Security.STARTTLS)).startswith("The mail server does not offer")


def test_a_company_cannot_name_a_server_inside_the_operators_network(mails: MailServer) -> None:
    assert "private network" in failure(server_at(mails.port, is_operators=False))
    assert mails.taken == []


@pytest.mark.django_db
def test_without_a_mail_server_the_reason_says_so() -> None:
    assert mail_servers.of_company(None) is None
    with pytest.raises(NotSent, match="No mail server is set up"):
        email.send({"to": "ana@example.com", "domain_id": 0}, MESSAGE)


def test_a_resolver_that_hangs_and_addresses_that_do_not_answer_take_no_longer_than_one_that_drips(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(email, "TOTAL_SECONDS", 1.5)
    over = threading.Event()
    with socket.socket() as full, socket.socket() as first:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        first.connect(("127.0.0.1", port))
        eight = [(socket.AF_INET, 1, 6, "", ("127.0.0.1", port))] * 8  # there is room for no other connection
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: eight)
        took = [seconds_to_fail(port)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [] if over.wait(8) else eight)
        took.append(seconds_to_fail(port))
        over.set()

    assert max(took) < 3


def seconds_to_fail(port: int) -> float:
    server = ServerSettings("mail.example.com", port, Security.NONE, "wall@example.com", is_operators=True)
    began = time.monotonic()
    with pytest.raises(NotSent):
        email.send_through(server, "ana@example.com", MESSAGE)
    return time.monotonic() - began


def test_a_connection_that_is_cut_before_it_is_there_does_not_begin(mails: MailServer) -> None:
    client = email._Client(server_at(mails.port))
    client.cut()

    with pytest.raises(TimeoutError):
        client.deliver(
            email.letter("wall@example.com", "ana@example.com", MESSAGE), "wall@example.com", "ana@example.com"
        )
    client.close()
