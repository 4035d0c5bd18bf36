"""The list of known holes that is carried along: made of OSV's records, compared as OSV says, never taken for more."""

import json
import subprocess
import sys
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.harness import hole_list, holes
from tests.test_requirements import service
from wallboard.demo.processes import BASE_DIR

NOWHERE = "http://127.0.0.1:1"
PINS = {("django", "5.2.19"), ("redis", "8.1.0")}
TODAY = datetime.now(UTC).date()


def advisory(name: str, *events: dict[str, str], **more: Any) -> dict[str, Any]:
    """A record as OSV writes it."""
    ranges = [{"type": "ECOSYSTEM", "events": list(events)}] if events else []
    affected = {"package": {"name": name, "ecosystem": "PyPI"}, "ranges": ranges, "versions": more.pop("versions", [])}
    return {"id": "OSV-1", "summary": "everything leaks", "affected": [affected], **more}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The list of a test's own, and two pins."""
    monkeypatch.setattr(hole_list, "LIST", tmp_path / "holes.json")
    monkeypatch.setattr(holes, "all_pins", lambda: PINS)
    monkeypatch.delenv("WALLBOARD_HOLES", raising=False)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """How the check ends without a network, and what it prints."""
    capsys.readouterr()
    return holes.main(NOWHERE), capsys.readouterr().out


@pytest.mark.parametrize(
    ("version", "is_so"),
    [("4.9", False), ("5.0", True), ("5.2.18", True), ("5.2.19", False), ("6.0", True), ("6.1", False)],
)
def test_a_version_is_compared_as_osv_says(version: str, is_so: bool) -> None:
    kept = hole_list.record(
        advisory(
            "Django", {"introduced": "5.0"}, {"fixed": "5.2.19"}, {"introduced": "6.0"}, {"last_affected": "6.0.2"}
        ),
        "django",
    )

    assert kept is not None
    assert hole_list.is_in(version, kept) == is_so


def test_versions_that_are_named_one_by_one_count_too() -> None:
    kept = hole_list.record(advisory("redis", versions=["8.1.0"]), "redis")

    assert kept is not None
    assert (hole_list.is_in("8.1.0", kept), hole_list.is_in("8.1.1", kept)) == (True, False)


def test_what_was_withdrawn_or_is_about_others_is_not_kept() -> None:
    assert hole_list.record(advisory("django", {"introduced": "0"}, withdrawn="2026-01-01"), "django") is None
    assert hole_list.record(advisory("other", {"introduced": "0"}), "django") is None


def test_the_list_is_made_of_what_the_service_says_page_by_page(capsys: pytest.CaptureFixture[str]) -> None:
    def answer(path: str, posted: dict[str, Any]) -> tuple[int, object]:
        if posted["package"]["name"] != "django":
            return 200, {}
        if "page_token" in posted:
            return 200, {"vulns": [advisory("django", {"introduced": "5.2"}, id="OSV-2")]}
        return 200, {"vulns": [advisory("django", {"introduced": "0"}, {"fixed": "5.0"})], "next_page_token": "2"}

    with service(answer) as address:
        assert hole_list.main([], address) == 0

    status, text = said(capsys)
    assert status == 1
    assert "django 5.2.19 has a known hole: OSV-2: everything leaks" in text
    assert f"1 by the list of {TODAY}, 0 days old, from OSV" in text
    assert "NOT CHECKED" not in text


def test_or_of_the_file_that_osv_offers(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(place / "all.zip", "w") as files:
        files.writestr("OSV-1.json", json.dumps(advisory("redis", {"introduced": "0"})))
        files.writestr("OSV-3.json", json.dumps(advisory("numpy", {"introduced": "0"})))

    assert hole_list.main([str(place / "all.zip")]) == 0

    assert set(json.loads(hole_list.LIST.read_text())["packages"]) == {"django", "redis"}
    assert "redis 8.1.0 has a known hole: OSV-1" in said(capsys)[1]


def test_an_accepted_hole_passes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    kept = hole_list.record(advisory("redis", {"introduced": "0"}), "redis")
    assert kept is not None
    hole_list.write([("redis", kept)], ["django", "redis"], TODAY)
    monkeypatch.setitem(holes.ACCEPTED, "OSV-1", "we do not call it")

    assert said(capsys)[0] == 0


def test_a_list_that_is_old_or_lacks_a_package_is_no_pass(capsys: pytest.CaptureFixture[str]) -> None:
    hole_list.write([], ["django"], TODAY)
    status, text = said(capsys)
    assert (status, "Not in the list: redis." in text, "NOT CHECKED" in text) == (0, True, True)

    hole_list.write([], ["django", "redis"], TODAY - timedelta(days=hole_list.OLD_DAYS + 1))
    status, text = said(capsys)
    assert (status, "what became known since" in text, "NOT CHECKED" in text) == (0, True, True)


def test_a_machine_that_must_look_is_not_content_with_the_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hole_list.write([], ["django", "redis"], TODAY)
    assert said(capsys)[0] == 0
    monkeypatch.setenv("WALLBOARD_HOLES", "required")

    assert said(capsys)[0] == 1


def test_a_service_that_is_away_leaves_the_list_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    hole_list.write([], ["django", "redis"], TODAY)
    before = hole_list.LIST.read_text()

    assert hole_list.main([], NOWHERE) == 1
    assert hole_list.main(["nowhere.zip"]) == 1

    assert hole_list.LIST.read_text() == before
    assert "stays as it is" in capsys.readouterr().out


def test_the_command_ends_well_without_a_network() -> None:
    command = [sys.executable, "-m", "tests.harness.holes", NOWHERE]
    done = subprocess.run(command, cwd=BASE_DIR, capture_output=True, text=True, timeout=60)

    assert done.stderr == ""
    assert "Known holes in dependencies" in done.stdout


def test_make_lock_asks_and_does_not_fail_without_a_network() -> None:
    makefile = (BASE_DIR / "Makefile").read_text()

    line = "\t-@$(BIN)/python -m tests.harness.hole_list || $(BIN)/python -m tests.harness.hole_list --notes\n"
    assert line in makefile[makefile.index("\nlock:") :]
