"""One installation for the browser flows."""

from collections.abc import Iterator

import pytest

from tests.harness.running_demo import RunningDemo
from tests.harness.site import Site, running_site
from wallboard.demo.processes import free_port


@pytest.fixture(scope="session")
def quiet_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """On a quiet floor: the only calls are those that a test places. Extension 101 is a supervisor."""
    with running_site(tmp_path_factory.mktemp("site"), {"load": 0}, {}) as site:
        site.manage("person", "101", "--role", "supervisor")
        yield site


@pytest.fixture
def quiet_site(quiet_installation: Site) -> Site:
    """That installation, with everything running again."""
    quiet_installation.heal()
    return quiet_installation


@pytest.fixture(scope="session")
def only_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDemo]:
    """One demo for all tests: coming up takes it seconds. What ends it is started again for whoever needs it."""
    running = RunningDemo(tmp_path_factory.mktemp("home") / "demo", free_port())
    running.start()
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()


@pytest.fixture
def demo(only_demo: RunningDemo) -> RunningDemo:
    """The demo, up: started again where the test before it has ended it."""
    if only_demo.process.poll() is not None:
        only_demo.start()
    only_demo.wait_for("Ctrl-C stops everything")
    return only_demo
