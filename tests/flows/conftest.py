"""One installation for the browser flows."""

from collections.abc import Iterator

import pytest

from tests.harness.site import Site, running_site


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
