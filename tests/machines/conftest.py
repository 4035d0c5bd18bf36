"""One installation on many hosts for all tests of a run, whole again at the start of each; the table of promises."""

import os
from collections.abc import Callable, Iterator

import pytest

from tests.faults.browsers import Browser
from tests.faults.conftest import (
    IS_LONG,
    figure,
    pytest_generate_tests,
    pytest_runtest_makereport,
    pytest_terminal_summary,
    site,
)
from tests.harness import postgres
from tests.machines import installation
from tests.machines.installation import WEBS, Machines

__all__ = ["figure", "pytest_generate_tests", "pytest_runtest_makereport", "pytest_terminal_summary", "site"]
collect_ignore_glob = [] if IS_LONG else ["test_long_*.py"]
Pages = Callable[[], list[Browser]]


@pytest.fixture(scope="session", params=["sentinel", "cluster"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """The installation, with its feeds behind Sentinels or in a cluster of six; skips without PostgreSQL."""
    bin_folder = postgres.programs_or_skip()
    folder = tmp_path_factory.mktemp("machines")
    for each in (folder, *folder.parents):
        if each.owner() != "root" or each.parent == each:
            break
        os.chmod(each, 0o755)  # nginx and PostgreSQL give up root
    seed = os.environ.get("WALLBOARD_SEED", "1")
    with installation.running(folder, bin_folder, has_cluster=request.param == "cluster", seed=seed) as running:
        yield running


@pytest.fixture
def pages(site: Machines) -> Iterator[list[Browser]]:
    """A page at each web host, and one at the proxy, all of which show the truth."""
    opened = [site.open_browser(each) for each in (*WEBS, "proxy")]
    site.wait_for_truth(*opened, seconds=30)
    yield opened
    for browser in opened:
        browser.stop()
