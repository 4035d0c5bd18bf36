"""The search for secrets at the end of every run finds what it is there for."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.harness import canaries
from tests.harness.canaries import KNOWN, Canaries

PATH = "Zx9-" * 11


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"POST /hooks/{PATH}/ 204", ["hook path"]),
        (f"GET /screen/{PATH}/", ["TV link"]),
        ("Authorization: Bearer abcdefghijklmnop", ["bearer token"]),
        ("{'refresh_token': 'abcdefghijklmnop'}", ["credential"]),
        ("POST /token client_secret=abcdefghijklmnop", ["credential"]),
        (f"key {KNOWN['SECRET_KEY']}", ["SECRET_KEY"]),
        ("POST /hooks/*/ 204; refresh_token=***; /screen/token/", []),
    ],
)
def test_what_is_secret_is_found_by_its_text_or_shape(text: str, found: list[str]) -> None:
    assert canaries.hits(text, KNOWN) == found


def test_a_secret_in_a_servers_log_fails_the_run(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    (tmp_path / "site0").mkdir()
    (tmp_path / "site0" / "web.log").write_text(f"GET /hooks/{PATH}/\n")
    (tmp_path / "site0" / "simulator.log").write_text(f"GET /hooks/{PATH}/\n")

    config = SimpleNamespace(_tmp_path_factory=SimpleNamespace(_basetemp=tmp_path))
    session = SimpleNamespace(config=config, exitstatus=pytest.ExitCode.OK)

    search = Canaries()
    search.pytest_sessionfinish(session)  # type: ignore[arg-type]

    assert search.found == ["site0/web.log holds a hook path"]
    assert session.exitstatus == pytest.ExitCode.TESTS_FAILED
    (tmp_path / "site0" / "web.log").unlink()
    assert request.config.pluginmanager.has_plugin("canaries")
