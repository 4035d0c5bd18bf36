"""The settings of a test run: importing this puts them into the environment, whatever a developer has set there."""

import os
import tempfile
from base64 import urlsafe_b64encode
from pathlib import Path

SCRATCH = Path(tempfile.gettempdir()) / f"wallboard-tests-{os.getpid()}"
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "wallboard.settings",
    "WALLBOARD_ENV_FILE": "",
    "SECRET_KEY": "only-for-tests-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFG",
    "TOKEN_KEYS": urlsafe_b64encode(b"only for tests: thirty-two bytes").decode(),
    "PUBLIC_URL": "http://testserver",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{SCRATCH / 'unused.sqlite3'}",
    "WALLBOARD_LANGUAGE": "en",  # whatever the shell of a developer speaks
    "STATIC_ROOT": str(SCRATCH / "static"),
}
UNSET = ("DEBUG", "ALLOWED_HOSTS", "SPOOL_DIR", "POLL_SECONDS", "CHECK_SECONDS")

for name in [*UNSET, *(name for name in os.environ if name.startswith("PROVIDER_"))]:
    os.environ.pop(name, None)
os.environ.update(SETTINGS)
