"""The key with which this installation signs what it hands to push services: made once, kept sealed."""

from base64 import b64decode, b64encode, urlsafe_b64encode
from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)

from accounts.encryption import sealed, unseal
from wallboard.notifications.models import PushKey

ONLY = 1  # the one row


def private_key() -> ec.EllipticCurvePrivateKey:
    """The key; made where there is none yet. Raises WrongKey where TOKEN_KEYS do not open it."""
    row, _is_new = PushKey.objects.get_or_create(pk=ONLY, defaults={"private_key": sealed(_fresh())})
    return _opened(unseal(str(row.private_key)))


def public_key() -> str:
    """What browsers subscribe with: the public half as `applicationServerKey` has it."""
    point = private_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def _fresh() -> str:
    made = ec.generate_private_key(ec.SECP256R1())
    return b64encode(made.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())).decode()


@lru_cache(maxsize=2)
def _opened(text: str) -> ec.EllipticCurvePrivateKey:
    key = load_der_private_key(b64decode(text), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key
