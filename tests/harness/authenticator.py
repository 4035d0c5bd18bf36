"""A passkey in memory: answers challenges as a browser with a security key does, or wrongly where a test wants that."""

import base64
import hashlib
import json
import secrets
import struct
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40  # flags of what an authenticator says


def text(value: bytes) -> str:
    """base64url, as everything about passkeys travels."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def plain(value: str) -> bytes:
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))


@dataclass
class SoftKey:
    """One key; change `origin`, `host`, `flags` or `count` and it answers as it should not."""

    origin: str = "https://wallboard.example.com"
    host: str = "wallboard.example.com"
    flags: int = PRESENT | VERIFIED
    count: int = 0
    handle: bytes = b""
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: dict[str, Any]) -> str:
        """The answer to `navigator.credentials.create`, as the page's script sends it."""
        self.handle = plain(options["user"]["id"])
        numbers = self.private.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + struct.pack(">H", len(self.credential_id)) + self.credential_id + cbor2.dumps(public)
        data = {"fmt": "none", "attStmt": {}, "authData": self._said(HAS_KEY) + attested}
        client = self._client("webauthn.create", options["challenge"])
        return self._sent({"clientDataJSON": text(client), "attestationObject": text(cbor2.dumps(data))})

    def answer(self, options: dict[str, Any]) -> str:
        """The answer to `navigator.credentials.get`."""
        client, said = self._client("webauthn.get", options["challenge"]), self._said()
        signature = self.private.sign(said + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        found = {"clientDataJSON": client, "authenticatorData": said, "signature": signature, "userHandle": self.handle}
        return self._sent({name: text(value) for name, value in found.items()})

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _said(self, more: int = 0) -> bytes:
        host = hashlib.sha256(self.host.encode()).digest()
        return host + bytes([self.flags | more]) + struct.pack(">I", self.count)

    def _sent(self, response: dict[str, str]) -> str:
        key = text(self.credential_id)
        return json.dumps({"id": key, "rawId": key, "type": "public-key", "response": response})
