"""A sheet whose making is told while it goes on: lines of JSON, how many rows of how many, and after them the file.

One answer holds both, so nothing is stored anywhere: whoever closes the page ends the making, and an answer that breaks
off is seen by the length that the last line tells. The script that reads it is static/js/pages/sheets.js.

A person's sheets are made one after the other, over all processes: quick clicks or many tabs keep no maker from others.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Protocol

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import StreamingHttpResponse

from accounts import leases
from accounts.leases import HeldLease

log = logging.getLogger(__name__)
CONTENT_TYPE = "application/x-sheet-progress"
TELL_SECONDS = 0.5  # between two lines; whoever reads notices by them that it goes on
LEASE_SECONDS = 30.0  # after which the sheet of a process that died holds up its person's next one no longer
AT_ONCE = 2  # sheets that a process makes; the next one waits for its turn
IN_MEMORY, CHUNK = 2**20, 2**16
makers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="sheets")
Row = Sequence[object]


class Counted:
    """Rows, the head among them, that know how many lines come below the head; None as long as they do not."""

    def __init__(self, rows: Iterable[Row], total: int | None = None) -> None:
        self.total = total
        self._rows = rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)


class Write(Protocol):
    """What writes rows to a file."""

    def __call__(self, rows: Iterable[Row], out: IO[bytes]) -> None: ...


class Ended(Exception):
    """Nobody waits for the sheet any more."""


class ToldSheet(StreamingHttpResponse):
    """How far the making is, then the file."""

    def __init__(self, rows: Iterable[Row], write: Write, reader: int | None = None, **about: str) -> None:
        """`reader` is the user who waits for it; without one it waits for no other sheet."""
        super().__init__(self._in_one_go(), content_type=CONTENT_TYPE)
        self.is_ended = self.is_making = False
        self._rows, self._write, self._reader, self._about = rows, write, reader, about
        self._file: SpooledTemporaryFile[bytes] | None = None  # until it is begun
        self._done = 0
        self["Cache-Control"] = "no-store"
        self["X-Accel-Buffering"] = "no"  # nginx would collect lines before it hands them on
        self._resource_closers.append(self._end)  # type: ignore[attr-defined]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        make = sync_to_async(self._make_aside, thread_sensitive=False, executor=makers)
        try:
            lease = None
            while self._reader and (lease := await sync_to_async(self._acquire)()) is None:
                yield self._line(rows=0, of=None)
                await asyncio.sleep(TELL_SECONDS)
            making = asyncio.ensure_future(make(lease))
            renewed_at = time.monotonic()
            while not making.done():
                yield self._line(rows=self._done, of=self._total())
                await asyncio.wait([making], timeout=TELL_SECONDS)
                if lease and time.monotonic() - renewed_at > LEASE_SECONDS / 3:
                    renewed_at = time.monotonic()
                    await sync_to_async(lease.renew)(LEASE_SECONDS)
            yield self._last_line(is_made=making.result())
            while making.result() and (piece := await sync_to_async(self._read, thread_sensitive=False)()):
                yield piece
        finally:
            self.is_ended = True

    def _in_one_go(self) -> Iterator[bytes]:
        """The same where there is no loop: all is made before the first line."""
        is_made = self._make()
        yield self._last_line(is_made=is_made)
        yield from iter(lambda: self._read() if is_made else b"", b"")

    def _acquire(self) -> HeldLease | None:
        return leases.acquire(f"sheet:{self._reader}", LEASE_SECONDS)

    def _make_aside(self, lease: HeldLease | None) -> bool:
        self.is_making = True
        try:
            with lease or nullcontext():
                return not self.is_ended and self._make()
        finally:
            connections.close_all()
            self.is_making = False
            if self.is_ended:
                self._end()

    def _make(self) -> bool:
        """Whether the file was made: the answer is under way, so a failure is told within it."""
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - it is read later, and closed at the end
        try:
            self._write(self._counting(), self._file)
        except Ended:
            return False
        except Exception:
            log.exception("A sheet could not be made")
            return False
        return True

    def _counting(self) -> Iterator[Row]:
        for number, row in enumerate(self._rows):
            if self.is_ended:
                raise Ended
            self._done = number  # the head is no line
            yield row

    def _total(self) -> int | None:
        return getattr(self._rows, "total", None)

    def _last_line(self, *, is_made: bool) -> bytes:
        if not is_made or self._file is None:
            return self._line(failed=True)
        size = self._file.tell()
        self._file.seek(0)
        return self._line(**self._about, rows=self._done, bytes=size)

    def _read(self) -> bytes:
        return self._file.read(CHUNK) if self._file else b""

    def _line(self, **told: Any) -> bytes:
        return json.dumps(told).encode() + b"\n"

    def _end(self) -> None:
        self.is_ended = True
        if self._file and not self.is_making:  # else its maker closes it, who notices at the next row
            self._file.close()
