"""One installation for all fault tests, whole again at the start of each, and the table of what was measured."""

import os
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

from tests.faults.browsers import Browser
from tests.faults.installation import SUPERVISOR, Installation, running_installation
from tests.harness import postgres

IS_LONG = os.environ.get("WALLBOARD_FAULTS") == "all"
collect_ignore_glob = [] if IS_LONG else ["test_long_*.py"]
Open = Callable[..., Browser]
Note = Callable[[object], None]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`seed`: one in the short selection, ten otherwise."""
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(1, 11) if IS_LONG else [1])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Give every report the promise and the fault that its test is about."""
    report = yield
    marker = item.get_closest_marker("promise")
    if marker is not None:
        report.promise = marker.args
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """In a full run, and with -v, the table: promise, fault, figure, verdict."""
    if (not IS_LONG and terminalreporter.verbosity < 1) or getattr(terminalreporter, "has_told_promises", False):
        return
    terminalreporter.has_told_promises = True  # tests/machines has this hook as well
    rows = []
    for verdict in ("passed", "failed", "error"):
        for report in terminalreporter.stats.get(verdict, []):
            if hasattr(report, "promise"):
                rows.append(row(report, verdict))
    terminalreporter.section("promises")
    for each in sorted(rows):
        terminalreporter.write_line("{:<5} {:<52} {:<70} {}".format(*each))


def row(report: Any, verdict: str) -> tuple[str, str, str, str]:
    """One line of the table."""
    figures = ", ".join(str(value) for name, value in report.user_properties if name == "figure")
    promise, fault = report.promise
    seed = report.nodeid.partition("[")[2].rstrip("]")
    return promise, f"{fault} {seed}".strip(), figures or "-", "held" if verdict == "passed" else "MISSED"


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """The installation; skips without a PostgreSQL server, since SQLite has no process that could be killed."""
    with running_installation(tmp_path_factory.mktemp("faults"), postgres.programs_or_skip()) as running:
        yield running


@pytest.fixture
def site(whole: Installation) -> Installation:
    """That installation, with everything running again."""
    whole.heal()
    return whole


@pytest.fixture
def open_browser(site: Installation) -> Iterator[Open]:
    """Opens pages that are closed after the test."""
    opened: list[Browser] = []

    def open_one(web: str, query: str = "board=main", who: str = SUPERVISOR) -> Browser:
        opened.append(site.open_browser(web, query, who))
        return opened[-1]

    yield open_one
    for browser in opened:
        browser.stop()


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Note:
    """Puts a figure into the table."""
    return lambda text: record_property("figure", text)
