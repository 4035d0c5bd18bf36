"""What is kept of one company: its feeds are read once a second, and what changed is written every few seconds.

There is one recorder per company at a time, by its lease. Where it could not look, or could not write, for longer than
a moment, the run ends with what is written, and a new one begins: in between nothing is known, and that is told.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import OuterRef, Subquery

from accounts.leases import HeldLease
from wallboard.live.feeds import Feed
from wallboard.live.since import News
from wallboard.replay import patches
from wallboard.replay.models import Run, Span
from wallboard.replay.stream import Change, Writer
from wallboard.replay.tracks import track_of

LEASE_SECONDS = 40.0
LONGEST_PAUSE = 5  # seconds; looks that lie further apart leave a gap
FLUSH_SECONDS = 10
# After a key frame it takes so long until the next one, and longer where little changed.
SPAN_SECONDS, LONGEST_SPAN = 15 * 60, 3600


class Superseded(Exception):
    """What this recorder holds must not be written any more: somebody else records, or something was erased."""


@dataclass
class Piece:
    """A span in our hands: its writer, its row once there is one, and its end once it is complete."""

    track: str
    writer: Writer
    row: Span | None = None
    ends: int | None = None


class Recorder:
    """Records one company; `positions` says how far each of its feeds was read."""

    def __init__(self, domain_id: int, lease: HeldLease) -> None:
        self.domain_id = domain_id
        self.lease = lease
        self.positions: dict[str, str] = {}
        self.unwritten_since: int | None = None
        self._run: Run | None = None
        self._growing: dict[str, Piece] = {}
        self._completed: list[Piece] = []
        self._begins = self._looked_at = 0

    def asked(self, feeds: Iterable[Feed]) -> list[tuple[Feed, str]]:
        """What live.since is to be asked for."""
        return [(feed, self.positions.get(feed.name, "")) for feed in feeds]

    def has_all(self, feeds: Iterable[Feed]) -> bool:
        """Whether these are the feeds that were taken at the last look."""
        return bool(self._growing) and self.positions.keys() == {feed.name for feed in feeds}

    @property
    def unwritten_seconds(self) -> int:
        """For how long nothing was written of what was seen."""
        return 0 if self.unwritten_since is None else self.known_until - self.unwritten_since

    @property
    def is_flush_due(self) -> bool:
        """Whether it is time to write; each company has its own second, so that a thousand are not written at once."""
        if self.unwritten_since is None:
            return False
        return self.unwritten_seconds >= FLUSH_SECONDS or (self._looked_at + self.domain_id) % FLUSH_SECONDS == 0

    def take(self, moment: float, news: Mapping[str, News] | None) -> None:
        """Take what was new at this moment, by feed; a feed that is not named is recorded no longer. Raises as flush().

        None for the news says that all feeds were found as they were at the last look.
        After a pause all of it is forgotten instead, so that the next look begins anew.
        """
        second = int(moment)
        is_new = not self._growing
        if not is_new and not 0 <= second - self._looked_at <= LONGEST_PAUSE:  # a clock may go back, too
            self.flush()
            self.forget()
            return
        self._looked_at = second
        if is_new:
            self._begins = second
        if self.unwritten_since is None:
            self.unwritten_since = second
        if news is None:
            for track in list(self._growing):
                self._write(track, second, [])
            return
        changes = [self._change(second, name, each) for name, each in news.items()]
        changes += [Change(second, name, None) for name in self.positions.keys() - news.keys()]
        tracks = {track_of(name) for name in news}
        for track in tracks | self._growing.keys():
            own = [change for change in changes if change is not None and track_of(change.feed) == track]
            self._write(track, second, own)
            if track not in tracks:
                self._complete(track, second + 1)
        self.positions = {name: self.positions.get(name, "") for name in news}

    def flush(self) -> None:
        """Write all that is known by now. Raises Superseded, or what the database raises: then it may be tried again.

        The lease is renewed in the same transaction, so that who lost it writes nothing.
        """
        if self.unwritten_since is None:
            return
        pieces = [*self._completed, *self._growing.values()]
        with transaction.atomic():
            if not self.lease.renew(LEASE_SECONDS):
                raise Superseded
            run = self._save_run()
            rows = [_save(run, piece) for piece in pieces]
        # Only now: a transaction that failed took its rows back.
        for piece, row in zip(pieces, rows, strict=True):
            piece.row, piece.writer.is_written = row, True
        self._run, self._completed, self.unwritten_since = run, [], None

    @property
    def rows(self) -> "tuple[Run, list[Piece]] | None":
        """The run and the pieces that lie in the database, where writing is no more than changing these rows."""
        pieces = list(self._growing.values())
        if self._run is None or self._completed or any(piece.row is None for piece in pieces):
            return None
        return self._run, pieces

    @property
    def known_until(self) -> int:
        """The end of what was seen, which is excluded."""
        return self._looked_at + 1

    def flushed(self) -> None:
        """Somebody has written these rows, and committed them (flushing.py)."""
        for piece in self._growing.values():
            piece.writer.is_written = True
        self.unwritten_since = None

    def forget(self) -> None:
        """End the run with what was written; the next look begins a new one."""
        self._run, self.unwritten_since = None, None
        self._growing, self._completed, self.positions = {}, [], {}

    def _change(self, second: int, name: str, news: News) -> Change | None:
        """What the news say; None for nothing new."""
        if not news.is_built:
            self.positions[name] = ""
            return Change(second, name, None)
        if not news.position:
            return None
        self.positions[name] = news.position
        documents = {key: patches.parsed(text) if text else None for key, text in news.documents.items()}
        return Change(second, name, documents, news.is_whole)

    def _write(self, track: str, second: int, changes: list[Change]) -> None:
        piece = self._growing.get(track)
        if piece is None:
            piece = self._growing[track] = Piece(track, Writer(second, {}))
        elif _is_long(piece.writer, second):
            self._complete(track, second)
            piece = self._growing[track] = Piece(track, Writer(second, piece.writer.state))
        piece.writer.add(second, changes)

    def _complete(self, track: str, ends: int) -> None:
        piece = self._growing.pop(track)
        piece.ends = ends
        self._completed.append(piece)

    def _save_run(self) -> Run:
        ends = self.known_until
        if self._run is None:
            end_of_run = Run.objects.filter(pk=OuterRef("run_id")).values("ends")
            # What a recorder that died has left ends where its run did.
            Span.objects.filter(domain_id=self.domain_id, ends=None).update(ends=Subquery(end_of_run))
            return Run.objects.create(domain_id=self.domain_id, begins=self._begins, ends=ends)
        if not Run.objects.filter(pk=self._run.pk).update(ends=ends):
            raise Superseded
        return self._run


def _save(run: Run, piece: Piece) -> Span:
    """Write a span, where there is anything new; gives its row. Raises Superseded."""
    row, writer = piece.row, piece.writer
    if row is None:
        data = writer.growing() if piece.ends is None else writer.complete()
        columns = {"track": piece.track, "begins": writer.begins, "ends": piece.ends, "data": data}
        return Span.objects.create(run=run, domain_id=run.domain_id, **columns)
    changed: dict[str, object] = {}
    if piece.ends is not None:
        changed = {"ends": piece.ends, "data": writer.complete()}
    elif not writer.is_written:
        changed = {"data": writer.growing()}
    rows = Span.objects.filter(pk=row.pk, version=row.version)
    if not (rows.update(**changed) if changed else rows.exists()):
        raise Superseded
    return row


def _is_long(writer: Writer, second: int) -> bool:
    age = second - writer.begins
    return age >= LONGEST_SPAN or (age >= SPAN_SECONDS and 2 * writer.size >= writer.key_size)
