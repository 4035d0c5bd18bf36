"""The unit tests of the browser's scripts: tests/js, by node's own runner."""

import os
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from tests.harness import node

FOLDER = Path(settings.BASE_DIR) / "tests/js"
READER = {"LC_ALL": "en_US.UTF-8", "TZ": "UTC"}  # whose times and figures the tests expect

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.test.js")), ids=lambda path: path.name)
def test_scripts(path: Path) -> None:
    done = subprocess.run(
        [node.program(), "--test", str(path)], env={**os.environ, **READER}, capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 0, done.stdout
    assert "pass 0" not in done.stdout  # a file without tests would pass as well
