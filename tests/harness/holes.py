"""`make check`: whether any pinned version has a hole that is known (OSV, the data behind pip-audit too).

A known hole fails. Where the service cannot be reached the list that is carried along counts (hole_list.py), with its
day; a hole in it fails as well. What neither knows is said in capitals and fails nothing, since machines without a way
out must be able to build, unless WALLBOARD_HOLES=required says that this one has a way.
"""

import os
import re
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import requests
from packaging.utils import canonicalize_name

from wallboard.demo.processes import BASE_DIR

SERVICE = "https://api.osv.dev/v1"
PINNED = ("requirements.txt", "requirements-dev.txt", "bench/requirements.txt")
SECONDS = (4, 10)  # to connect, and for an answer
ALL_SECONDS = 30
ACCEPTED: dict[str, str] = {}  # id: why it cannot hurt here; for a hole without a version that closes it


NOT_A_PASS = """
  NOT CHECKED: nobody knows whether these versions have a known hole. This is no pass.
  Run it where https://api.osv.dev can be reached; WALLBOARD_HOLES=required makes this a failure.
"""


class NotChecked(Exception):
    """The service could not be asked; the text says why."""


def pins(text: str) -> set[tuple[str, str]]:
    """The (name, version) pairs of a file that `make lock` wrote."""
    return set(re.findall(r"(?m)^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", text))


def asked(pinned: Iterable[tuple[str, str]], service: str = SERVICE) -> dict[tuple[str, str], list[str]]:
    """The ids of the known holes of each version that has any. Raises NotChecked."""
    wanted = sorted(pinned)
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in wanted]
    results = answer_of("POST", f"{service}/querybatch", json={"queries": queries}).get("results")
    if not isinstance(results, list) or len(results) != len(wanted):
        raise NotChecked("the answer is not the one that OSV documents")
    holes = {
        pin: [str(hole.get("id")) for hole in found.get("vulns") or ()]
        for pin, found in zip(wanted, results, strict=True)
    }
    return {pin: ids for pin, ids in holes.items() if ids}


def told(hole: str, service: str = SERVICE) -> str:
    """A line about a hole: what it is and which versions close it, as far as the service says so."""
    try:
        about = answer_of("GET", f"{service}/vulns/{hole}")
    except NotChecked:
        return hole
    events = [
        event for each in about.get("affected", ()) for span in each.get("ranges", ()) for event in span["events"]
    ]
    fixed = sorted({event["fixed"] for event in events if "fixed" in event and "." in event["fixed"]})
    return f"{hole}: {about.get('summary', '')}; closed by {', '.join(fixed) or 'no version yet'}"


def all_pins() -> set[tuple[str, str]]:
    """Every pinned version: of the product, of its tests and of its measurements."""
    return set().union(*(pins((BASE_DIR / Path(name)).read_text()) for name in PINNED))


def answer_of(method: str, address: str, **content: Any) -> dict[str, Any]:
    """What the service answers, decoded. Raises NotChecked."""
    try:
        answer = requests.request(method, address, timeout=SECONDS, **content)
        answer.raise_for_status()
        found = answer.json()
    except (requests.RequestException, ValueError) as error:
        raise NotChecked(f"{address} does not answer ({type(error).__name__})") from error
    if not isinstance(found, dict):
        raise NotChecked("the answer is not the one that OSV documents")
    return found


def is_required() -> bool:
    """Whether this machine is one that must be able to look."""
    return os.environ.get("WALLBOARD_HOLES", "") == "required"


def of_list(pinned: set[tuple[str, str]], reason: str) -> int:
    """What the list that is carried along says instead; 1 for a hole, and where the service is required."""
    from tests.harness import hole_list  # below: it asks the service by the functions above

    print(f"Known holes in dependencies: the service was not asked: {reason}.")
    try:
        kept = hole_list.compared({(canonicalize_name(name), version) for name, version in pinned})
    except NotChecked as error:
        print(f"Known holes in dependencies: not checked: {error}.")
        print(NOT_A_PASS)
        return int(is_required())
    open_holes = {
        pin: [each for each in ids if each.partition(":")[0] not in ACCEPTED] for pin, ids in kept.found.items()
    }
    for (name, version), holes_of_it in open_holes.items():
        print("\n".join(f"{name} {version} has a known hole: {each}" for each in holes_of_it))
    age = (datetime.now(UTC).date() - kept.day).days
    count = sum(map(len, open_holes.values()))
    print(f"Known holes in dependencies: {count} by the list of {kept.day}, {age} days old, from {kept.source}.")
    if kept.missing or age > hole_list.OLD_DAYS:
        print(f"Not in the list: {', '.join(kept.missing) or 'what became known since'}.")
        print(NOT_A_PASS)
    return int(count > 0 or is_required())


def main(service: str = SERVICE) -> int:
    """Print what is known; 1 where a pinned version has a known hole."""
    pinned = all_pins()
    began = time.monotonic()
    try:
        holes = asked(pinned, service)
    except NotChecked as reason:
        return of_list(pinned, str(reason))
    open_holes = {pin: [each for each in ids if each not in ACCEPTED] for pin, ids in holes.items()}
    for (name, version), ids in open_holes.items():
        for each in ids:
            has_time = time.monotonic() - began < ALL_SECONDS
            print(f"{name} {version} has a known hole: {told(each, service) if has_time else each}")
    count = sum(map(len, open_holes.values()))
    print(f"Known holes in dependencies: {count} in {len(pinned)} pinned versions.")
    return int(count > 0)


if __name__ == "__main__":
    from tests.harness import (
        holes,
    )  # the module that hole_list knows, too: this one has other classes of the same names

    sys.exit(holes.main(*sys.argv[1:]))
