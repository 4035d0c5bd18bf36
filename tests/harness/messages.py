"""`make messages`: brings the catalogues up to date with the texts of the source, and compiles them.

Collecting and merging need gettext's tools (`apt-get install gettext`); compiling alone does not: `--compile`. What is
new stands in the catalogues without a translation afterwards, and what changed is marked fuzzy: both fail the tests.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.harness import catalogues

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "wallboard" / "locale"
LEFT_OUT = ("tests", "bench", "node_modules", ".venv", "deploy", "docs", "static", "staticfiles", "wallboard/simulator")
OPTIONS = ("--no-wrap", "--no-obsolete", "--add-location", "file", "--no-color")


def main(arguments: list[str]) -> None:
    """Collect, merge and compile; with names of languages, these are made where they are missing."""
    names = [each for each in arguments if not each.startswith("-")]
    if "--compile" not in arguments:
        collect({*names, *(name for name, _path in catalogues.languages(FOLDER))})
    for name, path in catalogues.languages(FOLDER):
        entries = catalogues.read(path)
        path.with_suffix(".mo").write_bytes(catalogues.compiled(entries))
        fuzzy = [each for each in entries[1:] if "fuzzy" in each.flags]
        missing = [each for each in entries[1:] if not each.is_translated]
        print(f"{name}: {len(entries) - 1} messages, {len(missing)} untranslated, {len(fuzzy)} fuzzy")


def collect(names: set[str]) -> None:
    """Run makemessages over everything that is shipped."""
    if shutil.which("msgmerge") is None:
        sys.exit("gettext is missing: on Debian, apt-get install gettext.")
    FOLDER.mkdir(exist_ok=True)
    chosen = [part for name in sorted(names) for part in ("--locale", name)]
    ignored = [part for name in LEFT_OUT for part in ("--ignore", name)]
    command = [sys.executable, "manage.py", "makemessages", *chosen, *ignored, *OPTIONS]
    subprocess.run(command, cwd=ROOT, env=os.environ | lent(), check=True)


def lent() -> dict[str, str]:
    """Throwaway settings: nothing is read from the database."""
    key = subprocess.run([sys.executable, "manage.py", "newkey"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {
        "WALLBOARD_ENV_FILE": "",
        "SECRET_KEY": "for-collecting-texts-only-" + "0123456789abcdefghij" * 2,
        "TOKEN_KEYS": key.stdout.split()[-1],
        "PUBLIC_URL": "http://localhost:8000",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DATABASE_URL": "sqlite://:memory:",
    }


if __name__ == "__main__":
    main(sys.argv[1:])
