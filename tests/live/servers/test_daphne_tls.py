"""Daphne that speaks TLS itself: frames go to the transport that encrypts them, never past it."""

import ssl
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.live.servers.conftest import Probe


def test_frames_arrive_whole_over_tls(tmp_path: Path) -> None:
    key, certificate = self_signed(tmp_path)
    probe = Probe("daphne", tmp_path, ssl._create_unverified_context())
    address = f"ssl:{probe.port}:interface=127.0.0.1:privateKey={key}:certKey={certificate}"
    probe.child.command = [sys.executable, "-m", "daphne", "-e", address, probe.child.command[-1]]
    try:
        probe.start()
        with probe.opened() as (_, found):
            pass
    finally:
        probe.child.stop()

    assert found["moved"] == []
    assert found["texts"] == ["DaphneConnection", "ä" * 100, "x" * 70_000]


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
