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
from django.utils.translation import gettext as _

from wallboard.operations import problems, restoring
from wallboard.operations.doctor.findings import Finding, good, trouble, watch
from wallboard.storage import is_served

OLDEST_PYTHON = ("3", "11")
OF_HTTPS = ("security.W004", "security.W008", "security.W012", "security.W016")


def python() -> Iterator[Finding]:
    """Which Python runs here."""
    version = platform.python_version()
    if tuple(map(int, version.split(".")[:2])) < tuple(map(int, OLDEST_PYTHON)):
        yield trouble(
            "Python",
            _("%(version)s is too old.") % {"version": version},
            _("Install Python %(wanted)s or newer.") % {"wanted": ".".join(OLDEST_PYTHON)},
        )
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
        yield call(_("Settings"), f"{each.msg} ({each.id})", str(each.hint or _("See `manage.py check --deploy`.")))
    if not serious:
        yield good(_("Settings"), _("`manage.py check --deploy` has nothing to say."))


def keys() -> Iterator[Finding]:
    """Whether TOKEN_KEYS opens everything that is sealed."""
    try:
        count = restoring.open_secrets()
    except restoring.Refused as refusal:
        yield trouble(
            _("Keys"), str(refusal), _("Put the missing key back into TOKEN_KEYS, or enter that secret anew.")
        )
    except DatabaseError:
        return  # that the database is away, another line says
    else:
        yield good(_("Keys"), _("TOKEN_KEYS opens all stored secrets: %(count)s.") % {"count": count})


def static_files() -> Iterator[Finding]:
    """Whether the files that pages ask for were collected, and of this release."""
    advice = _("Run `manage.py setup`, then restart the web processes.")
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if not manifest.exists():
        yield trouble(
            _("Static files"), _("None were collected in %(folder)s.") % {"folder": settings.STATIC_ROOT}, advice
        )
        return
    known = getattr(staticfiles_storage, "hashed_files", {})
    missing = [name for name in _sources() if is_served(name) and name not in known]
    if missing:
        yield trouble(
            _("Static files"),
            _("Missing of this release: %(count)s, such as %(file)s.") % {"count": len(missing), "file": missing[0]},
            advice,
        )
        return
    changed = [name for name, path in _sources().items() if path.stat().st_mtime > manifest.stat().st_mtime]
    if changed:
        yield watch(
            _("Static files"),
            _("Newer than what was collected: %(count)s, such as %(file)s.")
            % {"count": len(changed), "file": changed[0]},
            advice,
        )
        return
    yield good(
        _("Static files"),
        _("In %(folder)s: %(count)s.") % {"count": len(known), "folder": settings.STATIC_ROOT},
    )


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
            _("Disks"), str(each), _("Delete what is not needed, or enlarge it: databases do not survive full disks.")
        )
    if not found:
        yield good(_("Disks"), _("There is room on each."))


def spool() -> Iterator[Finding]:
    """Whether SPOOL_DIR can be written, and what waits in it."""
    if not settings.SPOOL_DIR:
        yield watch(
            _("Spool"),
            _("SPOOL_DIR is not set: while the database is away, call events are refused (503) and may be lost."),
            _("Set SPOOL_DIR to a folder on a disk that outlives the processes."),
        )
        return
    folder = Path(settings.SPOOL_DIR)
    try:
        with open(folder / ".doctor", "wb") as file:
            file.write(b"x")
        (folder / ".doctor").unlink()
    except OSError as error:
        yield trouble(
            _("Spool"),
            _("SPOOL_DIR (%(folder)s) cannot be written: %(reason)s.") % {"folder": folder, "reason": error.strerror},
            _("Make it, for the user that runs web."),
        )
        return
    yield good(_("Spool"), _("%(folder)s can be written.") % {"folder": folder})
