"""One of several processes that want a token at the same moment: `python -m tests.accounts.racing grant 7 5 <start>`.

Runs so many threads from the given second on and prints the hash of each token, a line per caller.
"""

import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import django

django.setup()

from django.db import connection  # noqa: E402

from accounts.models import CompanyToken, Grant  # noqa: E402
from accounts.tokens import clients, refresh  # noqa: E402


def ask(kind: str, pk: int, rejected: str | None) -> str:
    """The token's hash, or the name of what went wrong."""
    try:
        keeper = (
            clients.GrantTokenSource(Grant.objects.get(pk=pk))
            if kind == "grant"
            else clients.CompanyTokenSource(CompanyToken.objects.get(pk=pk))
        )
        return sha256(keeper(rejected).encode()).hexdigest()
    except Exception as error:
        return f"failed: {error!r}"
    finally:
        connection.close()


def die() -> None:
    """What `kill -9` does to a process that holds a new token and has not kept it yet."""
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    kind, pk, threads, start_at = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    rejected = sys.stdin.read() or None
    if "dies" in sys.argv:
        refresh.TokenSource._change = lambda *_, **__: die()  # type: ignore[method-assign,assignment]
    time.sleep(max(0.0, start_at - time.time()))
    with ThreadPoolExecutor(threads) as pool:
        for line in pool.map(lambda _: ask(kind, pk, rejected), range(threads)):
            sys.stdout.write(line + "\n")
