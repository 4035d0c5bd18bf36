"""What was recorded, read again: what feeds held at a second, and every change after it."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from django.db.models import Q

from wallboard.replay import stream
from wallboard.replay.models import Run, Span
from wallboard.replay.stream import Change
from wallboard.replay.tracks import track_of

Stretch = tuple[int, int]  # from a second until another, which is excluded


class Passage:
    """What is kept of some feeds of a company between two seconds; read from the database as it is asked for."""

    def __init__(self, domain_id: int, feeds: Sequence[str], begin: int, end: int) -> None:
        self.begin, self.end = begin, end
        self._domain_id = domain_id
        self.runs = runs(domain_id, begin, end)
        self._feeds = {track: [name for name in feeds if track_of(name) == track] for track in map(track_of, feeds)}
        is_within = Q(ends=None) | Q(ends__gt=begin)
        spans = Span.objects.filter(is_within, run__in=[run for run, _ in self.runs], begins__lt=end)
        self._spans = list(spans.filter(track__in=self._feeds).order_by("begins", "pk").defer("data"))

    @property
    def mark(self) -> list[object]:
        """What it depends on: the same mark is the same passage."""
        seen = [(run.pk, known) for run, known in self.runs]
        return [self.begin, self.end, seen, [(span.pk, span.version) for span in self._spans], self.nearest]

    @property
    def nearest(self) -> tuple[int | None, int | None]:
        """The last second before the first one that is known, and the next one after it; none where that is known."""
        is_known = bool(self.runs) and self.runs[0][1][0] == self.begin
        return (None, None) if is_known else nearest(self._domain_id, self.begin)

    @property
    def gaps(self) -> list[Stretch]:
        """Where nothing is known."""
        return gaps([known for _, known in self.runs], self.begin, self.end)

    def changes(self) -> Iterator[Change]:
        """Every change in order of time. What is known at the first second comes first, each feed as a whole."""
        told = (self._of_run(at, track) for at in range(len(self.runs)) for track in self._feeds)
        return heapq.merge(*told, key=lambda change: change.second)

    def _of_run(self, at: int, track: str) -> Iterator[Change]:
        """What a run tells of a track: what it held when the passage reaches it, what changed, and the end."""
        run, (begins, ends) = self.runs[at]
        names = self._feeds[track]
        spans = [span for span in self._spans if span.run_id == run.pk and span.track == track]
        before = [span for span in spans if span.begins <= begins]
        reader = stream.Reader(before[-1].data, names) if before else None
        if reader is not None:
            reader.advance(begins)
        for name in names:
            held = None if reader is None else reader.state.get(name)
            yield Change(begins, name, None if held is None else dict(held), is_whole=True)
        yield from _until(_chained(reader, spans[len(before) :], names), ends)
        is_followed = at + 1 < len(self.runs) and self.runs[at + 1][1][0] == ends
        if ends < self.end and not is_followed:
            yield from (Change(ends, name, None) for name in names)


def _chained(reader: stream.Reader | None, spans: Iterable[Span], feeds: Sequence[str]) -> Iterator[Change]:
    if reader is not None:
        yield from reader.changes()
    for span in spans:
        # Its key frame repeats what the one before ended with.
        yield from stream.Reader(span.data, feeds).changes()


def _until(changes: Iterator[Change], second: int) -> Iterator[Change]:
    for change in changes:
        if change.second >= second:
            return
        yield change


def runs(domain_id: int, begin: int, end: int) -> list[tuple[Run, Stretch]]:
    """The runs of a company that reach into this time, each with what of it is to be told; oldest first.

    Where a clock was set back, the run that began later counts.
    """
    found = list(Run.objects.filter(domain_id=domain_id, ends__gt=begin, begins__lt=end).order_by("begins", "pk"))
    followers = [*(run.begins for run in found[1:]), end][: len(found)]
    clipped = [
        (run, (max(run.begins, begin), min(run.ends, end, follower)))
        for run, follower in zip(found, followers, strict=True)
    ]
    return [(run, known) for run, known in clipped if known[0] < known[1]]


def gaps(known: Sequence[Stretch], begin: int, end: int) -> list[Stretch]:
    """What lies between these stretches, of the time from begin until end."""
    edges = [(begin, begin), *known, (end, end)]
    return [(before[1], after[0]) for before, after in pairwise(edges) if before[1] < after[0]]


def nearest(domain_id: int, second: int) -> tuple[int | None, int | None]:
    """The last second before this one that is known, and the first one after it."""
    every = Run.objects.filter(domain_id=domain_id)
    before = every.filter(begins__lte=second).order_by("-ends").values_list("ends", flat=True).first()
    after = every.filter(begins__gt=second).order_by("begins").values_list("begins", flat=True).first()
    return None if before is None else before - 1, after
