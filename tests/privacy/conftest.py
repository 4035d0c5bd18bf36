"""The fixtures of the desk: a small company, its neighbours, and a running desk for browsers."""

import pytest

from tests.desk.conftest import _plain_static_files, company, desk_site, mia, neighbours, signed_in  # noqa: F401
from wallboard.privacy import erasures, tasks


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that begins at once."""
    monkeypatch.setattr(tasks.erase_number, "apply_async", lambda args, **_options: erasures.run(*args))
