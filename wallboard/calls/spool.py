"""Deliveries on disk while the database is away: each line is there (fsync) before the delivery is answered.

One file per process, locked while the process lives, so that whoever gets the lock knows that the owner is gone and
takes the file over. A line is `<crc32> <json>`; a torn last line was never acknowledged and is passed over. Lines carry
the identity that the database keeps unique: applying a file twice does no harm, so it is deleted only afterwards.
"""

import fcntl
import json
import logging
import os
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings

from wallboard.calls.intake import Arrival, read

log = logging.getLogger(__name__)
MOST_BYTES = 256 * 1024 * 1024  # over all files; what is beyond is refused, so that a full disk harms nobody else
PIECE = 200  # deliveries that are applied in one transaction


class Full(Exception):
    """The spool takes no more."""


def is_on() -> bool:
    """Whether there is a disk to spool to."""
    return bool(settings.SPOOL_DIR)


def line(arrival: Arrival) -> bytes:
    """A delivery as one line, with a checksum."""
    fields = (str(arrival.identity), arrival.subscription_id, arrival.domain_id, arrival.received_at.isoformat())
    text = json.dumps([*fields, arrival.body]).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def arrival_of(raw: bytes) -> Arrival | None:
    """The delivery on a line; None where the line is torn or damaged."""
    checksum, _space, text = raw.rstrip(b"\n").partition(b" ")
    try:
        if not raw.endswith(b"\n") or int(checksum, 16) != zlib.crc32(text):
            return None
        identity, subscription_id, domain_id, received_at, body = json.loads(text)
        at = datetime.fromisoformat(received_at)
        return Arrival(UUID(identity), subscription_id, domain_id, at, body, read(body))
    except (ValueError, TypeError):
        return None


class Spool:
    """The files of this process: one that is written, and those that wait to be applied. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writing: OwnFile | None = None
        self._closed: list[OwnFile] = []

    @property
    def is_empty(self) -> bool:
        return self._writing is None and not self._closed

    def keep(self, arrivals: list[Arrival]) -> None:
        """Write them and wait until the disk has them. Raises Full or OSError where it does not."""
        lines = b"".join(map(line, arrivals))
        with self._lock:
            if used_bytes() + len(lines) > MOST_BYTES:
                raise Full
            self._writing = self._writing or _new_file()
            self._writing.append(lines)

    def replay(self, commit: Callable[[list[Arrival]], object]) -> int:
        """Hand what was kept to `commit` and delete it; gives how many deliveries that were.

        One thread at a time. What `commit` raises is passed on, and what it was called for stays.
        """
        with self._lock:
            if self._writing is not None:
                self._closed.append(self._writing)
                self._writing = None
        count = 0
        while self._closed:
            count += _replay(self._closed[0].path, commit)
            self._closed.pop(0).delete()
        return count


@dataclass(frozen=True)
class OwnFile:
    """An open file that this process holds the lock of."""

    path: Path
    handle: int

    def append(self, lines: bytes) -> None:
        """All of it, on the disk, or nothing."""
        before = os.fstat(self.handle).st_size
        try:
            while lines:
                lines = lines[os.write(self.handle, lines) :]
            os.fsync(self.handle)
        except OSError:
            os.ftruncate(self.handle, before)  # half a line would spoil the next one
            raise

    def delete(self) -> None:
        self.path.unlink(missing_ok=True)
        os.close(self.handle)


def _new_file() -> OwnFile:
    folder = Path(settings.SPOOL_DIR)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    while True:
        path = folder / f"{os.getpid()}-{uuid4().hex}.spool"
        handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if path.exists():  # else a sweeper took the empty file for an orphan before it was locked
            _fsync_folder(folder)
            return OwnFile(path, handle)
        os.close(handle)


def replay_orphans(commit: Callable[[list[Arrival]], object]) -> int:
    """Apply and delete the files of processes that are gone; gives how many deliveries that were."""
    count = 0
    for path in _files():
        try:
            handle = os.open(path, os.O_RDWR)
        except FileNotFoundError:  # its owner has just applied it
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            count += _replay(path, commit)
            path.unlink(missing_ok=True)
        except (BlockingIOError, FileNotFoundError):
            continue
        finally:
            os.close(handle)
    return count


def used_bytes() -> int:
    """How much all spool files hold."""
    return sum(path.stat().st_size for path in _files() if path.exists())


def _files() -> list[Path]:
    return sorted(Path(settings.SPOOL_DIR).glob("*.spool")) if is_on() else []


def _replay(path: Path, commit: Callable[[list[Arrival]], object]) -> int:
    count = 0
    for piece in _pieces(path):
        commit(piece)
        count += len(piece)
    return count


def _pieces(path: Path) -> Iterator[list[Arrival]]:
    piece: list[Arrival] = []
    with path.open("rb") as file:
        for raw in file:
            if (arrival := arrival_of(raw)) is None:
                log.error("A line of the spool is damaged and passed over.")
                continue
            piece.append(arrival)
            if len(piece) >= PIECE:
                yield piece
                piece = []
    if piece:
        yield piece


def _fsync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
