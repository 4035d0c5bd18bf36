"""Holes that release notes name: read from a source as it is published, never more certain than they are."""

import io
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.harness import hole_list, hole_notes, holes
from wallboard.demo.processes import BASE_DIR

NOWHERE = "http://127.0.0.1:1"
CHANGELOG = """
Changes
=======

2.1.0 (2026-10-01)
------------------

Security
~~~~~~~~

* CVE-2026-10001: everything leaks.

2.0.3
-----

* Nothing of note. See CVE-2026-10002 in 2.0.2.

# 1.4.9

- GHSA-aaaa-bbbb-cccc, and :cve:`2026-10001` in this series, too
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The list of a test's own, and one pin that it knows and one that it does not."""
    monkeypatch.setattr(hole_list, "LIST", tmp_path / "holes.json")
    monkeypatch.setattr(holes, "all_pins", lambda: {("known", "2.0.9"), ("quiet", "1.0")})
    monkeypatch.setattr(hole_notes, "named", lambda: ["known", "quiet"])
    monkeypatch.delenv("WALLBOARD_HOLES", raising=False)
    return tmp_path


def published(folder: Path, **files: str) -> Path:
    """A source distribution with these files; `docs__notes_rst` is docs/notes.rst."""
    path = folder / "known-2.1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"known-2.1.0/{name.replace('__', '/').replace('_', '.')}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def holes_in(source: Path) -> dict[str, dict[str, Any]]:
    """What the notes of that source name, by id."""
    return {hole["id"]: hole for hole in hole_notes.holes_of(hole_notes.notes(source))}


@pytest.mark.parametrize(
    ("version", "is_so"),
    [("1.4.8", True), ("1.4.9", False), ("1.5", True), ("2.0.9", True), ("2.1.0", False), ("3.0", False)],
)
def test_a_release_closes_what_its_notes_name_and_each_series_for_itself(
    place: Path, version: str, is_so: bool
) -> None:
    hole = holes_in(published(place, CHANGES_rst=CHANGELOG))["CVE-2026-10001"]

    assert hole_list.is_in(version, hole) == is_so


def test_only_notes_count_and_only_below_the_heading_of_a_release(place: Path) -> None:
    source = published(
        place,
        docs__releases__2_1_0_txt="Known 2.1.0 release notes\n=====\n\nCVE-2026-10003: odd\n=====\n",
        src__known_py="# 1.0\n# CVE-2026-10004\n",
        NEWS_md="CVE-2026-10005 is told before any release\n",
    )

    assert set(holes_in(source)) == {"CVE-2026-10003"}


def test_the_check_finds_a_planted_hole_by_the_list_of_notes(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = hole_notes.holes_of(hole_notes.notes(published(place, CHANGES_rst=CHANGELOG)))
    monkeypatch.setattr(hole_notes, "fetched", lambda names: iter([("known", found)]))

    assert hole_list.main(["--notes"]) == 0
    assert holes.main(NOWHERE) == 1

    said = capsys.readouterr().out
    assert "known 2.0.9 has a known hole: CVE-2026-10001: in the notes of 1.4.9, 2.1.0" in said
    assert "0 days old, from the packages' own release notes" in said
    assert "Not in the list: quiet." in said


def test_notes_never_replace_what_osv_said_nor_a_list_when_none_could_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hole_notes, "fetched", lambda names: iter(()))
    assert hole_list.main(["--notes"]) == 1
    assert not hole_list.LIST.exists()

    hole_list.write([], ["known"], datetime.now(UTC).date())
    before = hole_list.LIST.read_text()
    monkeypatch.setattr(hole_notes, "fetched", lambda names: iter([("known", [])]))

    assert hole_list.main(["--notes"]) == 1
    assert hole_list.LIST.read_text() == before
    assert "it is OSV's" in capsys.readouterr().out


def test_the_list_that_is_carried_along_would_find_an_older_django() -> None:
    """It is no empty file: the release before the pinned one is told with its holes."""
    carried = BASE_DIR / "deploy" / "holes.json"
    hole_list.LIST.write_text(carried.read_text())

    compared = hole_list.compared({("django", "5.2.17")})

    assert compared.missing == []
    assert len(compared.found[("django", "5.2.17")]) > 3
