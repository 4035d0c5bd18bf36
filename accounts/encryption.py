"""Text that is unreadable in the database: Fernet under keys of its own, which can be rotated."""

from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models


class WrongKey(Exception):
    """None of TOKEN_KEYS opens what is stored. Put the key that wrote it back into TOKEN_KEYS."""


@lru_cache(maxsize=4)
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def fernet() -> MultiFernet:
    """The cipher for the keys in force: the first one writes, all of them read."""
    return _fernet(tuple(settings.TOKEN_KEYS))


def seal(text: str) -> str:
    """Encrypt under the newest key; the empty text stays empty."""
    return fernet().encrypt(text.encode()).decode() if text else ""


def unseal(sealed: str) -> str:
    """Decrypt under any key in force; raises WrongKey where none fits."""
    if not sealed:
        return ""
    try:
        return fernet().decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise WrongKey("TOKEN_KEYS lacks the key that a stored secret was written with.") from error


def rotate(sealed: str) -> str:
    """Re-encrypt under the newest key without showing the text; raises WrongKey where no key fits."""
    try:
        return fernet().rotate(sealed.encode()).decode() if sealed else ""
    except InvalidToken as error:
        raise WrongKey("TOKEN_KEYS lacks the key that a stored secret was written with.") from error


class Sealed(str):
    """What the column holds: opened only where `.open()` is called, so that a wrong key breaks no listing."""

    def open(self) -> str:
        return unseal(str(self))

    def __repr__(self) -> str:
        return "<sealed>"


class SealedField(models.TextField):  # type: ignore[type-arg]
    """Keeps sealed text. Assign `Sealed(seal(text))` or use `sealed(text)`; read with `.open()`."""

    def from_db_value(self, value: str | None, *_: Any) -> Sealed | None:
        return None if value is None else Sealed(value)

    def to_python(self, value: Any) -> Any:
        return value if value is None else Sealed(value)


def sealed(text: str) -> Sealed:
    """Encrypt for a SealedField."""
    return Sealed(seal(text))
