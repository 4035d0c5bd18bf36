"""Known holes that are carried along, for machines without a network: what OSV knew of each package on a day.

`python -m tests.harness.hole_list` asks OSV about every pinned package and writes deploy/holes.json (`make lock` does
so). Given the file that OSV offers of a whole ecosystem (PyPI/all.zip), it takes that instead. With --notes it takes
what the packages' own release notes name (hole_notes.py), which needs a package index alone and knows less: it never
replaces a list of OSV's. All versions' holes are kept, so a pin that changes is still compared.
"""

import json
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import requests
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from tests.harness import hole_notes, holes
from wallboard.demo.processes import BASE_DIR

LIST = BASE_DIR / "deploy" / "holes.json"
OLD_DAYS = 31
OSV, NOTES = "OSV", "the packages' own release notes"
MOST_PAGES = 50


@dataclass(frozen=True)
class Compared:
    """What the list says: holes of pinned versions, packages that it does not know, its day and where it is from."""

    found: dict[tuple[str, str], list[str]]
    missing: list[str]
    day: date
    source: str


def record(found: dict[str, Any], name: str) -> dict[str, Any] | None:
    """What is kept of OSV's record about this package; None for one that was withdrawn, or is about others."""
    affected = [
        each
        for each in found.get("affected") or ()
        if each.get("package", {}).get("ecosystem") == "PyPI"
        and canonicalize_name(str(each["package"].get("name"))) == name
    ]
    if found.get("withdrawn") or not affected:
        return None
    ranges = [
        span["events"] for each in affected for span in each.get("ranges") or () if span.get("type") == "ECOSYSTEM"
    ]
    versions = sorted({version for each in affected for version in each.get("versions") or ()}) if not ranges else []
    return {"id": found["id"], "summary": found.get("summary", ""), "ranges": ranges, "versions": versions}


def is_in(version: str, hole: dict[str, Any]) -> bool:
    """Whether this version has the hole by OSV's rules: from `introduced`, to `fixed` or through `last_affected`."""
    if version in hole["versions"]:
        return True
    here = Version(version)
    return any(_is_within(here, events) for events in hole["ranges"])


def _is_within(here: Version, events: Iterable[dict[str, str]]) -> bool:
    is_affected = False
    places = [_place(kind, at) for event in events for kind, at in event.items()]
    for kind, at in sorted(places, key=lambda each: each[1]):
        if kind == "introduced" and here >= at:
            is_affected = True
        elif (kind == "fixed" and here >= at) or (kind == "last_affected" and here > at):
            is_affected = False
    return is_affected


def _place(kind: str, at: str) -> tuple[str, Version]:
    try:
        return kind, Version(at)
    except InvalidVersion:  # not the ecosystem's: as if from the first version on
        return kind, Version("0")


def of_service(names: Iterable[str], service: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every hole that OSV knows of each package. Raises holes.NotChecked."""
    for name in names:
        page = ""
        for _ in range(MOST_PAGES):
            query = {"package": {"name": name, "ecosystem": "PyPI"}} | ({"page_token": page} if page else {})
            answer = holes.answer_of("POST", f"{service}/query", json=query)
            for found in answer.get("vulns") or ():
                if kept := record(found, name):
                    yield name, kept
            page = str(answer.get("next_page_token") or "")
            if not page:
                break


def of_export(names: Iterable[str], export: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The same of the file that OSV offers of the whole of PyPI."""
    wanted = sorted(names)
    with zipfile.ZipFile(export) as files:
        for each in sorted(files.namelist()):
            if each.endswith(".json"):
                found = json.loads(files.read(each))
                yield from ((name, kept) for name in wanted if (kept := record(found, name)))


def write(found: Iterable[tuple[str, dict[str, Any]]], names: Iterable[str], today: date, source: str = OSV) -> int:
    """Write the list; how many holes it names."""
    by_name: dict[str, list[dict[str, Any]]] = {name: [] for name in sorted(names)}
    for name, hole in found:
        by_name[name].append(hole)
    content = {"asked_on": str(today), "source": source, "packages": by_name}
    LIST.write_text(json.dumps(content, indent=1) + "\n")
    return sum(map(len, by_name.values()))


def kept_list() -> dict[str, Any]:
    """The list as it lies here. Raises holes.NotChecked where there is none."""
    try:
        kept: dict[str, Any] = json.loads(LIST.read_text())
        date.fromisoformat(kept["asked_on"])
    except (OSError, ValueError, KeyError) as error:
        raise holes.NotChecked("no list of known holes lies here") from error
    return kept


def compared(pinned: Iterable[tuple[str, str]]) -> Compared:
    """What the list says of these versions. Raises holes.NotChecked where there is none."""
    kept, pins = kept_list(), sorted(pinned)
    known: dict[str, list[dict[str, Any]]] = kept["packages"]
    found = {
        (name, version): [f"{hole['id']}: {hole['summary']}" for hole in known[name] if is_in(version, hole)]
        for name, version in pins
        if name in known
    }
    missing = sorted({name for name, _ in pins if name not in known})
    day = date.fromisoformat(kept["asked_on"])
    return Compared({pin: each for pin, each in found.items() if each}, missing, day, kept.get("source", OSV))


def from_notes() -> int:
    """Write the list of what release notes name; 1 where OSV's lies here, which knows more, or no notes can be read."""
    try:
        if kept_list().get("source", OSV) == OSV:
            print("The list of known holes stays as it is: it is OSV's.")
            return 1
    except holes.NotChecked:
        pass  # the first one
    by_name = dict(hole_notes.fetched(hole_notes.named()))
    if not by_name:
        print("The list of known holes stays as it is: no release notes could be fetched.")
        return 1
    found = [(name, hole) for name, of_package in by_name.items() for hole in of_package]
    count = write(found, by_name, datetime.now(UTC).date(), NOTES)
    print(f"Known holes of {len(by_name)} packages, by their own release notes: {count} of all versions.")
    return 0


def main(arguments: list[str], service: str = holes.SERVICE) -> int:
    """Write the list anew, of the service, of an export that is named or of release notes; 1 where nothing is read."""
    if arguments == ["--notes"]:
        return from_notes()
    names = {canonicalize_name(name) for name, _ in holes.all_pins()}
    try:
        found = list(of_export(names, Path(arguments[0])) if arguments else of_service(sorted(names), service))
    except (holes.NotChecked, OSError, zipfile.BadZipFile, ValueError, requests.RequestException) as error:
        print(f"The list of known holes stays as it is: {error}.")
        return 1
    print(f"Known holes of {len(names)} packages: {write(found, names, datetime.now(UTC).date())} of all versions.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
