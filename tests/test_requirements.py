"""What is installed: every version pinned with the hashes of its files, nothing missing and nothing left over (S19)."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.harness import holes
from tests.harness.http_server import Quiet, serving
from wallboard.demo.processes import BASE_DIR

SETS = ["requirements", "requirements-dev", "bench/requirements"]


def written(name: str) -> dict[str, str]:
    """What people wrote into that set: name and version; sets that it builds on included."""
    path = BASE_DIR / f"{name}.in"
    found: dict[str, str] = {}
    for line in path.read_text().splitlines():
        text = line.split("#")[0].strip()
        if text.startswith("-r "):
            found |= written(str((path.parent / text[3:]).resolve().relative_to(BASE_DIR)).removesuffix(".in"))
        elif text:
            pinned = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[[\w,]+\])?==(\d[\w.]*)", text)
            assert pinned, f"{path.name}: “{text}” names no single version"
            found[canonicalize_name(pinned[1])] = pinned[2]
    return found


def locked(name: str) -> Iterator[tuple[Requirement, list[str], list[str]]]:
    """Each entry of the generated file: the requirement, its hashes, and by which others it is needed."""
    text = (BASE_DIR / f"{name}.txt").read_text()
    for entry in re.split(r"(?m)^(?=[A-Za-z])", text)[1:]:
        head = entry.split("--hash", 1)[0].replace("\\\n", "").strip()
        needed = re.findall(r"(?m)^    #\s+(?:via\s+)?(\S.*)$", entry)
        yield (
            Requirement(head),
            re.findall(r"--hash=sha256:[0-9a-f]{64}", entry),
            [each for each in needed if each != "via"],
        )


@pytest.mark.parametrize("name", SETS)
def test_everything_is_pinned_with_the_hashes_of_its_files(name: str) -> None:
    entries = list(locked(name))

    assert len(entries) > 30
    for requirement, hashes, _ in entries:
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), requirement
        assert hashes, f"{requirement} has no hash"


@pytest.mark.parametrize("name", SETS)
def test_the_pins_are_those_that_people_wrote(name: str) -> None:
    """Where this fails, `make lock` was not run after a change of a .in file, or a .txt file was edited by hand."""
    pinned = {canonicalize_name(each.name): str(each.specifier)[2:] for each, _, needed in locked(name)
              if any(".in" in by for by in needed)}  # fmt: skip

    assert pinned == written(name)


@pytest.mark.parametrize("name", SETS)
def test_nothing_is_left_over(name: str) -> None:
    entries = list(locked(name))
    names = {canonicalize_name(requirement.name) for requirement, _, _ in entries}
    for requirement, _, needed in entries:
        by = [each for each in needed if ".in" in each or canonicalize_name(each.split("[")[0]) in names]
        assert by, f"nothing needs {requirement}"


@pytest.mark.parametrize("name", SETS[:2])
def test_what_runs_here_is_what_is_pinned(name: str) -> None:
    wrong = []
    for requirement, _, _ in locked(name):
        if requirement.marker is None or requirement.marker.evaluate():
            try:
                wrong += [requirement] if version(requirement.name) not in requirement.specifier else []
            except PackageNotFoundError:
                wrong.append(requirement)

    assert wrong == []


def test_larger_sets_take_what_the_smaller_ones_have() -> None:
    runtime, dev, bench = ({(each.name, str(each.specifier)) for each, _, _ in locked(name)} for name in SETS)

    assert runtime <= dev <= bench


Answer = Callable[[str, dict[str, Any]], tuple[int, object]]


@contextmanager
def service(answer: Answer) -> Iterator[str]:
    """OSV on this machine: `answer` gives status and JSON for a path and what was posted."""

    class Handler(Quiet):
        def do_POST(self) -> None:
            self._say(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def do_GET(self) -> None:
            self._say({})

        def _say(self, posted: dict[str, Any]) -> None:
            status, content = answer(self.path, posted)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

    with serving(Handler) as port:
        yield f"http://127.0.0.1:{port}"


def one_hole(path: str, posted: dict[str, Any]) -> tuple[int, object]:
    if path.startswith("/vulns/"):
        fixed = [{"ranges": [{"events": [{"introduced": "0"}, {"fixed": "99.0"}]}]}]
        return 200, {"summary": "everything leaks", "affected": fixed}
    results = [
        {"vulns": [{"id": "OSV-1"}]} if each["package"]["name"] == "django" else {} for each in posted["queries"]
    ]
    return 200, {"results": results}


def test_a_known_hole_fails_and_says_what_closes_it(capsys: pytest.CaptureFixture[str]) -> None:
    with service(one_hole) as address:
        assert holes.main(address) == 1

    said = capsys.readouterr().out
    assert f"django {version('django')} has a known hole: OSV-1: everything leaks; closed by 99.0" in said


def test_no_known_hole_passes(capsys: pytest.CaptureFixture[str]) -> None:
    with service(lambda _, posted: (200, {"results": [{} for _ in posted["queries"]]})) as address:
        assert holes.main(address) == 0

    assert "Known holes in dependencies: 0 in " in capsys.readouterr().out


@pytest.mark.parametrize("answer", [(503, {}), (403, "blocked"), (200, []), (200, {"results": []}), (200, {})])
def test_a_service_that_does_not_answer_is_said_and_fails_nothing(
    answer: tuple[int, object], capsys: pytest.CaptureFixture[str]
) -> None:
    with service(lambda *_: answer) as address:
        assert holes.main(address) == 0

    assert "the service was not asked: " in capsys.readouterr().out


def test_no_network_is_said_and_fails_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert holes.main("http://127.0.0.1:1") == 0
    assert "not asked: http://127.0.0.1:1/querybatch does not answer (ConnectionError)." in capsys.readouterr().out


def test_what_was_not_checked_never_looks_like_a_pass(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WALLBOARD_HOLES", "required")

    assert holes.main("http://127.0.0.1:1") == 1

    assert "NOT CHECKED" in capsys.readouterr().out


def test_make_looks_for_holes_and_installs_by_hash_only() -> None:
    makefile = (BASE_DIR / "Makefile").read_text()
    installing = [line for line in makefile.splitlines() if "pip install" in line]

    assert "python -m tests.harness.holes" in makefile[makefile.index("\ncheck:") :]
    assert ["--require-hashes" in line or line.endswith(" $(UV)") for line in installing] == [True, True]
