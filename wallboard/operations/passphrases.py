"""Where a command gets a passphrase from: a file, or whoever sits at the terminal."""

import getpass
import sys
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _


def to_open(file: Path | None) -> list[str]:
    """What may open the keys: what is typed, or the file's first line, or all of it, as once it was taken. Raises
    CommandError.
    """
    return [ask(None)] if file is None else list(dict.fromkeys([ask(file), _text(file)]))


def ask(file: Path | None, *, is_new: bool = False, shortest: int = 0) -> str:
    """The passphrase, which is the file's first line; typed twice where it is a new one. Raises CommandError."""
    if file is not None:
        passphrase = _text(file).partition("\n")[0].strip()
    elif sys.stdin.isatty():
        passphrase = getpass.getpass(_("Passphrase of the keys: "))
        if is_new and getpass.getpass(_("Once more: ")) != passphrase:
            raise CommandError(_("The two are not the same. Nothing was written."))
    else:
        raise CommandError(_("Nobody is there to ask for the passphrase: name a file with --passphrase-file."))
    if len(passphrase) < shortest:
        raise CommandError(_("The passphrase must have at least %(count)s characters.") % {"count": shortest})
    return passphrase


def _text(file: Path) -> str:
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(_("%(file)s cannot be read: %(reason)s") % {"file": file, "reason": error}) from error
