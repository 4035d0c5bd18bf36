"""What a run of pytest adds: `--part`, skips that count as failures, and figures for the closing summary."""

import json
import os
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

INSTALLATIONS = {"site", "make_site", "quiet_installation"}
PIECES = 4  # of the quick tests: short enough that none is left alone at the end
DATABASE_FIXTURES = {"db", "transactional_db", *INSTALLATIONS}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", choices=sorted(PARTS), help="run only this part of the suite")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The files of the other pieces are not even read."""
    part: str = config.getoption("--part") or ""
    is_piece = part[-1:].isdigit() and collection_path.name.startswith("test_")
    return True if is_piece and not part.endswith(f"-{piece(collection_path)}") else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what does not belong to the part that was asked for."""
    if not (part := config.getoption("--part")):
        return
    kept = [item for item in items if PARTS[part](item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def uses_browser(item: pytest.Item) -> bool:
    """Whether the test opens pages."""
    return bool({"browser", "old_chromium"} & set(getattr(item, "fixturenames", ())))


def uses_database(item: pytest.Item) -> bool:
    """Whether the test's fixtures or marks give it the database."""
    taken = set(getattr(item, "fixturenames", ()))
    return bool(taken & DATABASE_FIXTURES) or item.get_closest_marker("django_db") is not None


def is_whole(item: pytest.Item) -> bool:
    """Whether the test has a whole installation."""
    return bool(set(getattr(item, "fixturenames", ())) & INSTALLATIONS)


def mostly_waits(item: pytest.Item) -> bool:
    """Whether the test mostly waits: for the provider's service, which plays by the clock, or a whole installation."""
    is_slow = is_whole(item) or any(item.get_closest_marker(name) for name in ("promise", "flow"))
    return not uses_browser(item) and (is_slow or "simulator" in item.path.parts)


def differs_by_database(item: pytest.Item) -> bool:
    """Whether the test is worth repeating on another database: pages are, where a whole installation is behind them.

    Fault tests (`promise`) bring a PostgreSQL of their own, and what is marked `one_database` is about something else.
    """
    if any(item.get_closest_marker(name) for name in ("promise", "one_database")):
        return False
    return uses_database(item) and (is_whole(item) or not uses_browser(item))


def is_quick_on_database(item: pytest.Item) -> bool:
    """Whether it is worth repeating and does not wait."""
    return differs_by_database(item) and is_quick(item)


def is_quick(item: pytest.Item) -> bool:
    """Whether the test neither opens pages nor waits."""
    return not uses_browser(item) and not mostly_waits(item)


def piece(path: Path) -> int:
    """From 1 to PIECES, the same for all tests of a file: pieces that take about equally long."""
    return zlib.crc32(path.name.encode()) % PIECES + 1


def of_piece(number: int, is_chosen: Callable[[pytest.Item], bool]) -> Callable[[pytest.Item], bool]:
    """Whether a test is in that piece and chosen: a file that pytest was given by name is read by every piece."""
    return lambda item: piece(item.path) == number and is_chosen(item)


PARTS: dict[str, Callable[[pytest.Item], bool]] = {
    "waiting": mostly_waits,
    "browser": uses_browser,
    "waiting-database": lambda item: differs_by_database(item) and (is_whole(item) or mostly_waits(item)),
    **{f"quick-{number}": of_piece(number, is_quick) for number in range(1, PIECES + 1)},
    **{f"quick-database-{number}": of_piece(number, is_quick_on_database) for number in range(1, PIECES + 1)},
}


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With WALLBOARD_NO_SKIPS=1 a skipped test fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and reporter.stats.get("skipped") and os.environ.get("WALLBOARD_NO_SKIPS") == "1":
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Hand the figures to whoever started this run (WALLBOARD_REPORT names a file)."""
    if report := os.environ.get("WALLBOARD_REPORT"):
        Path(report).write_text(json.dumps(figures(terminalreporter.stats)))


def figures(stats: dict[str, list[Any]]) -> dict[str, Any]:
    """How many passed, failed and were skipped, the reasons of the skips with how many each has, and what failed."""
    skipped = stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped)
    failed = [report.nodeid for outcome in ("failed", "error") for report in stats.get(outcome, [])]
    return {
        "passed": len(stats.get("passed", [])),
        "failed": len(failed),
        "skipped": len(skipped),
        "reasons": reasons,
        "failures": list(dict.fromkeys(failed)),  # as they ran: they are tried again in this order
    }
