"""SECRET_KEY and TOKEN_KEYS in a file of their own, sealed with a passphrase: no backup is of use without them."""

import os
from base64 import urlsafe_b64encode
from pathlib import Path

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from django.utils.translation import gettext as _

# A guess takes about 0.1 s and 64 MB; RFC 7914 section 2 says what these mean.
COST, BLOCK, PARALLEL = 2**16, 8, 1
SHORTEST_PASSPHRASE = 12


class NotOpened(Exception):
    """The file is none of ours, or the passphrase is another one."""


class Keys(msgspec.Struct, frozen=True):
    """What an installation cannot be restored without."""

    secret_key: str
    token_keys: list[str]


class _File(msgspec.Struct, frozen=True):
    format: int
    salt: bytes
    sealed: str


def write(file: Path, keys: Keys, passphrase: str) -> None:
    """Seal the keys into this file, which only its owner may read. Raises OSError."""
    salt = os.urandom(16)
    sealed = _cipher(passphrase, salt).encrypt(msgspec.json.encode(keys)).decode()
    content = msgspec.json.encode(_File(1, salt, sealed))
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
        target.write(content)
    new.replace(file)


def read(file: Path, passphrase: str) -> Keys:
    """The keys in this file. Raises NotOpened, and OSError where it cannot be read."""
    try:
        stored = msgspec.json.decode(file.read_bytes(), type=_File)
        return msgspec.json.decode(_cipher(passphrase, stored.salt).decrypt(stored.sealed.encode()), type=Keys)
    except InvalidToken as error:
        raise NotOpened(_("The passphrase does not open this file.")) from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise NotOpened(_("This file holds no sealed keys.")) from error


def _cipher(passphrase: str, salt: bytes) -> Fernet:
    key = Scrypt(salt=salt, length=32, n=COST, r=BLOCK, p=PARALLEL).derive(passphrase.encode())
    return Fernet(urlsafe_b64encode(key))
