"""The software bill of materials of an installation: deploy/sbom.json, CycloneDX, made of requirements.txt.

`make lock` writes it; `make check` (with --check) says where it is not that of the locked versions.
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from wallboard.demo.processes import BASE_DIR

LOCKED, WRITTEN = BASE_DIR / "requirements.txt", BASE_DIR / "deploy" / "sbom.json"
OURS = "wallboard"
NEEDED_BY = re.compile(r"(?m)^    # +(?:via +)?(\S.*)$")


def entries(locked: str) -> list[tuple[Requirement, set[str]]]:
    """Each locked version, and by which others it is needed; ours by the name of the product."""
    found = []
    for entry in re.split(r"(?m)^(?=[A-Za-z])", locked)[1:]:
        requirement = Requirement(entry.split("--hash", 1)[0].replace("\\\n", "").strip())
        by = {name for name in NEEDED_BY.findall(entry) if name != "via" and not name.startswith("--override")}
        found.append(
            (requirement, {OURS if name.endswith(".in") else canonicalize_name(name.split("[")[0]) for name in by})
        )
    return found


def purl(requirement: Requirement) -> str:
    """The package's address as advisories have it; it is its reference in the document, too."""
    return f"pkg:pypi/{canonicalize_name(requirement.name)}@{str(requirement.specifier)[2:]}"


def component(requirement: Requirement) -> dict[str, Any]:
    """One library; with the condition under which it is installed, where there is one."""
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": purl(requirement),
        "name": canonicalize_name(requirement.name),
        "version": str(requirement.specifier)[2:],
        "purl": purl(requirement),
    }
    if requirement.marker is not None:
        found["properties"] = [{"name": "wallboard:marker", "value": str(requirement.marker)}]
    return found


def document(locked: str, version: str) -> dict[str, Any]:
    """The whole bill for the text of a locked file. The same text makes the same bill: no time, no random number."""
    found = entries(locked)
    # Two versions of one package may be locked, for different interpreters: both need what their name needs.
    names = {purl(requirement): canonicalize_name(requirement.name) for requirement, _ in found} | {OURS: OURS}
    needs: dict[str, list[str]] = {name: [] for name in names.values()}
    for requirement, needed_by in found:
        for name in needed_by:
            needs[name].append(purl(requirement))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": OURS, "name": OURS, "version": version}},
        "components": [component(requirement) for requirement, _ in found],
        "dependencies": [{"ref": each, "dependsOn": sorted(needs[names[each]])} for each in sorted(names)],
    }


def text(locked: Path = LOCKED) -> str:
    """The bill as the file holds it."""
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]
    return json.dumps(document(locked.read_text(), project["version"]), indent=1) + "\n"


def main(arguments: list[str]) -> int:
    """Write it, or with --check say whether it is that of the locked versions."""
    if arguments == ["--check"]:
        is_current = WRITTEN.exists() and WRITTEN.read_text() == text()
        print("Bill of materials: " + ("complete." if is_current else "not that of requirements.txt; run `make lock`."))
        return int(not is_current)
    WRITTEN.write_text(text())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
