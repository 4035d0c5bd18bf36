"""Real servers on this machine that take what the channels send: obliging, hostile, with and without TLS."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.harness.http_server import Quiet, serving
from wallboard.notifications.messages import Message

MESSAGE = Message(
    id="0b8e7c55-6f0b-4a39-a4f8-3f3f2f2b0001",
    title="Late: Ünterstützung",
    text="4 waiting, longest 2:10",
    url="https://wallboard.example.com/alerts/",
    acknowledge_url="https://wallboard.example.com/a/x/",
    level="late",
    data={"alerts": [{"id": 7, "queue": "600"}]},
)


@dataclass
class Received:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


Answering = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Receiver:
    """A server that keeps what it received and answers as it is told to."""

    url: str = ""
    answering: Answering = field(default=lambda handler: answer(handler, 204))
    received: list[Received] = field(default_factory=list)


def answer(handler: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> None:
    """An ordinary answer."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def drip(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then: no single read takes long."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    for _ in range(200):
        handler.wfile.write(b"a")
        time.sleep(0.05)


def flood(handler: BaseHTTPRequestHandler) -> None:
    """An answer without an end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(100_000):
        handler.wfile.write(b"x" * 65_536)


def redirecting_to(url: str, status: int = 307) -> Answering:
    """Sends whoever asks somewhere else."""
    return lambda handler: answer(handler, status, Location=url)


@contextmanager
def receiving(answering: Answering | None = None, certificate: tuple[Path, Path] | None = None) -> Iterator[Receiver]:
    """A receiver on a free port; with certificate and key it speaks TLS."""
    receiver = Receiver()
    if answering:
        receiver.answering = answering

    class Handler(Quiet):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            receiver.received.append(Received(self.path, dict(self.headers.items()), body))
            self.close_connection = True
            receiver.answering(self)

        do_PUT = do_GET = do_POST

    with serving(Handler, *(certificate or (None, None))) as port:
        receiver.url = f"{'https' if certificate else 'http'}://127.0.0.1:{port}"
        yield receiver


def certificate_for(name: str, folder: Path) -> tuple[Path, Path]:
    """A certificate that vouches for itself, and its key, as files."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return paths
