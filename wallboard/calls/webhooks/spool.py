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
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings

from wallboard.calls.webhooks.intake import AWAY, Arrival, parse

log = logging.getLogger(__name__)
MOST_BYTES = 256 * 1024 * 1024  # over all files; what is beyond is refused, so that a full disk harms nobody else
SET_ASIDE = ".failed"  # ends the name of a file that cannot be applied
PIECE = 200  # deliveries that are applied in one transaction


class SpoolFull(Exception):
    """The spool takes no more."""


def is_on() -> bool:
    """Whether there is a disk to spool to."""
    return bool(settings.SPOOL_DIR)


def encode_line(arrival: Arrival) -> bytes:
    """A delivery as one line, with a checksum."""
    fields = (str(arrival.identity), arrival.subscription_id, arrival.domain_id, arrival.received_at.isoformat())
    text = json.dumps([*fields, arrival.body]).encode()
    # JSON text holds no line break, so a line is a delivery and a torn one is known by its end.
    return b"%08x %s\n" % (zlib.crc32(text), text)


def decode_line(raw: bytes) -> Arrival | None:
    """The delivery on a line; None where the line is torn or damaged."""
    checksum, _space, text = raw.rstrip(b"\n").partition(b" ")
    try:
        # Damage must not become a delivery that the provider never sent.
        if not raw.endswith(b"\n") or int(checksum, 16) != zlib.crc32(text):
            return None
        identity, subscription_id, domain_id, received_at, body = json.loads(text)
        at = datetime.fromisoformat(received_at)
        return Arrival(UUID(identity), subscription_id, domain_id, at, body, parse(body))
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

    def append(self, arrivals: list[Arrival]) -> None:
        """Write them and wait until the disk has them. Raises SpoolFull or OSError where it does not."""
        lines = b"".join(map(encode_line, arrivals))
        with self._lock:
            if used_bytes() + len(lines) > MOST_BYTES:
                # Better a 503 than a full disk, which would take the database down as well.
                raise SpoolFull
            self._writing = self._writing or _new_file()
            self._writing.append(lines)

    def replay(self, commit: Callable[[list[Arrival]], object]) -> int:
        """Hand what was kept to `commit` and delete it; gives how many deliveries that were.

        One thread at a time. What `commit` raises is passed on, and what it was called for stays.
        """
        with self._lock:
            # Closed first: what arrives during the replay goes into a file of its own.
            if self._writing is not None:
                self._closed.append(self._writing)
                self._writing = None
        count = 0
        while self._closed:
            count += self._closed[0].apply(commit)
            # Only now: a commit that raised is tried again from the same file.
            self._closed.pop(0)
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
                # write() may take less than all, on a disk that is nearly full.
                lines = lines[os.write(self.handle, lines) :]
            os.fsync(self.handle)
        except OSError:
            os.ftruncate(self.handle, before)  # half a line would spoil the next one
            raise

    def apply(self, commit: Callable[[list[Arrival]], object]) -> int:
        """Hand what it holds to `commit`, then delete and close it; gives how many deliveries that were.

        While the database is away, or the disk does not answer, it raises that and stays. What else goes wrong would
        come again at each try: the file is set aside. It is read by its handle, even if somebody deletes it meanwhile.
        """
        try:
            count = _replay(self.handle, commit)
        except (*AWAY, OSError):
            raise
        except Exception:
            log.exception("A spool file cannot be applied; it is set aside as *%s.", SET_ASIDE)
            count = 0
            if self.path.exists():
                self.path.rename(self.path.with_suffix(SET_ASIDE))
        else:
            # After the commit, never before: in between, the identity makes a second time harmless.
            self.path.unlink(missing_ok=True)
        os.close(self.handle)
        return count


def _new_file() -> OwnFile:
    folder = Path(settings.SPOOL_DIR)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    while True:
        path = folder / f"{os.getpid()}-{uuid4().hex}.spool"
        handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600)
        # The kernel drops it when the process dies, however it dies.
        fcntl.flock(handle, fcntl.LOCK_EX)
        if path.exists():  # else a sweeper took the empty file for an orphan before it was locked
            # A file's content may be safe while its name is not.
            _fsync_folder(folder)
            return OwnFile(path, handle)
        os.close(handle)


def replay_orphans(commit: Callable[[list[Arrival]], object]) -> int:
    """Apply and delete the files of processes that are gone; gives how many deliveries that were."""
    count = 0
    for path in _files():
        try:
            orphan = OwnFile(path, os.open(path, os.O_RDWR))
        except FileNotFoundError:  # its owner has just applied it
            continue
        try:
            # Its owner lives where the lock is held: then it is no orphan.
            fcntl.flock(orphan.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_there = path.exists()  # else another process has just applied it
        except BlockingIOError:
            is_there = False
        if not is_there:
            os.close(orphan.handle)
            continue
        try:
            count += orphan.apply(commit)
        except (*AWAY, OSError):
            os.close(orphan.handle)
            raise
    return count


def set_aside_count() -> int:
    """How many files could not be applied and wait for somebody to look into them."""
    return len(list(Path(settings.SPOOL_DIR).glob(f"*{SET_ASIDE}"))) if is_on() else 0


def waiting_seconds() -> float:
    """For how long nobody has written to or applied the oldest file; 0 where there is none."""
    return max((time.time() - each.st_mtime for each in _stats()), default=0.0)


def used_bytes() -> int:
    """How much all spool files hold."""
    return sum(each.st_size for each in _stats())


def _stats() -> Iterator[os.stat_result]:
    for path in _files():
        with suppress(FileNotFoundError):  # it has just been applied
            yield path.stat()


def _files() -> list[Path]:
    return sorted(Path(settings.SPOOL_DIR).glob("*.spool")) if is_on() else []


def _replay(handle: int, commit: Callable[[list[Arrival]], object]) -> int:
    count = 0
    for piece in _pieces(handle):
        commit(piece)
        count += len(piece)
    return count


def _pieces(handle: int) -> Iterator[list[Arrival]]:
    piece: list[Arrival] = []
    os.lseek(handle, 0, os.SEEK_SET)
    with open(handle, "rb", closefd=False) as file:
        for raw in file:
            if (arrival := decode_line(raw)) is None:
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
