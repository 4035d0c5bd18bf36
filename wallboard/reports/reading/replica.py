"""Reports may be read from a replica of the database, so that a long look at many days holds up nothing else.

A replica that does not answer, is no replica any more, or is further behind than a page may be, is left alone for some
seconds, and the database itself is read as if there were none.
"""

import functools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.models import Model

log = logging.getLogger(__name__)
ALIAS = "replica"
# Web processes commit something every five seconds, so a replica that keeps up is never this far behind.
MOST_BEHIND_SECONDS = 20.0
LOOK_SECONDS, PAUSE_SECONDS = 2.0, 10.0
BEHIND = "SELECT pg_is_in_recovery(), extract(epoch FROM now() - pg_last_xact_replay_timestamp())"
_is_reading = ContextVar("is_reading_replica", default=False)
P = ParamSpec("P")
R = TypeVar("R")


class Router:
    """Reads go to the replica inside `reading`, all else to the database itself."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        """Where to read; rows that came from the replica do not lead others there."""
        return ALIAS if _is_reading.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        """Always the database itself, also for rows that came from the replica."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Model, other: Model, **hints: Any) -> bool:
        """They are the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """The replica follows by itself."""
        return db != ALIAS


class Health:
    """Whether the replica can be read just now; asked at most every two seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._look_at = 0.0
        self._is_good = False
        self._was_told: str | None = ""

    def is_good(self) -> bool:
        """Whether it answers, is a replica and is not far behind."""
        if ALIAS not in connections.databases:
            return False
        with self._lock:
            if time.monotonic() >= self._look_at:
                self._note(_trouble())
            return self._is_good

    def failed(self, error: Exception) -> None:
        """A query failed there: leave it alone for a while."""
        connections[ALIAS].close()
        with self._lock:
            self._note(type(error).__name__)

    def _note(self, trouble: str) -> None:
        self._is_good = not trouble
        self._look_at = time.monotonic() + (PAUSE_SECONDS if trouble else LOOK_SECONDS)
        if bool(trouble) != bool(self._was_told):
            log.warning("Reports are read from %s", f"the database itself ({trouble})" if trouble else "the replica")
        self._was_told = trouble


health = Health()


def _trouble() -> str:
    """Why the replica cannot be read, "" where it can."""
    try:
        with connections[ALIAS].cursor() as cursor:
            cursor.execute(BEHIND)
            is_replica, behind = cursor.fetchone()
    except OperationalError as error:
        connections[ALIAS].close()
        return type(error).__name__
    if not is_replica:
        return "REPLICA_URL names no replica"
    return "" if behind is not None and behind <= MOST_BEHIND_SECONDS else f"the replica is {behind} s behind"


@contextmanager
def reading() -> Iterator[None]:
    """Read from the replica inside this block."""
    token = _is_reading.set(True)
    try:
        yield
    finally:
        _is_reading.reset(token)


def read_there(view: Callable[P, R]) -> Callable[P, R]:
    """A view that only reads: from the replica while that is good, else, and where it fails, from the database."""

    @functools.wraps(view)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        if health.is_good():
            try:
                with reading():
                    return view(*args, **kwargs)
            except OperationalError as error:
                health.failed(error)
        return view(*args, **kwargs)

    return wrapped
