"""The live socket on real servers: the way of a frame to the wire, its text, and how a server says goodbye."""

import json
import signal
import ssl
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from websockets.sync.client import connect

from accounts.models import Domain
from tests.harness.redis import RedisServer
from tests.harness.site import bare_environment
from tests.live.serving import KINDS, Server, command, opened, serving, signed_in
from wallboard.live import feeds
from wallboard.processes import Child, free_port

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("kind", [*KINDS, "daphne with TLS"])
def test_ready_frames_go_straight_to_the_servers_transport(kind: str, tmp_path: Path) -> None:
    port = free_port()
    call = command(kind.split()[0], port, "tests.live.probe:application")
    if "TLS" in kind:
        key, certificate = self_signed(tmp_path)
        address = f"ssl:{port}:interface=127.0.0.1:privateKey={key}:certKey={certificate}"
        call = [sys.executable, "-m", "daphne", "-e", address, call[-1]]
    child = Child("server", call, tmp_path / "log", bare_environment())
    child.start()
    try:
        texts = probed(port, is_tls="TLS" in kind)
    finally:
        child.stop()

    assert texts == [f"{kind.split()[0].title()}Wire", "ä" * 100, "x" * 70_000]


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A key and a certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    build = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    form = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "key.pem").write_bytes(key.private_bytes(*form))
    (folder / "cert.pem").write_bytes(build.sign(key, SHA256()).public_bytes(Encoding.PEM))
    return folder / "key.pem", folder / "cert.pem"


def probed(port: int, *, is_tls: bool) -> list[str | bytes]:
    """What the probe says: which wire it found, then two texts over it."""
    address = f"{'wss' if is_tls else 'ws'}://127.0.0.1:{port}/"
    trust = ssl._create_unverified_context() if is_tls else None
    for _ in range(200):
        try:
            with connect(address, ssl=trust, max_size=None, close_timeout=0.2) as socket:
                return [socket.recv(timeout=5) for _ in range(3)]
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise AssertionError("the server did not start")


def test_frames_are_json_texts_with_the_documented_fields(daphne: Server, domain: Domain) -> None:
    page = opened(daphne, signed_in(domain)[1])
    feeds.queues(domain.pk).publish({"queue:ö": (1, {"name": 'Vertrieb "Süd" \u2028 </script>'})})
    page.until(lambda: page.shows("queues", "queue:ö") is not None)

    assert page.shows("queues", "queue:ö") == {"name": 'Vertrieb "Süd" \u2028 </script>'}
    assert set(json.dumps(page.frames[-1])) <= set(map(chr, range(32, 127)))
    assert set(page.frames[-1]) == {"feed", "id", "prev", "set", "del"}


@pytest.mark.parametrize(("kind", "code"), [("daphne", 1006), ("uvicorn", 1012)])
def test_a_server_says_when_to_come_back_before_it_goes(
    kind: str, code: int, own_redis: RedisServer, domain: Domain, tmp_path: Path
) -> None:
    with serving(kind, own_redis, tmp_path) as server:
        page = opened(server, signed_in(domain)[1])

        server.child.kill(signal.SIGTERM)

        assert page.close_code(5) == code
        assert page.frames[-1] == {"bye": 5}
