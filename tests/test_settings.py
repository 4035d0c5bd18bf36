"""Settings that are missing or wrong end every process with one sentence that says which and what to do."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.site import bare_environment
from wallboard.demo.processes import BASE_DIR

GOOD = {
    "SECRET_KEY": os.environ["SECRET_KEY"],
    "TOKEN_KEYS": os.environ["TOKEN_KEYS"],
    "PUBLIC_URL": "https://wallboard.example.com",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "DATABASE_URL": "sqlite://:memory:",
}
COMMANDS = {
    "manage": ["manage.py", "check"],
    "web": ["-m", "daphne", "-p", "0", "wallboard.asgi:application"],
    "worker": ["-m", "celery", "-A", "wallboard", "worker"],
    "beat": ["-m", "celery", "-A", "wallboard", "beat"],
}


def refusal(command: list[str], **changed: str) -> str:
    """What the process says when it refuses to start."""
    env = {name: value for name, value in bare_environment(**{**GOOD, **changed}).items() if value != "-"}
    done = subprocess.run([sys.executable, *command], env=env, cwd=BASE_DIR, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stdout == ""
    return done.stderr.strip()


@pytest.mark.parametrize("process", COMMANDS)
def test_every_process_refuses_half_set_settings_in_one_sentence(process: str) -> None:
    assert refusal(COMMANDS[process], REDIS_URL="-") == "Set REDIS_URL. .env.example explains every setting."


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SECRET_KEY", "-", "Set SECRET_KEY."),
        ("SECRET_KEY", "short", "SECRET_KEY must be at least 32 random characters;"),
        ("SECRET_KEY", "ab" * 40, "SECRET_KEY must be at least 32 random characters;"),
        ("SECRET_KEY", "django-insecure-0123456789-abcdefghijklmnopqrstuvwxyz", "SECRET_KEY must be at least 32"),
        ("DEBUG", "1", "DEBUG must be off when the host of PUBLIC_URL can be reached from outside:"),
        ("TOKEN_KEYS", "not-a-key", "TOKEN_KEYS must be Fernet keys separated by commas, newest first;"),
        ("PUBLIC_URL", "wallboard.example.com", "PUBLIC_URL must look like https://wallboard.example.com,"),
        (
            "PUBLIC_URL",
            "https://wallboard.example.com:99999",
            "PUBLIC_URL must look like https://wallboard.example.com,",
        ),
        ("PUBLIC_URL", "https://[::1", "PUBLIC_URL must look like https://wallboard.example.com,"),
        ("PUBLIC_URL", "https://user:word@wallboard.example.com", "PUBLIC_URL must look like https://"),
        ("PUBLIC_URL", "http://wallboard.example.com", "PUBLIC_URL must start with https://"),
        ("ALLOWED_HOSTS", "*", "ALLOWED_HOSTS must name hosts, not '*', when DEBUG is off."),
        ("DATABASE_URL", "mysql://u:p@localhost/x", "DATABASE_URL must be sqlite:///path or postgres://"),
        ("DATABASE_URL", "wallboard.sqlite3", "DATABASE_URL must be sqlite:///path or postgres://"),
        ("DATABASE_URL", "postgres://u@one:x,two/name", "DATABASE_URL must be sqlite:///path or postgres://"),
        ("REPLICA_URL", "sqlite:///copy.sqlite3", "REPLICA_URL must be postgres://user:password@host/name, a replica"),
        ("REDIS_URL", "redis+sentinel://one,two", "REDIS_URL must be redis://host:6379/0, redis+sentinel://"),
        ("REDIS_URL", "redis://:se/cret@127.0.0.1/0", "REDIS_URL must be redis://host:6379/0, redis+sentinel://"),
        ("REDIS_URL", "redis+cluster://one,two", "TASKS_REDIS_URL must name a Redis that is no cluster,"),
        ("POLL_SECONDS", "often", "POLL_SECONDS must be a number of seconds between 0.2 and 86400."),
        ("PROVIDER_BASE_URL", "https://p.example", "Set PROVIDER_CLIENT_ID, PROVIDER_CLIENT_SECRET too,"),
        ("DEBUG", "perhaps", "DEBUG must be 1 or 0."),
        ("SMTP_URL", "mail.example.com:25", "SMTP_URL must look like smtp+starttls://"),
        ("MAIL_FROM", "wall@example.com", "Set SMTP_URL too, or none of SMTP_URL, MAIL_FROM."),
        ("OUTBOUND_ALLOWED_NETWORKS", "10.0.0.1:80", "OUTBOUND_ALLOWED_NETWORKS must be addresses or networks"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: str, sentence: str) -> None:
    said = refusal(COMMANDS["manage"], **{name: value})

    assert said.startswith(sentence)
    assert "'se'" not in said  # a part of a password
    assert "\n" not in said


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PASSWORD=s3cr3t-\xfc\n", "it is not UTF-8"),
        (None, "Input/output error"),
    ],
)
@pytest.mark.parametrize("command", [COMMANDS["web"], ["manage.py", "setup"], ["manage.py", "restore", "DIR"]])
def test_a_settings_file_that_cannot_be_read_is_named(
    command: list[str], content: bytes | None, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "env" if content else Path("/proc/self/mem")  # which not even root can read from its beginning
    if content:
        file.write_bytes(content)

    said = refusal(command, WALLBOARD_ENV_FILE=str(file))

    assert said.startswith(f"The settings in {file} cannot be read: {reason}. Let the user who runs this read it,")
    assert "s3cr3t" not in said
    assert "\n" not in said


def test_the_example_starts_once_the_required_names_are_filled_in(tmp_path: Path) -> None:
    text = (BASE_DIR / ".env.example").read_text()
    for name, value in GOOD.items():
        if name != "DATABASE_URL":
            text = re.sub(rf"^{name}=.*$", f"{name}={value}", text, flags=re.MULTILINE)
    for name in ("PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET"):
        text = re.sub(rf"^{name}=$", f"{name}=from-the-portal", text, flags=re.MULTILINE)
    (tmp_path / "env").write_text(text)
    env = bare_environment(WALLBOARD_ENV_FILE=str(tmp_path / "env"))

    done = subprocess.run([sys.executable, "manage.py", "check"], env=env, cwd=BASE_DIR, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
