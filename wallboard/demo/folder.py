"""What the demo keeps between its runs, in `.demo` beside manage.py: keys, the database, logs, who runs it."""

import fcntl
import hashlib
import json
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from wallboard.demo.processes import CODE_DIR


def new_secrets() -> dict[str, str]:
    """Keys and passwords of a new demo."""
    return {
        "SECRET_KEY": secrets.token_urlsafe(48),
        "TOKEN_KEYS": urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "PROVIDER_CLIENT_ID": f"company-{secrets.token_hex(4)}",
        "PROVIDER_CLIENT_SECRET": secrets.token_urlsafe(24),
        "PROVIDER_LOGIN_CLIENT_ID": f"login-{secrets.token_hex(4)}",
        "PROVIDER_LOGIN_CLIENT_SECRET": secrets.token_urlsafe(24),
        "DEMO_ADMIN_PASSWORD": secrets.token_urlsafe(9),
    }


def migrations() -> dict[str, str]:
    """Every migration of ours with a digest of its text: a database fits while all it was built from still stands."""
    rooms = [CODE_DIR / "accounts", *(CODE_DIR / "wallboard").iterdir()]
    files = [file for room in rooms for file in sorted(room.glob("migrations/0*.py"))]
    return {str(file.relative_to(CODE_DIR)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


class DemoFolder:
    """The folder, readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.env_file = path / "env"
        self.database = path / "wallboard.sqlite3"
        self._lock: IO[str] | None = None
        path.mkdir(mode=0o700, exist_ok=True)

    def take(self) -> bool:
        """Become the one who runs the demo, for as long as this process lives; False when somebody else is."""
        lock = (self.path / "lock").open("a")
        try:
            # The kernel lets go of it however this process ends; a file with its id would stay.
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return False
        self._lock = lock
        # Of a run that was killed: whoever waits for this run's addresses must not read them.
        self.forget("addresses")
        return True

    def release(self) -> None:
        """Let the next one run it."""
        if self._lock:
            self._lock.close()
            self._lock = None

    def clear_logs(self) -> None:
        """Let every run begin with empty logs."""
        for log in self.path.glob("*.log"):
            log.unlink()

    def secrets(self) -> dict[str, str]:
        """Keys and passwords: those of the earlier runs, else new ones."""
        stored = self.read("secrets")
        return stored or self.write("secrets", new_secrets())

    def drop_foreign_database(self) -> bool:
        """Remove a database that an incompatible version of the program has made; whether there was one."""
        known = migrations()
        # A database without a list of its migrations is foreign too: no file has the name "".
        is_foreign = self.database.exists() and any(
            known.get(name) != digest for name, digest in (self.read("migrations") or {"": ""}).items()
        )
        if is_foreign:
            # SQLite's files -wal and -shm beside it hold parts of it.
            for file in self.path.glob(f"{self.database.name}*"):
                file.unlink()
        self.write("migrations", known)
        return is_foreign

    def write_env(self, settings: Mapping[str, str]) -> None:
        """Keep the settings of this run, so that other commands can join in with WALLBOARD_ENV_FILE."""
        self._write(self.env_file, "".join(f"{name}='{value}'\n" for name, value in settings.items()))

    def read(self, name: str) -> dict[str, str]:
        """What was written under that name; empty when nothing was, or nothing readable."""
        try:
            stored: dict[str, str] = json.loads((self.path / f"{name}.json").read_text())
        except (OSError, ValueError):
            return {}
        return stored

    def write(self, name: str, content: dict[str, str]) -> dict[str, str]:
        """Keep the content under that name; hands it back."""
        self._write(self.path / f"{name}.json", json.dumps(content, indent=2))
        return content

    def forget(self, name: str) -> None:
        """Drop what was written under that name."""
        (self.path / f"{name}.json").unlink(missing_ok=True)

    def _write(self, file: Path, text: str) -> None:
        draft = file.with_name(f"{file.name}.new")
        # Replaced as a whole: whoever reads meanwhile sees all of the old or of the new, and only as its owner.
        draft.touch(mode=0o600)
        draft.write_text(text)
        os.replace(draft, file)
