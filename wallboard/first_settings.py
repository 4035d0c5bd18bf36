"""The settings that `manage.py setup` makes up on a fresh machine, and keeps in the file that settings read.

`prepare` runs before Django reads the settings and lends what is missing to this process; `keep` writes it down once
it is clear that the database is not one of other keys. Settings of the environment are never touched: they win.
"""

import os
import re
import secrets
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from dotenv import dotenv_values

from wallboard.folders import BASE_DIR

URL_OPTION = "--url"
NAMES = ("SECRET_KEY", "TOKEN_KEYS", "REDIS_URL")
_lent: dict[str, str] = {}


class NotOurs(Exception):
    """What was asked for is set in the environment, which nothing here can change."""


def env_file() -> Path | None:
    """The file that `wallboard.environment` reads; None where the environment says that there is none."""
    name = os.environ.get("WALLBOARD_ENV_FILE", str(BASE_DIR / ".env"))
    return Path(name) if name else None


def prepare(arguments: Sequence[str]) -> None:
    """Lend this process what is set nowhere, and the address of `--url`. Raises NotOurs and ImproperlyConfigured."""
    path = env_file()
    if path is None:
        return
    found = _found(path)
    _lent.update({name: value for name, value in made_up().items() if not found.get(name)})
    # Named nowhere, the command stores it in the database, where it can be changed on a page.
    if (url := url_of(arguments)) and found.get("PUBLIC_URL"):
        if os.environ.get("PUBLIC_URL", url) != url:
            raise NotOurs("PUBLIC_URL is set in the environment, which wins over the file: change it there.")
        _lent["PUBLIC_URL"] = url
    os.environ.update(_lent)


def lend_redis() -> None:
    """Lend this process an address of Redis where none is set, for a command that asks none; nothing is kept.

    Raises ImproperlyConfigured.
    """
    if not _found(env_file()).get("REDIS_URL"):
        os.environ["REDIS_URL"] = made_up()["REDIS_URL"]


def _found(path: Path | None) -> dict[str, str]:
    """What the file and the environment set, which wins."""
    try:
        written = dotenv_values(path) if path and path.is_file() else {}
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(unread(path, error)) from None
    return {name: value for values in (written, os.environ) for name, value in values.items() if value}


def unread(path: Path | str | None, error: OSError | ValueError) -> str:
    """That the file cannot be read, why, and what to do. Nothing of what stands in it: those are secrets."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    if isinstance(error, UnicodeDecodeError):
        reason = "it is not UTF-8"
    advice = "Let the user who runs this read it, save it as UTF-8 text, or name another in WALLBOARD_ENV_FILE."
    return f"The settings in {path} cannot be read: {reason}. {advice}"


def made_up() -> dict[str, str]:
    """A value for each of NAMES: fresh keys, and this machine."""
    values = (
        secrets.token_urlsafe(48),
        urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "redis://127.0.0.1:6379/0",
    )
    return dict(zip(NAMES, values, strict=True))


def url_of(arguments: Sequence[str]) -> str:
    """The address that follows `--url`, "" without one."""
    for place, argument in enumerate(arguments):
        if argument == URL_OPTION and place + 1 < len(arguments):
            return arguments[place + 1].rstrip("/")
        if argument.startswith(f"{URL_OPTION}="):
            return argument.partition("=")[2].rstrip("/")
    return ""


def is_lent(name: str) -> bool:
    """Whether this setting was made up for this run and is written nowhere yet."""
    return name in _lent


def keep() -> list[str]:
    """Write what was lent to the file, readable to its owner only; gives the names. Raises OSError."""
    path, names = env_file(), list(_lent)
    if path is None or not names:
        return []
    text = path.read_text() if path.is_file() else ""
    # Beside the old one first: a disk that is full must not cost the keys that stand there.
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(merged(text, _lent))
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        shutil.copymode(path, beside)
    beside.replace(path)
    _lent.clear()
    return names


def merged(text: str, values: Mapping[str, str]) -> str:
    """The file's text with these settings in their lines, or below where they have none."""
    for name, value in values.items():
        line = f"{name}={value}"
        pattern = re.compile(rf"^(?:export\s+)?{name}=.*$", re.MULTILINE)
        if pattern.search(text):
            text = pattern.sub(lambda _match, line=line: line, text)  # type: ignore[misc]
        else:
            text = f"{text.rstrip()}\n{line}\n".lstrip("\n")
    return text
