"""The command line: `wallboard` of the installed package, `manage.py` in a clone, `python -m wallboard` in both."""

import os
import secrets
import sys
from base64 import urlsafe_b64encode

WITHOUT_SETTINGS = {"newkey", "open_keys"}  # by which wrong or missing ones are mended
STANDALONE = {"demo", "simulate"} | WITHOUT_SETTINGS


def lend_settings(command: str) -> None:
    """Give throwaway settings to the commands that run before an installation exists; they touch no database."""
    lent = {
        "WALLBOARD_ENV_FILE": "",
        "SECRET_KEY": secrets.token_urlsafe(48),
        "TOKEN_KEYS": urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "PUBLIC_URL": "http://localhost:8000",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DATABASE_URL": "sqlite://:memory:",
    }
    for name, value in lent.items():
        if command in WITHOUT_SETTINGS or not os.environ.get(name, "").strip():
            os.environ[name] = value


def main() -> None:
    if sys.argv[1:2] == ["simulate"]:
        os.environ["DJANGO_SETTINGS_MODULE"] = "wallboard.simulator.settings"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    if len(sys.argv) > 1 and sys.argv[1] in STANDALONE:
        lend_settings(sys.argv[1])
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    if sys.argv[1:2] in (["setup"], ["restore"]):
        from wallboard import first_settings

        try:
            if sys.argv[1] == "setup":
                first_settings.prepare(sys.argv[2:])
            else:
                first_settings.lend_redis()
        except (first_settings.NotOurs, ImproperlyConfigured, OSError) as refusal:
            sys.exit(str(refusal))
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as refusal:
        sys.exit(str(refusal))


if __name__ == "__main__":
    main()
