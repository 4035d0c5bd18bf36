"""Is this process alive, asked from inside its container: `python -m wallboard.operations.healthcheck web|worker|beat`.

Exit status 1 means that only a restart helps. A database or a Redis that is away is nothing that it could mend.
"""

import os
import socket
import sys
from http.client import HTTPConnection, HTTPException

import redis
from django.conf import settings

from wallboard.live import clocks

ALIVE_SECONDS = 150  # worker and beat record their clocks every minute
ANSWER_SECONDS = 5


def is_alive(role: str) -> bool:
    """Whether the process with this role on this machine does anything."""
    return _answers(int(os.environ.get("PORT") or 8000)) if role == "web" else _recorded_clock(role)


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _recorded_clock(role: str) -> bool:
    try:
        return clocks.recorded_within(role, ALIVE_SECONDS, socket.gethostname())
    except redis.RedisError:
        return True


if __name__ == "__main__":
    # Without the rest of the settings: it runs every few seconds.
    settings.configure(REDIS_URL=os.environ.get("REDIS_URL", ""))
    sys.exit(not is_alive(sys.argv[1]))
