"""What the database of an installation says, asked from outside its servers.

`python -m tests.faults.oracle` reads snippets of Python, one JSON text a line, and answers the value that each leaves
in `answer`. `Oracle` is the other end of that pipe.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from wallboard.demo.processes import BASE_DIR

IMPORTS = """
from collections import Counter
from datetime import timedelta
from django.utils import timezone
from accounts.models import *
from accounts.tokens import clients
from wallboard.boards.models import Board
from wallboard.sockets import snapshots
from wallboard.calls.subscriptions import health
from wallboard.calls.models import *
from wallboard.queues.models import *
"""


class Oracle:
    """Asks the database through a process of its own, with the installation's settings."""

    def __init__(self, env: Mapping[str, str]) -> None:
        command = [sys.executable, "-m", "tests.faults.oracle"]
        self._process = subprocess.Popen(
            command, env=env, cwd=BASE_DIR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, snippet: str) -> Any:
        """The value that the snippet leaves in `answer`; fails with the traceback where it raises."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(snippet) + "\n")
        self._process.stdin.flush()
        found = json.loads(self._process.stdout.readline())
        assert "problem" not in found, found["problem"]
        return found["answer"]

    def value(self, expression: str) -> Any:
        """What the expression is worth now."""
        return self.ask(f"answer = {expression}")

    def stop(self) -> None:
        """End the process."""
        self._process.communicate(timeout=10)


def main() -> None:
    """Answer until nobody asks any more."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
    import django
    from django.db import connection

    django.setup()
    connection.settings_dict["OPTIONS"].pop("pool", None)  # a connection per answer: one of before a crash is no use
    known: dict[str, Any] = {}
    exec(IMPORTS, known)
    for line in sys.stdin:
        try:
            names = dict(known)
            exec(json.loads(line), names)
            found = {"answer": names.get("answer")}
        except Exception as error:
            found = {"problem": f"{type(error).__name__}: {error}"}
        connection.close()
        sys.stdout.write(json.dumps(found, default=msgspec.to_builtins) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
