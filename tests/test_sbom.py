"""deploy/sbom.json: every locked version and nothing else, and who needs whom."""

import json
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name

from tests.harness import sbom
from tests.test_requirements import locked
from wallboard.demo.processes import BASE_DIR


@pytest.fixture
def bill() -> dict[str, Any]:
    """The bill that is delivered."""
    found: dict[str, Any] = json.loads(sbom.WRITTEN.read_text())
    return found


def test_the_bill_names_every_locked_version_and_nothing_else(bill: dict[str, Any]) -> None:
    wanted = {
        (canonicalize_name(each.name), str(each.specifier).removeprefix("==")) for each, _, _ in locked("requirements")
    }

    assert {(each["name"], each["version"]) for each in bill["components"]} == wanted
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")


def test_everything_in_the_bill_is_needed_by_something(bill: dict[str, Any]) -> None:
    references = {each["bom-ref"] for each in bill["components"]}
    needed = {reference for each in bill["dependencies"] for reference in each["dependsOn"]}

    assert len(references) == len(bill["components"])
    assert needed == references
    assert {each["ref"] for each in bill["dependencies"]} == references | {"wallboard"}


def test_a_bill_of_other_versions_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sbom.main(["--check"]) == 0
    monkeypatch.setattr(sbom, "WRITTEN", tmp_path / "sbom.json")
    assert sbom.main(["--check"]) == 1
    assert sbom.main([]) == 0
    assert sbom.main(["--check"]) == 0
    (tmp_path / "sbom.json").write_text((tmp_path / "sbom.json").read_text().replace("pkg:pypi/django@", "pkg:pypi/d@"))

    assert sbom.main(["--check"]) == 1
    assert "run `make lock`" in capsys.readouterr().out


def test_make_checks_it_and_make_lock_writes_it() -> None:
    makefile = (BASE_DIR / "Makefile").read_text()

    assert "python -m tests.harness.sbom --check" in makefile[makefile.index("\ncheck:") :]
    assert "python -m tests.harness.sbom\n" in makefile[makefile.index("\nlock:") : makefile.index("\ncheck:")]
