"""A browser with its push service: takes what is pushed, checks the signature (RFC 8292), decrypts it (RFC 8291)."""

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.notifications.channels.receivers import Received, Receiver, answer, receiving


@dataclass
class PushEndpoint:
    """One subscription of one browser, and what came for it."""

    receiver: Receiver
    key: ec.EllipticCurvePrivateKey
    auth: bytes
    application_server_key: str = ""

    @property
    def subscription(self) -> dict[str, Any]:
        """As PushSubscription.toJSON() gives it."""
        return {
            "endpoint": f"{self.receiver.url}/push/subscription-1",
            "expirationTime": None,
            "keys": {"p256dh": encoded(point_of(self.key.public_key())), "auth": encoded(self.auth)},
        }

    def read(self, request: Received) -> dict[str, Any]:
        """The message as the service worker gets it; fails where signature or encryption are not in order."""
        claims = self.verified(request.headers["Authorization"])
        assert claims["aud"] == self.receiver.url
        assert 0 < claims["exp"] - time.time() <= 86_400
        assert claims["sub"].startswith(("mailto:", "https://"))
        assert request.headers["Content-Encoding"] == "aes128gcm"
        assert len(request.body) <= 4_096
        content: dict[str, Any] = json.loads(self.decrypted(request.body))
        return content

    def verified(self, authorization: str) -> dict[str, Any]:
        """The claims of a token that the subscribed application server signed."""
        scheme, _, rest = authorization.partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert scheme == "vapid"
        if self.application_server_key:
            assert parts["k"].rstrip("=") == self.application_server_key
        signed, _, signature = parts["t"].rpartition(".")
        raw = decoded(signature)
        halves = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
        public.verify(utils.encode_dss_signature(*halves), signed.encode(), ec.ECDSA(hashes.SHA256()))
        header, claims = (json.loads(decoded(part)) for part in signed.split("."))
        assert header == {"typ": "JWT", "alg": "ES256"}
        return dict(claims)

    def decrypted(self, body: bytes) -> bytes:
        """The text of a message of one record, by the letter of RFC 8291 and 8188."""
        salt, id_length = body[:16], body[20]
        sender, record = body[21 : 21 + id_length], body[21 + id_length :]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        context = b"WebPush: info\0" + point_of(self.key.public_key()) + sender
        shared = derived(self.auth, self.key.exchange(ec.ECDH(), theirs), context, 32)
        key = derived(salt, shared, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, shared, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert plain.endswith(b"\x02")
        return plain[:-1]


def derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@contextmanager
def push_endpoint() -> Iterator[PushEndpoint]:
    """A push service on this machine that takes everything (201), with one subscription."""
    with receiving(lambda handler: answer(handler, 201)) as receiver:
        yield PushEndpoint(receiver, ec.generate_private_key(ec.SECP256R1()), os.urandom(16))
