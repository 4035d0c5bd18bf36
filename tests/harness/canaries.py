"""At the end of every run: nothing secret stands in the logs of the tests' servers, nor in files of Redis (S17).

Known secrets are looked for by their text; those that were made on the way (hook paths, tokens, TV links) by shape.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.harness.environment import SETTINGS

OURS = ("web", "worker", "beat", "daphne", "uvicorn")  # servers of ours; the provider and the proxy log as they like
KNOWN = {name: SETTINGS[name] for name in ("SECRET_KEY", "TOKEN_KEYS")}
SHAPES = {
    "hook path": re.compile(r"/hooks/[\w-]{40,}"),
    "TV link": re.compile(r"/screen/[\w-]{40,}"),
    "embed link": re.compile(r"/embed/[\w-]{40,}"),
    "bearer token": re.compile(r"Bearer [\w.~+/-]{16,}"),
    "credential": re.compile(
        r"(?:access_token|refresh_token|client_secret|code_verifier)['\"]?[=:]\s*['\"]?[\w.-]{16,}"
    ),
}
MOST_BYTES = 20_000_000  # of one file; beyond that a log is a fault of its own


def hits(text: str, known: dict[str, str]) -> list[str]:
    """What kinds of secrets the text holds."""
    return [name for name, secret in known.items() if secret in text] + [
        name for name, shape in SHAPES.items() if shape.search(text)
    ]


class Canaries:
    """The plugin."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Look at what loggers wrote during the test."""
        if report.when == "call":
            written = "\n".join(text for title, text in report.sections if "log" in title)
            self.found += [f"{report.nodeid} logged a {name}" for name in hits(written, KNOWN)]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Look at the logs and dumps that the servers left; a find fails the run."""
        factory = getattr(session.config, "_tmp_path_factory", None)
        base: Path | None = getattr(factory, "_basetemp", None)
        for path in files(base) if base is not None else ():
            text = path.read_bytes()[:MOST_BYTES].decode("latin-1")
            self.found += [f"{path.relative_to(base or path)} holds a {name}" for name in hits(text, KNOWN)]
        if self.found:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was found."""
        if self.found:
            terminalreporter.section("Secrets where none may be", red=True)
            for line in self.found:
                terminalreporter.line(line)


def files(base: Path) -> Iterator[Path]:
    """Logs of our own servers and whatever Redis wrote to disk, below the folder of a run."""
    yield from _named(base, (f"{name}*.log" for name in OURS))
    yield from _named(base, ("*.rdb", "*.aof"))


def _named(base: Path, patterns: Iterable[str]) -> Iterator[Path]:
    for pattern in patterns:
        yield from (path for path in base.rglob(pattern) if path.is_file() and not path.is_symlink())


def pytest_configure(config: pytest.Config) -> None:
    """Take part in every run."""
    config.pluginmanager.register(Canaries(), "canaries")
