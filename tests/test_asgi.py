"""What a web process has done before it takes its first request."""

import os
import subprocess
import sys

from wallboard.demo.processes import BASE_DIR

LOOK = """
import gc, sys
import wallboard.asgi
print(gc.get_freeze_count(), "wallboard.reports.views" in sys.modules, len(gc.get_objects()))
"""


def test_nothing_that_was_loaded_is_looked_through_for_garbage_again() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], cwd=BASE_DIR, env=os.environ, capture_output=True, text=True)

    frozen, has_pages, left = done.stdout.split()
    assert has_pages == "True"
    assert int(frozen) > 50 * int(left)
