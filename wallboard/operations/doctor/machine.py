"""This machine and its settings: Python, keys, what Django's own checks say, static files, disks."""

import io
import platform
from collections.abc import Iterator
from contextlib import redirect_stderr
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core import checks
from django.db import DatabaseError

from wallboard.operations import problems, restoring
from wallboard.operations.doctor.findings import Finding, good, trouble, watch

OLDEST_PYTHON = ("3", "11")
OF_HTTPS = ("security.W004", "security.W008", "security.W012", "security.W016")


def python() -> Iterator[Finding]:
    """Which Python runs here."""
    version = platform.python_version()
    if tuple(map(int, version.split(".")[:2])) < tuple(map(int, OLDEST_PYTHON)):
        yield trouble("Python", f"{version} is too old.", f"Install Python {'.'.join(OLDEST_PYTHON)} or newer.")
    else:
        yield good("Python", version)


def settings_of_production() -> Iterator[Finding]:
    """What `manage.py check --deploy` says."""
    with redirect_stderr(io.StringIO()):
        found = [each for each in checks.run_checks(include_deployment_checks=True) if not each.is_silenced()]
    # Without https every cookie and header that goes with it is off: the way in says so, once.
    of_https = OF_HTTPS if not settings.IS_HTTPS else ()
    serious = [each for each in found if each.level >= checks.WARNING and each.id not in of_https]
    for each in serious:
        call = trouble if each.level >= checks.ERROR else watch
        yield call("Settings", f"{each.msg} ({each.id})", str(each.hint or "See `manage.py check --deploy`."))
    if not serious:
        yield good("Settings", "`manage.py check --deploy` has nothing to say.")


def keys() -> Iterator[Finding]:
    """Whether TOKEN_KEYS opens everything that is sealed."""
    try:
        count = restoring.open_secrets()
    except restoring.Refused as refusal:
        yield trouble("Keys", str(refusal), "Put the missing key back into TOKEN_KEYS, or enter that secret anew.")
    except DatabaseError:
        return  # that the database is away, another line says
    else:
        yield good("Keys", f"TOKEN_KEYS opens all {count} stored secrets.")


def static_files() -> Iterator[Finding]:
    """Whether the files that pages ask for were collected, and of this release."""
    advice = "Run `manage.py setup`, then restart the web processes."
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if not manifest.exists():
        yield trouble("Static files", f"None were collected in {settings.STATIC_ROOT}.", advice)
        return
    known = getattr(staticfiles_storage, "hashed_files", {})
    missing = [name for name in _sources() if name not in known]
    if missing:
        yield trouble("Static files", f"{len(missing)} of this release are missing, such as {missing[0]}.", advice)
        return
    changed = [name for name, path in _sources().items() if path.stat().st_mtime > manifest.stat().st_mtime]
    if changed:
        yield watch("Static files", f"{len(changed)} are newer than what was collected, such as {changed[0]}.", advice)
        return
    yield good("Static files", f"{len(known)} collected in {settings.STATIC_ROOT}.")


def _sources() -> dict[str, Path]:
    """Our own static files by name."""
    return {
        path: Path(storage.path(path)) for finder in get_finders() for path, storage in finder.list([])
        if Path(storage.path(path)).is_relative_to(settings.STATICFILES_DIRS[0])
    }  # fmt: skip


def disks() -> Iterator[Finding]:
    """Whether there is room on the disks of the database, the spool and the program."""
    found = list(problems.disks())
    for each in found:
        yield trouble(
            "Disks", each.text, "Delete what is not needed, or enlarge it: databases do not survive full disks."
        )
    if not found:
        yield good("Disks", "There is room on each.")


def spool() -> Iterator[Finding]:
    """Whether SPOOL_DIR can be written, and what waits in it."""
    if not settings.SPOOL_DIR:
        yield watch(
            "Spool",
            "SPOOL_DIR is not set: while the database is away, call events are refused (503) and may be lost.",
            "Set SPOOL_DIR to a folder on a disk that outlives the processes.",
        )
        return
    folder = Path(settings.SPOOL_DIR)
    try:
        with open(folder / ".doctor", "wb") as file:
            file.write(b"x")
        (folder / ".doctor").unlink()
    except OSError as error:
        yield trouble(
            "Spool",
            f"SPOOL_DIR ({folder}) cannot be written: {error.strerror}.",
            "Make it, for the user that runs web.",
        )
        return
    yield good("Spool", f"{folder} can be written.")
