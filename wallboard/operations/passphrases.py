"""Where a command gets a passphrase from: a file, or whoever sits at the terminal."""

import getpass
import sys
from pathlib import Path

from django.core.management.base import CommandError


def ask(file: Path | None, *, is_new: bool, shortest: int = 0) -> str:
    """The passphrase; typed twice where it is a new one. Raises CommandError."""
    if file is not None:
        try:
            passphrase = file.read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} cannot be read: {error}") from error
    elif sys.stdin.isatty():
        passphrase = getpass.getpass("Passphrase of the keys: ")
        if is_new and getpass.getpass("Once more: ") != passphrase:
            raise CommandError("The two are not the same. Nothing was written.")
    else:
        raise CommandError("Nobody is there to ask for the passphrase: name a file with --passphrase-file.")
    if len(passphrase) < shortest:
        raise CommandError(f"The passphrase must have at least {shortest} characters.")
    return passphrase
