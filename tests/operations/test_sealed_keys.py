"""Keys in a file of their own: opened by the passphrase and by nothing else."""

import stat
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from wallboard.operations import passphrases, sealed_keys
from wallboard.operations.sealed_keys import Keys, NotOpened

KEYS = Keys("secret-key", ["newest", "older"])


def test_the_passphrase_opens_them(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    sealed_keys.write(file, KEYS, "correct horse battery")

    assert sealed_keys.read(file, "correct horse battery") == KEYS
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"secret-key" not in file.read_bytes()
    with pytest.raises(NotOpened):
        sealed_keys.read(file, "correct horse")


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"format": 1, "salt": "YWJj", "sealed": "x"}'])
def test_another_file_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "keys").write_bytes(content)

    with pytest.raises(NotOpened):
        sealed_keys.read(tmp_path / "keys", "correct horse battery")


@pytest.mark.parametrize(
    ("name", "passphrase", "says"),
    [("backups/keys", "correct horse battery", "elsewhere"), ("keys", "short", "at least 12"), ("keys", None, "read")],
)
def test_keys_lie_apart_and_under_a_long_passphrase(
    tmp_path: Path, name: str, passphrase: str | None, says: str
) -> None:
    file = tmp_path / "passphrase"
    if passphrase:
        file.write_text(passphrase)

    with pytest.raises(CommandError, match=says):
        call_command("backup", tmp_path / "backups", keys=tmp_path / name, passphrase_file=file)

    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("sealed_with", ["correct horse battery", "correct horse battery\nfor the safe"])
def test_a_note_below_the_passphrase_is_none_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sealed_with: str
) -> None:
    file, keys = tmp_path / "passphrase", tmp_path / "keys"
    file.write_text("correct horse battery\nfor the safe\n")
    sealed_keys.write(keys, KEYS, sealed_with)  # all of the file, as once

    call_command("open_keys", str(keys), passphrase_file=file)

    assert passphrases.ask(file, is_new=True) == "correct horse battery"
    assert f"SECRET_KEY={KEYS.secret_key}" in capsys.readouterr().out
