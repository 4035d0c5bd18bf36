"""Faults of clocks, certificates, locks, feeds and subscriptions, planted for real and named for what they are."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import connection
from django.utils import timezone

from accounts import domains
from accounts.models import Domain
from tests.harness.http_server import Quiet, serving
from wallboard.operations.doctor import address, companies, database
from wallboard.operations.doctor.findings import Finding
from wallboard.queues.models import PollState
from wallboard.telephony import connections

HOUR = timedelta(hours=1)


class LateProvider(Quiet):
    """Gives tokens and figures of no queue, an hour ago by its own clock."""

    def do_GET(self) -> None:
        self._answer([])

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer({"access_token": "token", "token_type": "Bearer", "expires_in": 3599})

    def _answer(self, body: object) -> None:
        text = json.dumps(body).encode()
        self.send_response_only(200)
        self.send_header("Date", format_datetime(datetime.now(UTC) - HOUR, usegmt=True))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def certificate(folder: Path, until: timedelta) -> Path:
    """A certificate for localhost that ends so long from now, with its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - 30 * HOUR).not_valid_after(now + until)
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "localhost.pem"
    path.write_bytes(
        key.private_bytes(*plain) + made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    )
    return path


def named(found: Iterator[Finding], title: str) -> list[Finding]:
    return [each for each in found if each.title.endswith(title)]


@pytest.fixture
def domain(db: None, redis_url: str) -> Domain:
    connections.session().close()
    return Domain.objects.create(slug="acme", name="Acme")


def test_a_provider_whose_clock_is_an_hour_behind(domain: Domain) -> None:
    with serving(LateProvider) as port:
        domains.connect(domain, f"http://127.0.0.1:{port}", "id", "secret")
        (found,) = named(companies.every_company(), "Provider now")

    assert found.state == "watch"
    assert " s behind ours" in found.text
    assert 3590 < float(found.text.split("is ")[1].split(" s")[0]) < 3610
    assert "time server" in found.advice


@pytest.mark.parametrize(
    ("until", "state", "words"),
    [(-HOUR, "trouble", "certificate has expired"), (49 * HOUR, "watch", "ends in 2 days")],
)
def test_a_certificate_that_has_ended_or_soon_will(
    until: timedelta, state: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    path = certificate(tmp_path, until)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))  # trusted, so that its age alone is wrong
    with serving(LateProvider, path) as port:
        settings.PUBLIC_URL = f"https://localhost:{port}"
        (found,) = named(address.public_address(), "TLS")

    assert found.state == state
    assert words in found.text
    assert "Renew it" in found.advice


def test_an_old_feed_and_a_missing_subscription(domain: Domain) -> None:
    with serving(LateProvider) as port:
        domains.connect(domain, f"http://127.0.0.1:{port}", "id", "secret")
        PollState.objects.update_or_create(domain=domain, defaults={"read_at": timezone.now() - HOUR})
        found = list(companies.every_company())

    (figures,), (events,) = (named(iter(found), title) for title in ("Provider and queues", "Call events"))
    assert (figures.state, events.state) == ("trouble", "watch")
    assert "Nobody reads the queues any more" in figures.text
    assert "start it again" in figures.advice
    assert "no subscription yet" in events.text
    assert "worker and beat" in events.advice


def test_a_reader_that_keeps_the_log_of_sqlite_from_being_emptied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    path = tmp_path / "site.sqlite3"
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(path))
    monkeypatch.setattr(database, "LARGE_LOG_BYTES", 10_000)
    with closing(sqlite3.connect(path)) as writer, closing(sqlite3.connect(path)) as reader:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("CREATE TABLE rows (text)")
        writer.commit()
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM rows").fetchall()
        writer.execute("INSERT INTO rows VALUES (?)", ["x" * 20_000])
        writer.commit()
        (found,) = database._sqlite_log()

    assert found.state == "watch"
    assert "somebody has read for so long" in found.text
    assert "Restart web, worker and beat" in found.advice


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_somebody_waits_for(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    if connection.vendor != "postgresql":  # SQLite has no locks that others see
        assert [each for each in database.locks() if each.state == "trouble"] == []
        return
    monkeypatch.setattr(database, "LONG_WAIT_SECONDS", 0)
    known = connection.get_connection_params()
    where = {name: known[name] for name in ("host", "port", "user", "password", "dbname") if known.get(name)}
    statement = "UPDATE accounts_domain SET name = 'x' WHERE id = %s"
    with psycopg.connect(**where) as holder, psycopg.connect(**where) as waiter:
        pid = holder.info.backend_pid
        holder.execute(statement, [domain.pk])
        thread = threading.Thread(target=lambda: waiter.execute(statement, [domain.pk]))
        thread.start()
        found: list[Finding] = []
        while not found:
            found = [each for each in database.locks() if each.state == "trouble"]
        holder.rollback()
        thread.join()
        waiter.rollback()

    assert f"for a lock that {pid} holds" in found[0].text
    assert f"pg_terminate_backend({pid})" in found[0].advice
