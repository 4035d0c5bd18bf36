"""What the packages' own release notes say about holes, for where OSV cannot be reached but a package index can.

The newest source of each package that an installation runs is fetched with pip. A hole is a CVE or GHSA id that stands
below the heading of a release: the release closes it, and what came before has it. That is coarse (a hole may be told
for versions that never had it), and a package whose notes name no hole is left out: nothing is known about it.
"""

import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.harness import holes
from wallboard.demo.processes import BASE_DIR

NOTES = re.compile(r"(?i)(^|/)(changes|changelog|history|news|security|releases?|releasenotes)([./]|$)")
TEXTS = (".txt", ".rst", ".md", "")
HEADING = re.compile(r"^(?:#+ *)?(?:\[?[A-Za-z]+[ -])?\[?v?(\d+(?:\.\d+)+)\b")
UNDERLINE = re.compile(r"^([=\-~+*^#\"])\1{2,}\s*$")
HOLE = re.compile(r":cve:`(\d{4}-\d{4,})`|\b(CVE-\d{4}-\d{4,}|GHSA(?:-[0-9a-z]{4}){3})\b")
MOST_SECONDS = 120
LARGEST = 2_000_000  # bytes of one file of notes


def headings(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines that name a release, with its version: underlined ones, and those of Markdown."""
    for at, line in enumerate(lines):
        found = HEADING.match(line)
        below = lines[at + 1] if at + 1 < len(lines) else ""
        if found and (line.startswith("#") or UNDERLINE.match(below)):
            yield at, found[1]


def closed(text: str) -> dict[str, set[str]]:
    """The releases whose notes name each hole."""
    lines, found = text.splitlines(), dict[str, set[str]]()
    at_version = dict(headings(lines))
    version = ""
    for at, line in enumerate(lines):
        version = at_version.get(at, version)
        for number, other in HOLE.findall(line) if version else ():
            found.setdefault(f"CVE-{number}" if number else other, set()).add(version)
    return found


def ranges(fixed: Iterable[str]) -> list[list[dict[str, str]]]:
    """OSV's events for these releases: each series (5.2) has it up to its last release that names it, and whatever lies
    between two series up to the later one."""
    last: dict[tuple[int, ...], Version] = {}
    for version in sorted(map(Version, fixed)):
        last[version.release[:2]] = version
    found, start = [], "0"
    for series, version in sorted(last.items()):
        found.append([{"introduced": start}, {"fixed": str(version)}])
        start = ".".join(map(str, (*series[:-1], series[-1] + 1)))
    return found


def holes_of(texts: Iterable[str]) -> list[dict[str, Any]]:
    """The holes that these notes name, as the list has them (hole_list.record)."""
    found: dict[str, set[str]] = {}
    for text in texts:
        for hole, versions in closed(text).items():
            found.setdefault(hole, set()).update(versions)
    return [
        {"id": hole, "summary": f"in the notes of {', '.join(sorted(versions, key=Version))}"}
        | {"ranges": ranges(versions), "versions": []}
        for hole, versions in sorted(found.items())
    ]


def notes(source: Path) -> Iterator[str]:
    """The texts of release notes that lie in a source distribution."""
    if source.suffix == ".zip":
        with zipfile.ZipFile(source) as archive:
            for each in archive.infolist():
                if is_notes(each.filename, each.file_size):
                    yield archive.read(each).decode(errors="replace")
        return
    with tarfile.open(source) as tar:
        for member in tar:
            if member.isfile() and is_notes(member.name, member.size) and (content := tar.extractfile(member)):
                yield content.read().decode(errors="replace")


def is_notes(name: str, size: int) -> bool:
    """Whether a file of that name, below the folder of its package, is one of release notes."""
    path = Path(name.partition("/")[2])
    return path.suffix in TEXTS and size <= LARGEST and bool(NOTES.search(str(path)))


def named() -> list[str]:
    """The packages that an installation runs."""
    return sorted({canonicalize_name(name) for name, _ in holes.pins((BASE_DIR / "requirements.txt").read_text())})


def fetched(names: Iterable[str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The holes that the newest notes of each package name; packages whose notes name none are left out."""
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name]
            try:
                subprocess.run([*command, "--dest", folder, name], capture_output=True, timeout=MOST_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            sources = [each for each in Path(folder).iterdir() if each.name.endswith((".tar.gz", ".zip", ".tar.bz2"))]
            if found := [hole for each in sources for hole in holes_of(notes(each))]:
                yield name, found
